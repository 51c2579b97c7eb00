"""Events of OpenTelemetry, as an exporter of its own SDK gets them."""

from __future__ import annotations

import pytest

from adapters import HOTEL, RIGHT, WRONG, require
from esascore import Guard

pytestmark = pytest.mark.filterwarnings("ignore")  # those of the package


@pytest.fixture
def exported(monkeypatch):
    """What is exported."""
    require("opentelemetry")
    logs = pytest.importorskip(
        "opentelemetry.sdk._logs", reason="needs opentelemetry-sdk: make test-adapters"
    )
    from opentelemetry import _logs
    from opentelemetry.sdk._logs import export

    exporter = export.InMemoryLogRecordExporter()
    provider = logs.LoggerProvider()
    provider.add_log_record_processor(export.SimpleLogRecordProcessor(exporter))
    # The provider of a process can be set once only.
    monkeypatch.setattr(_logs._internal, "_LOGGER_PROVIDER", provider)
    return lambda: [one.log_record for one in exporter.get_finished_logs()]


def scores(records):
    return {
        one.attributes["gen_ai.evaluation.name"]: {
            name.removeprefix("gen_ai.evaluation."): value for name, value in one.attributes.items()
        }
        for one in records
    }


def test_a_verdict_is_two_events(exported):
    Guard(telemetry=True).check(HOTEL, WRONG)
    records = exported()
    assert [one.event_name for one in records] == ["gen_ai.evaluation.result"] * 2
    assert scores(records) == {
        "esascore.coverage": {
            "name": "esascore.coverage",
            "score.value": pytest.approx(2 / 3),
            "score.label": "pass",
            "explanation": "1 missing",
        },
        "esascore.support": {
            "name": "esascore.support",
            "score.value": pytest.approx(0.8),
            "score.label": "fail",
            "explanation": "1 replacement",
        },
    }


def test_the_names_are_those_of_the_conventions(exported):
    from opentelemetry.semconv._incubating.attributes import gen_ai_attributes as names

    Guard(telemetry=True).check(HOTEL, RIGHT)
    assert set(exported()[0].attributes) == {
        names.GEN_AI_EVALUATION_NAME,
        names.GEN_AI_EVALUATION_SCORE_VALUE,
        names.GEN_AI_EVALUATION_SCORE_LABEL,
        names.GEN_AI_EVALUATION_EXPLANATION,
    }


def test_no_word_of_text_or_data_is_sent_unless_asked(exported):
    Guard(telemetry=True).check(HOTEL, WRONG)
    sent = " ".join(str(one.attributes) + str(one.body) for one in exported())
    assert not any(word in sent for word in ("Casa", "Rio", "Porto", "32", "27", "rooms"))
    Guard(telemetry="text").check(HOTEL, WRONG)
    told = scores(exported()[2:])
    assert told["esascore.support"]["explanation"] == "32: replacement, the input says rooms = 27"
    assert told["esascore.coverage"]["explanation"] == "27: not said (rooms)"


def test_what_has_no_score_has_none(exported):
    Guard(telemetry=True).check({}, "A text.")
    assert "score.value" not in scores(exported())["esascore.coverage"]


def test_thresholds_make_the_label(exported):
    Guard(telemetry=True, min_coverage=0.9, min_confidence=0.99).check(HOTEL, WRONG)
    told = scores(exported())
    assert [told[f"esascore.{name}"]["score.label"] for name in ("coverage", "support")] == ["fail", "pass"]


def test_a_stream_sends_its_last_verdict_only(exported):
    stream = Guard(telemetry=True).prepare(HOTEL).stream()
    stream.feed(f"{WRONG} It is nice. Very ni")
    assert exported() == []
    stream.close()
    assert len(exported()) == 2


def test_nothing_is_sent_unless_the_guard_is_told_so(exported):
    Guard().check(HOTEL, WRONG)
    assert exported() == []


def test_events_belong_to_the_current_span(exported):
    from opentelemetry.sdk.trace import TracerProvider

    with TracerProvider().get_tracer("test").start_as_current_span("chat") as span:
        Guard(telemetry=True).check(HOTEL, RIGHT)
    assert {one.span_id for one in exported()} == {span.get_span_context().span_id}
