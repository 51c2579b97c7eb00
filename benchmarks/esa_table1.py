"""ESIC^1 of the 25 WebNLG systems beside Table 1 of the paper (Faille, Gatt and Gardent 2021).

Prints two tables in Markdown, one for each year: the share of texts with an undetected entity as published,
and as measured with the profiles `paper` and `default`, with rank correlation and mean absolute difference.

    ESASCORE_DATA=... python benchmarks/esa_table1.py
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

PROFILES = ("paper", "default")

# Texts with at least one undetected entity, as Table 1 gives them.
PUBLISHED = {
    2020: {
        "RALI": 51,
        "Baseline-FORGE2020": 56,
        "Huawei_Noahs_Ark_Lab": 66,
        "DANGNT-SGU": 101,
        "Baseline-FORGE2017": 130,
        "FBConvAI": 158,
        "cuni-ufal": 182,
        "Amazon_AI_(Shanghai)": 185,
        "OSU_Neural_NLG": 185,
        "CycleGT": 266,
        "NUIG-DSI": 283,
        "bt5": 354,
        "TGen": 400,
        "NILC": 640,
        "ORANGE-NLG": 846,
        "UPC-POE": 908,
    },
    2017: {
        "Tilburg-SMT": 187,
        "UPF-FORGe": 221,
        "Melbourne": 456,
        "Tilburg-NMT": 749,
        "Tilburg-Pipeline": 780,
        "Adapt": 974,
        "PKUWriter": 1112,
        "UIT-DANGNT": 1370,
        "Baseline": 1437,
    },
}
CORPORA = {
    2020: ("webnlg-2020/rdf-to-text-generation-test-data-with-refs-en.xml", ".en"),
    2017: ("webnlg-2017/testdata_with_lex.xml", ".txt"),
}


def main() -> None:
    root = os.environ.get("ESASCORE_DATA")
    if not root:
        sys.exit(
            "esa_table1.py needs the WebNLG outputs: set ESASCORE_DATA to the folder that holds webnlg-2020/"
        )
    for year, published in PUBLISHED.items():
        corpus, suffix = CORPORA[year]
        outputs = [str(Path(root, f"webnlg-{year}", "submissions", name + suffix)) for name in published]
        measured = {profile: score(Path(root, corpus), outputs, profile) for profile in PROFILES}
        print_table(year, published, measured)


def score(corpus: Path, outputs: list[str], profile: str) -> dict[str, tuple[float, int]]:
    """Run the command; return the share of texts with an undetected entity, and the texts, by system."""
    command = [sys.executable, "-m", "esascore", "score", str(corpus), *outputs]
    command += ["--profile", profile, "--format", "json", "--quiet"]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    return {row["system"]: (row["esic_1"], row["texts"]) for row in json.loads(done.stdout)["systems"]}


def print_table(
    year: int, published: dict[str, int], measured: dict[str, dict[str, tuple[float, int]]]
) -> None:
    print(f"\n### WebNLG {year}\n")
    print(f"| system | Table 1 | {' | '.join(f'`{profile}`' for profile in PROFILES)} |")
    print("| --- | ---: |" + " ---: |" * len(PROFILES))
    for system, texts in published.items():
        whole = measured[PROFILES[0]][system][1]
        cells = [f"{100 * measured[profile][system][0]:.1f}" for profile in PROFILES]
        print(f"| {system} | {100 * texts / whole:.1f} | {' | '.join(cells)} |")
    theirs = np.array([count / measured[PROFILES[0]][name][1] for name, count in published.items()])
    for profile in PROFILES:
        ours = np.array([measured[profile][name][0] for name in published])
        difference = 100 * np.abs(ours - theirs).mean()
        print(
            f"\n`{profile}`: Spearman {spearman(ours, theirs):.3f}, "
            f"mean absolute difference {difference:.2f} points"
        )


def spearman(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.corrcoef(ranks(one), ranks(other))[0, 1])


def ranks(values: np.ndarray) -> np.ndarray:
    """Ranks, equal values sharing the mean of theirs."""
    return np.array([(values < value).sum() + ((values == value).sum() + 1) / 2 for value in values])


if __name__ == "__main__":
    main()
