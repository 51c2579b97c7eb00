"""The tables of the ESA paper that public data allow, our figures next to the published ones, as Markdown.

python benchmarks/correlations.py [-o FILE]

Table 1 (systems of WebNLG 2017 and 2020, with rank correlation and mean absolute difference of the share of
texts with an undetected entity), Tables 2 and 7-14 (correlations of ESA_I with the ratings and scores of
WebNLG 2017), and the disagreements of section 6.2, with the profiles paper and default.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from _corpus import ratings_2017, submissions, table, webnlg_corpus
from esascore.cli import main as esascore

# Texts with at least one undetected entity (ESIC^1), ESA_C, ESA_C\\1, ESA_C\\2, as printed in Table 1.
TABLE_1 = {
    2020: """
        RALI                  51  0.99  0.80  0.60
        Baseline-FORGE2020    56  0.99  0.78  0.60
        Huawei_Noahs_Ark_Lab  66  0.99  0.79  0.65
        DANGNT-SGU           101  0.99  0.76  0.56
        Baseline-FORGE2017   130  0.97  0.65  0.36
        FBConvAI             158  0.98  0.77  0.62
        cuni-ufal            182  0.98  0.78  0.65
        Amazon_AI_(Shanghai) 185  0.98  0.78  0.69
        OSU_Neural_NLG       185  0.98  0.78  0.65
        CycleGT              266  0.97  0.81  0.71
        NUIG-DSI             283  0.96  0.76  0.67
        bt5                  354  0.95  0.76  0.62
        TGen                 400  0.94  0.72  0.58
        NILC                 640  0.89  0.69  0.56
        ORANGE-NLG           846  0.83  0.65  0.50
        UPC-POE              908  0.84  0.70  0.59
    """,
    2017: """
        Tilburg-SMT          187  0.97  0.70  0.55
        UPF-FORGe            221  0.97  0.73  0.56
        Melbourne            456  0.94  0.76  0.64
        Tilburg-NMT          749  0.89  0.72  0.62
        Tilburg-Pipeline     780  0.76  0.42  0.20
        Adapt                974  0.76  0.54  0.38
        PKUWriter           1112  0.71  0.52  0.36
        UIT-DANGNT          1370  0.28  0.02  0.00
        Baseline            1437  0.47  0.31  0.17
    """,
}
VARIABLES = ("bleu", "meteor", "ter", "fluency", "grammar", "semantics")
# Correlation of ESA_I with these, as printed: table, subset of texts, kind -> six numbers.
PUBLISHED = {
    ("9", "all", "pearson"): (0.40, 0.65, -0.52, 0.49, 0.53, 0.72),
    ("10", "all", "spearman"): (0.46, 0.59, -0.46, 0.35, 0.35, 0.59),
    ("11", "all", "kendall"): (0.46, 0.58, -0.46, 0.35, 0.35, 0.59),
    ("2", "undetected-1", "pearson"): (0.59, 0.87, -0.42, 0.49, 0.57, 0.66),
    ("7", "undetected-1", "spearman"): (0.76, 0.84, -0.63, 0.48, 0.53, 0.73),
    ("8", "undetected-1", "kendall"): (0.60, 0.68, -0.46, 0.36, 0.41, 0.59),
    ("12", "undetected-2", "pearson"): (0.65, 0.90, -0.16, 0.51, 0.57, 0.60),
    ("13", "undetected-2", "spearman"): (0.84, 0.90, -0.48, 0.57, 0.62, 0.69),
    ("14", "undetected-2", "kendall"): (0.70, 0.79, -0.37, 0.47, 0.51, 0.60),
}
# Pairs without ESA_I, which do not depend on detection: Table 9 on 2,230 texts.
TABLE_9 = {
    ("bleu", "meteor"): 0.84, ("bleu", "ter"): -0.81, ("bleu", "semantics"): 0.44,
    ("meteor", "ter"): -0.83, ("meteor", "semantics"): 0.64, ("ter", "semantics"): -0.55,
    ("fluency", "grammar"): 0.87, ("fluency", "semantics"): 0.61, ("grammar", "semantics"): 0.62,
}  # fmt: skip
SIZES = {"all": 2230, "undetected-1": 822, "undetected-2": 469}
PROFILES = ("paper", "default")


def result(*arguments: object) -> dict[str, Any]:
    """Run a command and read its JSON."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "result.json"
        code = esascore([*map(str, arguments), "--format", "json", "-q", "-o", str(file)])
        if code:
            raise SystemExit(code)
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return found


