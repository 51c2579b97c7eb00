"""Flags as annotations of factgenie, and annotations of factgenie as spans."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

from esascore.claims.classes import MEANINGS
from esascore.guard import Verdict

COLOURS = ("#e6a0a0", "#e6c38c", "#d9d98c", "#a0c8e6", "#c8a0e6")
CATEGORIES = [
    {"name": name, "color": colour, "description": meaning}
    for (name, meaning), colour in zip(MEANINGS.items(), COLOURS, strict=True)
]


def write_campaign(
    folder: str | Path,
    verdicts: Iterable[Verdict],
    *,
    dataset: str,
    setup_id: str,
    split: str = "test",
    campaign_id: str = "esascore",
) -> None:
    """Write texts and flags, in the order of the dataset, into the folder of the package factgenie.

    The texts go to ``data/outputs``, the flags to ``campaigns``. A text field holds what a text leaves out.
    """
    config = {"annotation_span_categories": CATEGORIES, "flags": [], "options": [], "sliders": []}
    config["text_fields"] = ["missing"]
    metadata = {
        "id": campaign_id,
        "mode": "external",
        "config": config,
        "created": datetime.now().astimezone().strftime("%Y-%m-%d %H:%M:%S"),
    }
    about = {"annotator_id": "esascore", "annotator_group": 0, "campaign_id": campaign_id}
    outputs, annotations = [], []
    for number, verdict in enumerate(verdicts):
        place = {"dataset": dataset, "split": split, "setup_id": setup_id, "example_idx": number}
        outputs.append({**place, "output": verdict.text})
        missing = "; ".join(f"{one.attribute} = {one.value}" for one in verdict.missing)
        annotations.append(
            {
                **place,
                "output": verdict.text,
                "metadata": {**about, "annotation_span_categories": CATEGORIES},
                "annotations": [
                    {
                        "type": list(MEANINGS).index(flag.kind),
                        "start": flag.start,
                        "text": flag.text,
                        "reason": flag.reason,
                    }
                    for flag in verdict.flags
                ],
                "text_fields": [{"label": "missing", "value": missing}],
            }
        )
    campaign = Path(folder, "campaigns", campaign_id)
    name = f"{split}-{setup_id}.jsonl"
    _write(campaign / "metadata.json", [metadata])
    _write(campaign / "files" / f"{dataset}-{name}", annotations)
    _write(Path(folder, "data", "outputs", dataset, name), outputs)


def read_annotations(campaign: str | Path) -> Iterator[dict]:
    """Yield the place of each annotated text in a campaign's folder, its annotator, and the spans.

    A span has ``start``, ``end``, ``text``, ``category`` and ``reason`` (None if it is not known).
    """
    config = json.loads(Path(campaign, "metadata.json").read_text("utf-8"))["config"]
    for path in sorted(Path(campaign, "files").rglob("*.jsonl")):
        for line in path.read_text("utf-8").split("\n"):
            if not line.strip():
                continue
            record = json.loads(line)
            own = {**config, **record.get("metadata", {})}
            names = [category["name"] for category in own["annotation_span_categories"]]
            yield {
                **{name: record[name] for name in ("dataset", "split", "setup_id", "example_idx")},
                "annotator": own.get("annotator_id"),
                "text": record.get("output"),
                "spans": [
                    {
                        "start": one["start"],
                        "end": one["start"] + len(one["text"]),
                        "text": one["text"],
                        "category": names[int(one["type"])],
                        "reason": one.get("reason"),
                    }
                    for one in record["annotations"]
                ],
            }


def _write(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
