"""Trains a Stanza coreference model on annotated documents, on a CPU in a quarter of an hour or so.

The network, its losses and the format of its weights are Stanza's. The loop is ours: it reads several
documents at once, pads them to their own length, leaves the embeddings of the transformer unchanged and keeps
its state on disk, so that an interrupted run continues where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from esascore.coref.documents import CorefDocument
from esascore.coref.stanza import TRANSFORMER, WEIGHTS, coref_model_class, encode, encoded, prepare
from esascore.errors import DataError, UsageError
from esascore.trained.folder import CONFIG
from esascore.trained.loading import contained, quiet
from esascore.trained.runs import Trainee, check_counts, pooled_steps

if TYPE_CHECKING:
    from torch import Tensor, nn

# Settings of Stanza's own training and of other kinds of models, which ours do not use.
_UNUSED: Mapping[str, Any] = {
    **dict.fromkeys(("data_dir", "save_dir", "save_name", "train_data", "dev_data", "test_data"), ""),
    **dict.fromkeys(("conll_log_dir", "lang_lr_attenuation", "lang_lr_weights"), ""),
    **dict.fromkeys(("lora", "full_pairwise", "singletons", "use_zeros"), False),
    **dict.fromkeys(("log_norms", "save_each_checkpoint"), False),
    **dict.fromkeys(("lora_alpha", "lora_rank"), 1),
    **dict.fromkeys(("lora_dropout", "bert_finetune_begin_epoch"), 0.0),
    "plateau_epochs": 0,
}


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """What a trained model depends on besides its documents.

    Attributes
    ----------
    epochs, batch, seed
        How often every document is read, how many at once, and the seed of all random numbers.
    rate, transformer_rate
        Learning rates of the new layers and of the transformer; both rise over the first tenth of the steps
        and then fall to zero.
    window
        The longest text, in word pieces, that is read at once.
    antecedents
        How many earlier words are compared closely with each word.
    hidden, dropout
        Size of the layer that compares them, and the share of its inputs that is left out in training.
    """

    epochs: int = 3
    batch: int = 1
    seed: int = 1
    rate: float = 3e-4
    transformer_rate: float = 3e-5
    window: int = 128
    antecedents: int = 15
    hidden: int = 256
    dropout: float = 0.2

    def __post_init__(self) -> None:
        check_counts(self, "epochs", "batch", "window", "antecedents", "hidden")


class CorefTrainee(Trainee):
    """A coreference model in training, whose folder the resolver ``stanza`` reads.

    All documents have at least one chain. It starts from the folder of a pretrained transformer, in the
    format of the package ``transformers``.
    """

    warm_up = 0.1
    longest_step = None
    checkpoint_every = 500

    @classmethod
    def require(cls, items: Sequence[CorefDocument], start_from: Path) -> None:
        """Reject an empty list, and raise an error if packages are missing."""
        if not items:
            raise DataError("no document with a chain of two mentions to learn from")
        coref_model_class()

    def begin(self) -> None:
        """Make a new model of Stanza's, and convert the documents to its format."""
        settings = self.settings
        self.model = _new_model(self.start_from, settings)
        self.parts = self.model.trainable
        self.documents = [_prepared(self.model, document) for document in self.items]
        self.average_mentions = sum(len(d["head2span"]) for d in self.documents) / len(self.items)
        lengths = [len(document["subwords"]) for document in self.documents]
        self.steps = pooled_steps(lengths, batch=settings.batch, epochs=settings.epochs, seed=settings.seed)
        self.optimizer = _optimizer(self.model, settings)
        self.model.training = True

    def loss(self, items: Sequence[int]) -> Any:
        """Read the documents of a step."""
        documents = [self.documents[number] for number in items]
        return sum(
            self._loss(document, vectors)
            for document, vectors in zip(documents, encode(self.model, documents), strict=True)
        ) / len(documents)

    def _loss(self, document: dict[str, Any], vectors: Tensor) -> Tensor:
        with encoded(self.model, vectors):
            found = self.model.run(document)
        loss = self.model._coref_criterion(found.coref_scores, found.coref_y)
        for side in (0, 1):
            ends = self.model._span_criterion(found.span_scores[:, :, side], found.span_y[side])
            loss = loss + ends / self.average_mentions / 2
        return loss

    def write(self, folder: Path) -> None:
        """Write the transformer, and the layers on top of it."""
        import torch

        self.model.training = False
        with quiet():
            _write_transformer(self.model, folder / TRANSFORMER)
        heads = {name: part.state_dict() for name, part in self.model.trainable.items() if name != "bert"}
        config = asdict(self.model.config) | {"bert_model": TRANSFORMER}
        torch.save(heads | {"config": config, "epochs_trained": self.settings.epochs}, folder / WEIGHTS)

    def described(self) -> dict[str, Any]:
        """Return the number of documents."""
        return {"documents": len(self.items)}


