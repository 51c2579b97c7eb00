"""Records of about 90 kinds of values, written out in six layouts: are all found, and are changes flagged?

    python benchmarks/written_out.py [--show]

For the texts as they are, it prints the share of values that are missing, and flags per text. For those with
one changed value, it prints the share without a flag at the change, and the share where nothing is
missing either. ``--show`` prints what goes wrong, one line for each kind and layout.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from _corpus import table
from esascore.claims.omissions import missing
from esascore.metrics.hallucination import Hallucinations
from esascore.model import Example, Input
from esascore.pipeline import build_pipeline
from esascore.text.document import Document
from value_kinds import KINDS, LAYOUTS, cases


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    all_ = list(cases())
    examples = [Example(str(n), Input.from_data(case.data)) for n, case in enumerate(all_)]
    texts = [case.text for case in all_]
    documents = [Document(example.input, text) for example, text in zip(examples, texts, strict=True)]
    pipeline = build_pipeline()
    detections = pipeline.detect(documents)
    flags = Hallucinations(pipeline).find(examples, texts, detections)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for case, document, detection, found in zip(all_, documents, detections, flags, strict=True):
        count = counts[case.layout]
        unsaid = missing(document, detection)
        if not case.changed:
            count["texts"] += 1
            count["values"] += len(case.data)
            count["undetected"] += len(detection.undetected)
            count["missing"] += len(unsaid)
            count["flags"] += len(found)
            if options.show:
                for one in unsaid:
                    print(f"missing | {case.layout} | {one.attribute} = {one.value}")
                for flag in found:
                    print(f"flag | {case.layout} | {flag.text!r} | {flag.reason} | {flag.evidence}")
            continue
        key = KINDS[case.changed][0]
        start, end = case.place
        hit = any(flag.start < end and flag.end > start for flag in found)
        lost = any(one.attribute in (key, f"{key}.*") for one in unsaid)
        for own in (count, kinds[case.changed]):
            own["changed"] += 1
            own["unflagged"] += not hit
            own["unnoticed"] += not hit and not lost
        if options.show and not hit:
            how = "missing only" if lost else "unnoticed"
            print(f"{how} | {case.layout} | {case.changed} | {key} = {case.right}, text: {case.wrong}")
    counts["all"] = sum(counts.values(), Counter())
    head = ("layout", "texts", "values", "missing", "flags per text", "changed", "unflagged", "unnoticed")
    rows = []
    for name in (*LAYOUTS, "all"):
        own = counts[name]
        shares = own["missing"] / own["values"], own["flags"] / own["texts"]
        changes = own["unflagged"] / own["changed"], own["unnoticed"] / own["changed"]
        (missed, flagged), (open_, unseen) = ((f"{a:.3f}", f"{b:.3f}") for a, b in (shares, changes))
        rows.append([name, own["texts"], own["values"], missed, flagged, own["changed"], open_, unseen])
    print(table(head, rows))
    names = "changed", "unflagged", "unnoticed"
    rows = [[kind, *map(own.__getitem__, names)] for kind, own in kinds.items() if own["unflagged"]]
    print(table(("kind of which a change is not always flagged", *names), rows))


if __name__ == "__main__":
    main()
