"""How well and how fast pronouns are resolved: rules, a trained Stanza model, and both together.

    ESASCORE_DATA=... python benchmarks/coreference.py quality MODEL [MODEL ...] [--held-out MODEL]
    ESASCORE_DATA=... python benchmarks/coreference.py pipeline MODEL
    ESASCORE_DATA=... python benchmarks/coreference.py speed MODEL [--texts 1000]

``quality`` gives every resolver the annotated names of the development set of enriched WebNLG and counts the
annotated pronouns that it assigns to the right entity; the figures of several models (seeds) are averaged.
``--held-out`` names a model that was trained without some categories (give them with ``--category``, because
the model does not say which) and is measured on these, in the development and the training set. ``pipeline``
runs the whole benchmark of detection. ``speed`` compares our batches with calls of Stanza's pipeline, text by
text, on one thread, and the chains that both find. The models are made with

    esascore coref train GOLD_DIR/train -o MODEL --seed N
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean

from _corpus import annotated, table
from esascore.coref.base import CorefResolver
from esascore.coref.chains import ChainResolver
from esascore.coref.rules import Combined, RootResolver, RuleResolver
from esascore.gold.mentions.benchmark import (
    AnnotatedText,
    figures_by_level,
    match_all,
    read_annotated,
    statistics,
)
from esascore.gold.mentions.summary import break_down
from esascore.gold.pronouns import Asked, Placed, asked_pronouns, figures_of, groups_of, place


def gold(split: str) -> list[AnnotatedText]:
    return read_annotated(annotated(split))


def stanza(model: str) -> CorefResolver:
    from esascore.coref.stanza import StanzaModel

    return ChainResolver(StanzaModel(model))


def placed_by(asked: Sequence[Asked], models: Sequence[str]) -> dict[str, list[list[Placed]]]:
    """Return the rows of every resolver, one list for each model."""
    rules = RuleResolver()
    single = {"root": RootResolver(), "rules": rules}
    found = {name: [place(asked, resolver)] for name, resolver in single.items()}
    answers = [_Known(stanza(model), asked) for model in models]
    found["stanza"] = [place(asked, one) for one in answers]
    found["stanza, else rules"] = [place(asked, _Else(one, rules)) for one in answers]
    found["stanza+rules"] = [place(asked, Combined(one, rules)) for one in answers]
    return found


class _Known:
    """The answers of a resolver that is asked only once."""

    def __init__(self, resolver: CorefResolver, asked: Sequence[Asked]):
        self._resolver = resolver
        self._answers = resolver.resolve([one.question for one in asked])

    def resolve(self, questions: Sequence[object]) -> list[list[str | None]]:
        assert len(questions) == len(self._answers)
        return self._answers

    def version(self) -> str:
        return self._resolver.version()


class _Else:
    """One resolver, and another one where the first has no answer."""

    def __init__(self, first: CorefResolver, second: CorefResolver):
        self._first, self._second = first, second

    def resolve(self, questions: Sequence) -> list[list[str | None]]:
        pairs = zip(self._first.resolve(questions), self._second.resolve(questions), strict=True)
        return [[a if a is not None else b for a, b in zip(*pair, strict=True)] for pair in pairs]

    def version(self) -> str:
        return f"{self._first.version()}, {self._second.version()}"


def show(
    title: str, found: Mapping[str, Sequence[Sequence[Placed]]], names: Sequence[str] | None = None
) -> None:
    header = ["resolver", "pronouns", "P", "95%", "R", "95%", "not the root", "P", "R", "95%"]
    print(f"\n{title}\n\n" + table(header, ([name, *_cells(found[name])] for name in names or found)), end="")


def _cells(runs: Sequence[Sequence[Placed]]) -> list[str]:
    whole = [figures_of(rows) for rows in runs]
    other = [figures_of([one for one in rows if not one.is_root]) for rows in runs]
    return [
        str(whole[0]["pronouns"]),
        *_figure(whole, "precision"),
        *_figure(whole, "recall"),
        str(other[0]["pronouns"]),
        _figure(other, "precision")[0],
        *_figure(other, "recall"),
    ]


def _figure(runs: Sequence[Mapping], name: str) -> tuple[str, str]:
    """Return the mean of the runs with all values in brackets, and the interval of the median run."""
    values = [run[name] for run in runs if run[name] is not None]
    if not values:
        return "-", "-"
    text = f"{mean(values):.3f}"
    if len(values) > 1:
        text += f" ({', '.join(f'{value:.3f}' for value in values)})"
    middle = sorted((run for run in runs if run[name] is not None), key=lambda run: run[name])[
        len(values) // 2
    ]
    return text, f"{middle[f'{name}_low']:.3f}–{middle[f'{name}_high']:.3f}"


def show_groups(found: Mapping[str, Sequence[Sequence[Placed]]], names: Sequence[str]) -> None:
    for kind in ("pronoun", "category"):
        groups = {name: [groups_of(rows)[kind] for rows in found[name]] for name in names}
        lines = []
        for label, rows in groups[names[0]][0].items():
            cells = [
                c for name in names for c in _figure([figures_of(g[label]) for g in groups[name]], "recall")
            ]
            lines.append([label, len(rows), *cells])
        header = [kind, "pronouns", *(cell for name in names for cell in (f"{name} R", "95%"))]
        print("\n" + table(header, lines), end="")


def quality(models: Sequence[str], held_out: str | None, categories: Sequence[str]) -> None:
    names = ("rules", "stanza", "stanza+rules")
    asked = asked_pronouns(gold("dev"))
    found = placed_by(asked, models)
    show(f"Development set, {len(asked)} texts", found)
    show_groups(found, names)
    if held_out is not None:
        for split in ("dev", "train"):
            some = [text for text in gold(split) if text.example.category in categories]
            show(
                f"Categories that the model has not seen ({', '.join(categories)}), {split}",
                placed_by(asked_pronouns(some), [held_out]),
                names,
            )


def pipeline(model: str) -> None:
    from esascore.coref.choice import CorefChoice
    from esascore.pipeline import build_pipeline

    texts = gold("dev")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ESASCORE_CACHE"] = str(Path(folder) / "answers.sqlite")
        for name in ("root", "rules", "stanza", "stanza+rules"):
            choice = CorefChoice(name, model if name.startswith("stanza") else None)
            matched = match_all(texts, build_pipeline(coref=choice).detect)
            whole = figures_by_level(statistics(matched).sum(axis=0))
            pronouns = break_down(matched)["type"]["pronoun"]["exact"]
            figures = [*pronouns.values(), *whole["exact"].values()]
            figures += [whole["approximate"]["f1"], whole["entity"]["f1"]]
            rows.append([name, *(f"{figure:.4f}" for figure in figures)])
    header = "coreference, pronouns P, R, F1, all P, R, F1 (exact), F1 (approximate), F1 (entities)"
    print(table(header.split(", "), rows), end="")


def speed(model: str, number: int) -> None:
    """Measure our batches against Stanza's pipeline; both see texts that we cut into words."""
    import torch

    from esascore.coref.stanza import StanzaModel

    torch.set_num_threads(1)
    chosen = random.Random(0).sample(gold("dev"), number)
    texts = [one.reference.text for one in chosen]
    with_pronouns = [one.text.reference.text for one in asked_pronouns(chosen)]
    ours = StanzaModel(model)
    ours.chains(texts[:8])  # loads it
    loaded = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    begin = time.perf_counter()
    found = ours.chains(texts)
    batched = time.perf_counter() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    begin = time.perf_counter()
    alone = [ours.chains([text])[0] for text in texts]
    single = time.perf_counter() - begin
    begin = time.perf_counter()
    theirs = _stanza_chains(model, texts)
    shipped = time.perf_counter() - begin
    begin = time.perf_counter()
    ours.chains(with_pronouns)
    pronouns_only = time.perf_counter() - begin
    print(f"{number} texts of the development set, all sent to the model, one thread")
    print(f"in batches: {number / batched:.1f} texts/s; one by one: {number / single:.1f} texts/s")
    print(f"Stanza's pipeline, text by text (with loading): {number / shipped:.1f} texts/s")
    print(
        f"the {len(with_pronouns)} with a pronoun, in batches: "
        f"{len(with_pronouns) / pronouns_only:.1f} texts/s"
    )
    print(f"peak memory {peak:.0f} MiB ({loaded:.0f} MiB with the model loaded)")
    print(f"same chains one by one: {sum(map(_same, found, alone))} of {number}")
    print(f"same chains as Stanza's pipeline: {sum(map(_same, found, theirs))} of {number}")


