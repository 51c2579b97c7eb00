"""The tables of the ESA paper that public data can give, ours beside the published, as Markdown.

python benchmarks/correlations.py [-o FILE]

Table 1 (systems of WebNLG 2017 and 2020), Tables 2 and 7-14 (correlations of ESA_I with the ratings and
scores of WebNLG 2017), and the disagreements of section 6.2, with the profiles paper and default.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from esascore.cli import main as esascore

# ESIC^1 in percent, ESA_C, ESA_C\1, ESA_C\2, as printed in Table 1.
TABLE_1 = {
    2020: {
        "RALI": ("RALI", 3, 0.99, 0.80, 0.60),
        "Baseline-2020": ("Baseline-FORGE2020", 3, 0.99, 0.78, 0.60),
        "Huawei": ("Huawei_Noahs_Ark_Lab", 4, 0.99, 0.79, 0.65),
        "DANGNT-SGU": ("DANGNT-SGU", 6, 0.99, 0.76, 0.56),
        "Baseline-2017": ("Baseline-FORGE2017", 7, 0.97, 0.65, 0.36),
        "FBConvAI": ("FBConvAI", 9, 0.98, 0.77, 0.62),
        "cuni-ufal": ("cuni-ufal", 10, 0.98, 0.78, 0.65),
        "Amazon_AI": ("Amazon_AI_(Shanghai)", 10, 0.98, 0.78, 0.69),
        "OSU": ("OSU_Neural_NLG", 10, 0.98, 0.78, 0.65),
        "CycleGT": ("CycleGT", 15, 0.97, 0.81, 0.71),
        "NUIG-DSI": ("NUIG-DSI", 16, 0.96, 0.76, 0.67),
        "bt5": ("bt5", 20, 0.95, 0.76, 0.62),
        "TGen": ("TGen", 22, 0.94, 0.72, 0.58),
        "NILC": ("NILC", 36, 0.89, 0.69, 0.56),
        "ORANGE": ("ORANGE-NLG", 48, 0.83, 0.65, 0.50),
        "UPC-POE": ("UPC-POE", 51, 0.84, 0.70, 0.59),
    },
    2017: {
        "Tilburg SMT": ("Tilburg-SMT", 10, 0.97, 0.70, 0.55),
        "UPF-FORGe": ("UPF-FORGe", 12, 0.97, 0.73, 0.56),
        "Melbourne": ("Melbourne", 24, 0.94, 0.76, 0.64),
        "Tilburg NMT": ("Tilburg-NMT", 40, 0.89, 0.72, 0.62),
        "Tilburg Pipeline": ("Tilburg-Pipeline", 42, 0.76, 0.42, 0.20),
        "Adapt": ("Adapt", 52, 0.76, 0.54, 0.38),
        "PKUWriter": ("PKUWriter", 60, 0.71, 0.52, 0.36),
        "UIT-DANGNT": ("UIT-DANGNT", 74, 0.28, 0.02, 0.00),
        "Baseline": ("Baseline", 77, 0.47, 0.31, 0.17),
    },
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


def table(header: list[str], rows: list[list[object]]) -> str:
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def table_1(year: int, corpus: Path, outputs: list[Path]) -> str:
    ours = {}
    for profile in PROFILES:
        found = result("score", corpus, *outputs, "--profile", profile)
        ours[profile] = {row["system"]: row for row in found["systems"]}
    fields = ("esa_c", "esa_c_1", "esa_c_2")
    rows = []
    for shown, (name, share, *means) in TABLE_1[year].items():
        cells: list[object] = [shown, f"{share}%"]
        cells += [f"{100 * ours[profile][name]['esic_1']:.1f}%" for profile in PROFILES]
        for field, mean in zip(fields, means, strict=True):
            cells += [number(mean), *(number(ours[profile][name][field]) for profile in PROFILES)]
        rows.append(cells)
    header = [str(year)]
    for name in ("ESIC^1", "ESA_C", r"ESA_C\\1", r"ESA_C\\2"):
        header += [f"{name} published", *PROFILES]
    return table(header, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("-o", type=Path, help="write there instead of standard output")
    options = parser.parse_args()
    if not os.environ.get("ESASCORE_DATA"):
        raise SystemExit("the real corpora are not here: set ESASCORE_DATA")
    data = Path(os.environ["ESASCORE_DATA"])
    old, new = data / "webnlg-2017", data / "webnlg-2020"
    submitted = sorted((old / "submissions").glob("*.txt"))
    parts = [
        table_1(2020, *new.glob("*-with-refs-en.xml"), sorted((new / "submissions").glob("*.en"))),
        table_1(2017, old / "testdata_with_lex.xml", submitted),
    ]
    ratings = ("--ratings", old / "human" / "all_data_final_averaged.csv", "--metrics", "esa")
    corpus = old / "testdata_with_lex.xml"
    with_human, without = (
        {profile: result("correlate", corpus, *texts, *ratings, "--profile", profile) for profile in PROFILES}
        for texts in (["--rated-texts"], submitted)
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