def _prepared(model: Any, document: CorefDocument) -> dict[str, Any]:
    raw = document.as_dict()
    gold = {
        "span_clusters": [[tuple(span) for span in chain] for chain in raw["span_clusters"]],
        "word_clusters": raw["word_clusters"],
        "head2span": raw["head2span"],
    }
    # Stanza empties the annotations of a document that it prepares.
    return prepare(model, raw) | gold


def _new_model(transformer: Path, settings: TrainingSettings) -> Any:
    model_class = coref_model_class()
    from stanza.models.coref.config import Config

    values: dict[str, Any] = {
        **_UNUSED,
        "section": "esascore",
        "device": "cpu",
        "bert_model": str(transformer),
        "bert_window_size": settings.window,
        "embedding_size": 20,
        "sp_embedding_size": 64,
        "a_scoring_batch_size": 512,
        "hidden_size": settings.hidden,
        "n_hidden_layers": 1,
        "max_span_len": 64,
        "rough_k": settings.antecedents,
        "clusters_starts_are_singletons": True,
        "bert_finetune": True,
        "dropout_rate": settings.dropout,
        "learning_rate": settings.rate,
        "bert_learning_rate": settings.transformer_rate,
        "train_epochs": settings.epochs,
        "bce_loss_weight": 0.5,
        "max_train_len": 5000,
        "lora_target_modules": [],
        "lora_modules_to_save": [],
        "tokenizer_kwargs": {},
    }
    wanted = {field.name for field in fields(Config)}
    if missing := wanted - values.keys():
        raise UsageError(
            f"this version of Stanza has settings that esascore does not know: {', '.join(sorted(missing))}; "
            "pip install --upgrade esascore"
        )
    config = Config(**{name: value for name, value in values.items() if name in wanted})
    with quiet(), contained():
        return model_class(config=config, build_optimizers=False)


def _optimizer(model: Any, settings: TrainingSettings) -> Any:
    import torch

    for parameter in model.bert.embeddings.parameters():
        parameter.requires_grad = False
    transformer = [p for p in model.bert.parameters() if p.requires_grad]
    heads = [p for name, part in sorted(model.trainable.items()) if name != "bert" for p in part.parameters()]
    groups = [
        {"params": transformer, "lr": settings.transformer_rate},
        {"params": heads, "lr": settings.rate},
    ]
    return torch.optim.Adam(groups, fused=True)


def _write_transformer(model: Any, folder: Path) -> None:
    """Write the transformer in half precision: half the size, and the chains are the same."""
    import torch

    whole: nn.Module = model.bert
    model.tokenizer.save_pretrained(folder)
    halves = {
        name: value.to(torch.float16)
        for name, value in whole.state_dict().items()
        if value.is_floating_point()
    }
    whole.save_pretrained(folder, state_dict=whole.state_dict() | halves)
    path = folder / CONFIG
    config = json.loads(path.read_text("utf-8"))
    # Stored in half precision, but loaded in single precision, in which a CPU computes.
    config.pop("torch_dtype", None)
    config["dtype"] = "float32"
    path.write_text(json.dumps(config, indent=2) + "\n", "utf-8")
