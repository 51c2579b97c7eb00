"""The work on a request, in a process of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from esascore._version import __version__
from esascore.errors import EsascoreError, place_of
from esascore.guard import Guard, Verdict
from esascore.link.base import EntityLinker
from esascore.link.services.rel_protocol import BadQuestion, NoAnswer, answer, read_question
from esascore.metrics import create_metrics
from esascore.metrics.base import Detector, Signature
from esascore.model import Example
from esascore.profiles import names
from esascore.readers.choice import Choice
from esascore.readers.corpus import read_corpus
from esascore.readers.fields import load_json, make_example
from esascore.readers.located import Place
from esascore.readers.systems import read_systems
from esascore.reports.html import write_report
from esascore.reports.jsontext import to_json
from esascore.reports.lines import detection_record, segment_records
from esascore.reports.summary import summarise
from esascore.reports.tables import as_document
from esascore.run.evaluation import no_metrics, stream
from esascore.run.scored import joined
from esascore.run.scoring import MakeMetrics, scorer_of
from esascore.serve.limits import Limits, Problem
from esascore.serve.pool import Asked, Handler, Progress, Reply, Tell

SIGNATURE = "Esascore-Signature"
"""The header that names the ruler of an answer."""

_FIELDS = ("id", "data", "triples", "text", "references")
_FILE = {"name": str, "content": str}
_METRICS = ("esa", "hallucination", "faithfulness")


def make_handler(
    guard: Mapping[str, Any] | None, linker: Callable[[], EntityLinker] | None, limits: Limits
) -> Handler:
    """Make the handlers of requests: for the API if there are settings of a guard, for REL if a linker."""
    handlers: dict[str, Handler] = {}
    if guard is not None:
        api = _Api(guard, limits)
        for handler in (api.check, api.detect, api.score, api.rulers, api.report):
            handlers[handler.__name__] = handler
    if linker is not None:
        handlers["rel"] = partial(_linked, linker(), limits)

    def handle(asked: Asked, tell: Tell) -> Reply:
        try:
            return handlers[asked.what](asked, tell)
        except EsascoreError as error:
            raise Problem(422, str(error)) from None
        except (Problem, OSError):
            raise
        except Exception as error:
            return _broken(asked.what, error)

    return handle


class _Api:
    """The answers of the API; the first guard has the default profile."""

    def __init__(self, settings: Mapping[str, Any], limits: Limits):
        self._limits = limits
        self._choice = Choice(*(tuple(settings.get(name, ())) for name in ("optional", "ignore")))
        self._usual = str(settings.get("profile", "default"))
        self._guards = {name: Guard(**{**settings, "profile": name}) for name in (self._usual, *names())}
        for guard in self._guards.values():  # loads slow parts such as the dictionary
            guard.check({"name": "Blue Spice", "rooms": 27}, "Blue Spice: 27 splendid rooms.")

    def _chosen(self, asked: Asked) -> Guard:
        guard = self._guards.get(asked.options.get("profile", self._usual))
        if guard is None:
            raise Problem(422, f"there is no such profile; known: {', '.join(self._guards)}")
        return guard

    def check(self, asked: Asked, _: Tell) -> Reply:
        guard, items = self._chosen(asked), self._items(asked)
        verdicts = guard.check_all([(example, example.text or "") for example in items])
        shown = asked.options.get("mentions", "false") == "true"
        if not shown and asked.options.get("mentions", "false") != "false":
            raise Problem(422, "mentions must be true or false")
        records = [
            {"id": example.id, **verdict.to_dict(), **(_mentions(example, verdict) if shown else {})}
            for example, verdict in zip(items, verdicts, strict=True)
        ]
        flags, blocked = sum(len(one.flags) for one in verdicts), sum(not one.ok for one in verdicts)
        counts = {"texts": len(items), "flags": flags, "blocked": blocked}
        return _reply(asked, guard.signature, records, counts)

    def detect(self, asked: Asked, _: Tell) -> Reply:
        guard, items = self._chosen(asked), self._items(asked)
        scored = _scored(guard.pipeline, items, no_metrics, "detections")
        found = scored.systems[0].detections or ()
        records = [detection_record(one, own) for one, own in zip(items, found, strict=True)]
        signature = str(Signature.of({"esascore": __version__, **guard.pipeline.signature_parts()}))
        return _reply(asked, signature, records, {"texts": len(items)})

    def score(self, asked: Asked, _: Tell) -> Reply:
        guard, items = self._chosen(asked), self._items(asked)
        metrics = [name.strip() for name in asked.options.get("metrics", "esa").split(",") if name.strip()]
        scored = _scored(guard.pipeline, items, partial(create_metrics, metrics), "statistics")
        records = [{"id": one["id"], "scores": one["scores"]} for one in segment_records(scored)]
        return _reply(asked, str(scored.signature), records, {"texts": len(items)})

    def rulers(self, _asked: Asked, _: Tell) -> Reply:
        listed = [{"profile": name, "signature": guard.signature} for name, guard in self._guards.items()]
        return Reply(to_json({"rulers": listed}).encode())

    def report(self, asked: Asked, tell: Tell) -> Reply:
        """Score files as ``esascore report`` does; the page is in the answer."""
        guard, given = self._chosen(asked), _object(asked.body)
        files = [given.pop("corpus", None), *_list(given, "outputs")]
        for one in files:
            if not isinstance(one, dict) or {key: type(value) for key, value in one.items()} != _FILE:
                raise Problem(422, 'corpus and each of outputs are {"name": "...", "content": "..."}')
        with TemporaryDirectory(prefix="esascore-") as folder:
            paths = [_written(Path(folder), number, **one) for number, one in enumerate(files)]
            try:
                return self._reported(guard, paths, tell)
            except EsascoreError as error:
                told = str(error)
                for path in paths:
                    told = told.replace(str(path), path.name)
                raise Problem(422, told) from None

    def _reported(self, guard: Guard, paths: Sequence[Path], tell: Tell) -> Reply:
        # Patterns are for everything that is served: they need not match in each corpus.
        examples = [self._choice.of(example) for example in read_corpus(paths[0])]
        if len(examples) > self._limits.max_items * 10:
            raise Problem(413, f"a report takes {self._limits.max_items * 10:,} inputs at most")
        systems = read_systems([f"{path.stem}={path}" for path in paths[1:]], examples)
        parts = stream(
            lambda: guard.pipeline,
            examples,
            systems,
            partial(create_metrics, _METRICS),
            keep="detections",
            progress=lambda done, all_: tell(Progress(done, all_)),
            pipeline=guard.pipeline,
        )
        scored = joined(list(parts))
        summary = summarise(scored)
        target = write_report(scored, paths[0].parent / "report.html", title=paths[0].stem)
        columns = [[column.field, column.header, column.kind] for column in summary.columns]
        document = {**as_document(summary), "columns": columns, "html": target.read_text("utf-8")}
        return Reply(to_json(document).encode(), counts={"texts": len(examples) * len(systems)})

    def _items(self, asked: Asked) -> list[Example]:
        """Read the items of a request."""
        if asked.lines:
            given = list(_lines(asked.body))
        else:
            given = list(enumerate(_list(_object(asked.body), "items"), 1))
        if len(given) > self._limits.max_items:
            raise Problem(413, f"one request may have {self._limits.max_items:,} items at most")
        return [self._item(number, fields) for number, fields in given]

    def _item(self, number: int, fields: Any) -> Example:
        place = Place("item", number)
        if not isinstance(fields, dict):
            place.fail('an item is an object: {"data": ..., "text": "..."}')
        for name in fields:
            if name not in _FIELDS:
                place.fail(f"an item cannot have a field of this name; known: {', '.join(_FIELDS)}")
        if not isinstance(fields.get("text"), str):
            place.fail("text is needed, as a string")
        references = fields.get("references", [])
        if not isinstance(references, str | list):
            place.fail("references are a string or a list of strings")
        example = make_example(fields, number, place)
        if example.input.size > self._limits.max_facts:
            raise Problem(413, f"item {number} may have {self._limits.max_facts:,} facts at most")
        return self._choice.of(example)


def _scored(pipeline: Detector, items: Sequence[Example], make_metrics: MakeMetrics, keep: Any) -> Any:
    scorer = scorer_of(lambda: pipeline, make_metrics, keep, len(items), pipeline)
    return scorer.scored([(example, [example.text or ""]) for example in items], [""])


def _reply(
    asked: Asked, signature: str, records: Sequence[Mapping[str, Any]], counts: dict[str, int]
) -> Reply:
    if asked.lines:
        body = "".join(to_json(record) + "\n" for record in records)
    else:
        body = to_json({"signature": signature, "items": records})
    ascii_only = signature.encode("ascii", "backslashreplace").decode()
    return Reply(body.encode(), {SIGNATURE: ascii_only}, counts)


def _mentions(example: Example, verdict: Verdict) -> dict[str, Any]:
    record = detection_record(example, verdict.detection)
    return {name: record[name] for name in ("entities", "undetected", "mentions")}


def _object(body: bytes) -> dict[str, Any]:
    value = _json(body)
    if not isinstance(value, dict):
        raise Problem(422, "the body must be an object")
    return value


def _list(fields: Mapping[str, Any], name: str) -> list[Any]:
    if list(fields) != [name] or not isinstance(fields[name], list):
        raise Problem(422, f'the body must be an object with "{name}", a list, and nothing else')
    return list(fields[name])


def _lines(body: bytes) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(body.split(b"\n"), 1):
        if line.strip():
            try:
                yield number, _json(line)
            except Problem as problem:
                raise Problem(problem.status, f"line {number}: {problem.detail}") from None


def _json(body: bytes) -> Any:
    try:
        return load_json(body.decode("utf-8"))
    except UnicodeDecodeError:
        raise Problem(400, "the body is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise Problem(400, f"the body is not JSON: line {error.lineno}, column {error.colno}") from None
    except ValueError as error:
        raise Problem(400, f"the body is not JSON: {type(error).__name__}") from None


def _written(folder: Path, number: int, name: str, content: str) -> Path:
    """Write a client's file under a safe name that still shows its format and system."""
    kept = "".join(char if char.isalnum() or char in "-_." else "_" for char in name[-80:]).lstrip(".")
    path = folder / str(number) / (kept or "file")
    path.parent.mkdir()
    path.write_text(content, "utf-8", newline="")
    return path


def _linked(linker: EntityLinker, limits: Limits, asked: Asked, _: Tell) -> Reply:
    try:
        question = read_question(asked.body, limits.max_spans)
        return Reply(json.dumps(answer(linker, question)).encode("ascii"))
    except BadQuestion as problem:
        raise Problem(400, str(problem)) from None
    except NoAnswer as problem:
        raise Problem(502, str(problem)) from None


def _broken(what: str, error: Exception) -> Reply:
    """Answer that something broke, with type and place of the error; its message could hold the text."""
    where = place_of(error)
    name = "the linker" if what == "rel" else f"/v1/{what}"
    problem = Problem(500, f"{name} failed")
    line = f"{name} failed: {type(error).__name__}{where}"
    return Reply(problem.body, status=problem.status, line=line)