def _same(one: Sequence, other: Sequence) -> bool:
    return sorted(map(sorted, one)) == sorted(map(sorted, other))


def _stanza_chains(model: str, texts: Sequence[str]) -> list:
    """Return the chains of Stanza's own pipeline, called for each text."""
    import stanza as package
    import torch

    from esascore.coref.documents import cut
    from esascore.coref.stanza import TRANSFORMER, WEIGHTS

    with tempfile.TemporaryDirectory() as folder:
        weights = torch.load(Path(model) / WEIGHTS, weights_only=True)
        weights["config"]["bert_model"] = str((Path(model) / TRANSFORMER).resolve())
        torch.save(weights, Path(folder) / "coref.pt")
        (Path(folder) / "resources.json").write_text('{"en": {}}', "utf-8")
        nlp = package.Pipeline(
            "en",
            dir=folder,
            processors="tokenize,coref",
            tokenize_pretokenized=True,
            coref_model_path=str(Path(folder) / "coref.pt"),
            download_method=None,
            use_gpu=False,
            verbose=False,
        )
    tokenize = nlp.processors["coref"]._model.tokenizer.tokenize
    found = []
    for text in texts:
        words = cut(text)
        sentences: list[list[str]] = [[] for _ in range(words.sentences[-1] + 1)]
        firsts = [words.sentences.index(number) for number in range(len(sentences))]
        for word, number in zip(words.texts, words.sentences, strict=True):
            sentences[number].append(word if tokenize(word) else "_")
        chains = []
        for chain in nlp(sentences).coref or []:
            spans = []
            for mention in chain.mentions:
                first = firsts[mention.sentence] + mention.start_word
                last = firsts[mention.sentence] + mention.end_word - 1
                spans.append((words.starts[first], words.ends[last]))
            chains.append(tuple(spans))
        found.append(tuple(chains))
    return found


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["quality", "pipeline", "speed"])
    parser.add_argument("models", nargs="+", metavar="MODEL")
    parser.add_argument("--held-out", metavar="MODEL")
    parser.add_argument("--category", action="append", default=[])
    parser.add_argument("--texts", type=int, default=1000)
    given = parser.parse_args(arguments)
    if given.what == "quality":
        quality(given.models, given.held_out, given.category)
    elif given.what == "pipeline":
        pipeline(given.models[0])
    else:
        speed(given.models[0], given.texts)


if __name__ == "__main__":
    main(sys.argv[1:])