def number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def table_1(year: int) -> str:
    """Show our figures next to the published ones, and how well the shares of flagged texts agree."""
    from esascore.stats.correlation import correlation

    ours = {}
    for profile in PROFILES:
        found = result("score", webnlg_corpus(year), *submissions(year), "--profile", profile)
        ours[profile] = {row["system"]: row for row in found["systems"]}
    rows = []
    shares: dict[str, list[float]] = {name: [] for name in ("published", *PROFILES)}
    for name, count, *means in map(str.split, TABLE_1[year].strip().split("\n")):
        measured = [ours[profile][name] for profile in PROFILES]
        of_system = [int(count) / measured[0]["texts"], *(row["esic_1"] for row in measured)]
        for values, share in zip(shares.values(), of_system, strict=True):
            values.append(100 * share)
        cells: list[object] = [name, *(f"{100 * share:.1f}%" for share in of_system)]
        for field, mean in zip(("esa_c", "esa_c_1", "esa_c_2"), means, strict=True):
            cells += [mean, *(number(row[field]) for row in measured)]
        rows.append(cells)
    header = [str(year)]
    for name in ("ESIC^1", "ESA_C", r"ESA_C\\1", r"ESA_C\\2"):
        header += [f"{name} published", *PROFILES]
    text = table(header, rows)
    for profile in PROFILES:
        pairs = zip(shares[profile], shares["published"], strict=True)
        distance = sum(abs(ours - theirs) for ours, theirs in pairs) / len(rows)
        spearman = correlation(shares[profile], shares["published"], "spearman").value
        text += f"\n`{profile}`: Spearman {spearman:.3f}, mean absolute difference {distance:.2f} points\n"
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("-o", type=Path, help="write to this file instead of standard output")
    options = parser.parse_args()
    parts = [table_1(2020), table_1(2017)]
    ratings = ("--ratings", ratings_2017(), "--metrics", "esa")
    with_human, without = (
        {
            profile: result("correlate", webnlg_corpus(2017), *texts, *ratings, "--profile", profile)
            for profile in PROFILES
        }
        for texts in (["--rated-texts"], submissions(2017))
    )
    rows: list[list[object]] = []
    for (name, subset, kind), published in PUBLISHED.items():
        rows.append([f"Table {name}, {kind}", "published", SIZES[subset], *map(number, published)])
        for profile in PROFILES:
            for found in (with_human, without):
                part = found[profile]["texts"][subset]
                cells = [number(part[kind][variable]["esa"]["value"]) for variable in VARIABLES]
                rows.append(["", profile, part["texts"], *cells])
    parts.append(table(["ESA_I with", "", "texts", *VARIABLES], rows))
    pairs = with_human["paper"]["texts"]["all"]["pearson"]
    parts.append(
        table(
            ["Table 9, without ESA", "published", "ours, 2,230 texts", "ours, 2,007 texts"],
            [
                [
                    f"{one}, {other}",
                    number(value),
                    number(pairs[one][other]["value"]),
                    number(without["paper"]["texts"]["all"]["pearson"][one][other]["value"]),
                ]
                for (one, other), value in TABLE_9.items()
            ],
        )
    )
    counts = [without[profile]["disagreements"]["semantics"] for profile in PROFILES]
    parts.append(
        table(
            ["Section 6.2, 2,007 texts", "published", *PROFILES],
            [
                ["ESA_I < 0.4, semantics >= 2", 7, *(count["underrated"] for count in counts)],
                ["ESA_I > 0.9, semantics = 1", 41, *(count["overrated"] for count in counts)],
            ],
        )
    )
    parts.append(
        "Signatures: " + ", ".join(f"`{without[profile]['signature']}`" for profile in PROFILES) + "\n"
    )
    text = "\n".join(parts)
    if options.o:
        options.o.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
