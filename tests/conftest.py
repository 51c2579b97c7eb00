"""What tests share: the real corpora; invented texts and a model for neural coreference; no network."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import re
import shutil
import socket
import warnings
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None)  # a busy machine is no defect
settings.load_profile("untimed")

NEEDS = "needs esascore[coref]: make test-coref"

# The first eight of each are for training, the rest is new to the model.
NAMES = {
    "man": "Bo Berg,Carl Odum,Ivo Marsh,Otto Lind,Hugo Prell,Rafe Tull,Jan Vos,Ned Quill,"
    "Abel Strom,Finn Ager,Udo Karst,Leo Banner",
    "woman": "Ada Holt,Mira Fenn,Ines Moreau,Lotte Dahl,Ruth Carrow,Nora Pike,Elsa Brand,Tilda Voss,"
    "Vera Stone,Jill Amber,Olga Rehn,Maud Selby",
    "town": "Norvik,Sarmo,Port Ellery,Velmont,Quarn,Ostby,Lake Tarn,Brelling,Hadelow,Sunderby,Marrak,Tolen",
    "land": "Kelland,Varonia,Estmark,Lower Ruvia,Tarsia,Noland,Ulmia,Greater Pel,Sorland,Mirova,Istan,Weld",
    "hall": "Kestrel Hall,Ember Bridge,Stonegate Tower,Heron Museum,Alder Library,Falcon Arena,Juniper House,"
    "Copper Bridge,Gannet Hall,Raven Tower,Linden Theatre,Swift Bridge",
}
KNOWN = 8

# The category and the triples, and the text that says the same. [slot] is a name, [slot:It] a pronoun.
TEMPLATES = """
Building: hall | location | town; hall | architect | man; man | birthPlace | land
[hall] in [town] was designed by [man]. [man:He] was born in [land].
Building: hall | architect | woman; woman | birthPlace | land
[hall] was designed by [woman]. [woman:She] was born in [land].
Building: hall | architect | woman; hall | location | town
[woman] is the architect of [hall]. [hall:It] is located in [town].
Building: hall | location | town; hall | owner | man
[hall] is located in [town]. [hall:Its] owner is [man].
Person: man | birthPlace | town; man | deathPlace | land
[man] was born in [town]; [man:he] died in [land].
Person: woman | birthPlace | town; woman | residence | land; woman | notableWork | hall
[woman], who was born in [town], lives in [land], where [woman:she] designed [hall].
Town: town | country | land; town | leader | woman
[town] is a town in [land]. [town:Its] leader is [woman].
Town: town | leader | man; man | residence | hall
[man] leads [town]. [man:His] office is in [hall].
Town: town | leader | woman; woman | residence | hall
[woman] leads [town]. [woman:Her] office is in [hall].
Building: hall | openedBy | woman; hall | location | town; woman | residence | land
[hall] was opened by [woman]. [hall:It] stands in [town]; [woman:she] lives in [land].
""".strip().split("\n")


@dataclass(frozen=True)
class Invented:
    """A text with its triples and mentions, (entity, start, end, type)."""

    category: str
    triples: tuple[tuple[str, str, str], ...]
    text: str
    mentions: tuple[tuple[str, int, int, str], ...]


def invent(number: int, *, known: bool = True, seed: int = 1) -> list[Invented]:
    """Texts from the templates in turn, with names for training or with others."""
    chance = random.Random(seed)
    texts = []
    for index in range(number):
        at = 2 * index % len(TEMPLATES)
        category, _, triples = TEMPLATES[at].partition(": ")
        names = {
            slot: chance.choice(some.split(",")[:KNOWN] if known else some.split(",")[KNOWN:])
            for slot, some in NAMES.items()
        }
        terms = {slot: name.replace(" ", "_") for slot, name in names.items()}
        text, mentions = "", []
        for piece in re.split(r"(\[\w+(?::\w+)?\])", TEMPLATES[at + 1]):
            slot, _, pronoun = piece.strip("[]").partition(":")
            words = pronoun or names[slot] if piece.startswith("[") else piece
            if piece.startswith("["):
                end = len(text) + len(words)
                mentions.append((terms[slot], len(text), end, "pronoun" if pronoun else "name"))
            text += words
        parts = [triple.split(" | ") for triple in triples.split("; ")]
        graph = tuple((terms[head], name, terms[tail]) for head, name, tail in parts)
        texts.append(Invented(category, graph, text, tuple(mentions)))
    return texts


def documents_of(texts):
    """The texts as training documents."""
    from esascore.coref.documents import Annotated, coref_document

    return [
        coref_document(
            str(number), one.text, [Annotated(start, end, entity) for entity, start, end, _ in one.mentions]
        )
        for number, one in enumerate(texts)
    ]


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The folder of the real corpora."""
    folder = os.environ.get("ESASCORE_DATA")
    if not folder:
        pytest.skip("needs the real corpora: set ESASCORE_DATA to their folder")
    return Path(folder)


@pytest.fixture(scope="session")
def hatch_build():
    """The module with the hooks of the build."""
    pytest.importorskip("hatchling")
    path = Path(__file__).parents[1] / "hatch_build.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def invented():
    """Make invented texts."""
    return invent


@pytest.fixture(scope="session")
def training_documents():
    """Bring invented texts into the form that models are trained on."""
    return documents_of


@pytest.fixture(scope="session")
def stanza():
    """Stanza with all that its coreference needs."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # theirs, on import
            import stanza
            import stanza.models.coref.model
    except ImportError as error:
        # make test-coref says that it has to be there: a run in which all is skipped shows nothing.
        if os.environ.get("ESASCORE_TEST_COREF"):
            pytest.fail(f"{NEEDS} ({error})")
        pytest.skip(NEEDS)
    return stanza


@pytest.fixture(scope="session")
def transformer(stanza) -> Path:
    """The pretrained transformer of the package."""
    from esascore.errors import MissingModelError
    from esascore.trained.loading import find_transformer

    try:
        return find_transformer()
    except MissingModelError as error:
        if os.environ.get("ESASCORE_TEST_COREF"):
            raise
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def small_transformer(transformer, tmp_path_factory) -> Path:
    """A transformer that knows nothing: enough to see whether training does what it should, in seconds."""
    import torch
    from transformers import BertConfig, BertModel

    folder = tmp_path_factory.mktemp("transformer")
    for name in ("tokenizer.json", "tokenizer_config.json", "vocab.txt", "special_tokens_map.json"):
        if (transformer / name).is_file():
            shutil.copy(transformer / name, folder)
    words = json.loads((transformer / "config.json").read_text("utf-8"))["vocab_size"]
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=words, hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64
    )
    BertModel(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def trained(transformer, tmp_path_factory) -> Path:
    """A model that was trained on 60 invented texts, in about half a minute: do not change its folder."""
    from esascore.coref.training import CorefTrainee, TrainingSettings
    from esascore.trained.runs import train

    folder = tmp_path_factory.mktemp("coref") / "model"
    settings = TrainingSettings(epochs=8, batch=2, rate=1e-3, transformer_rate=2e-4)
    assert train(CorefTrainee, documents_of(invent(60)), folder, transformer, settings)
    return folder


@pytest.fixture
def no_network(monkeypatch):
    """Refuse every connection, and fail if one was tried."""
    tried = []

    def refuse(*arguments, **_):
        tried.append(arguments[-1] if arguments else None)
        raise OSError("a test tried to reach the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket.socket, "connect_ex", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    yield
    assert not tried, f"tried to reach the network: {tried}"
