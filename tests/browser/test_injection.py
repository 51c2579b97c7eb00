"""Whatever stands in a field, nothing of it runs, loads or hides."""

from __future__ import annotations

import json

import pytest

from esascore.cli import main

RUN = "window.ran=1"
PAYLOADS = {
    "script": f"<script>{RUN}</script>",
    "end": f"</script><script>{RUN}</script><!-- ]]> -->",
    "handler": f'"><img src=x onerror="{RUN}"><svg onload={RUN}>',
    "address": f"javascript:{RUN}",
    "literal": f"\\u003c\u2028'+({RUN})+'${{{RUN}}}`",
    "bidi": "abc\u202etxt.exe\u2066x\u2069",
    "ansi": "\x1b[31mred\x1b]0;t\x07",
    "prototype": "__proto__",
    "link": "http://example.org/?a=<b>&c=\"d\"'e'",
    "data": f"data:text/html,<script>{RUN}</script>",
}


@pytest.fixture(params=["folder", "file"])
def report(request, browser, tmp_path):
    """A report with a payload in each field; two systems, so that they can be compared."""
    records, lines, flags = [], [], []
    system = f"<img src=x onerror={RUN}>"  # comes from the name of the file
    for kind, payload in PAYLOADS.items():
        records.append(
            {
                "id": f"{kind} {payload}",
                "category": payload,
                "triples": [[payload, payload, f"{payload}2"], ["Oslo", payload, payload]],
                "references": [payload],
            }
        )
        text = f"{payload} is near {payload}2."
        lines.append(text)
        fields = ("class", "type", "entity", "nearest")
        span = {"start": 0, "end": 3, **dict.fromkeys(fields, payload)}
        flags.append({"system": system, "id": f"{kind} {payload}", "hallucinations": [span]})
    paths = {name: tmp_path / name for name in ("corpus.jsonl", f"{system}.txt", "other.txt", "flags.jsonl")}
    paths["corpus.jsonl"].write_text("".join(f"{json.dumps(one)}\n" for one in records), "utf-8")
    paths[f"{system}.txt"].write_bytes("".join(f"{one}\n" for one in lines).encode())
    paths["other.txt"].write_bytes(b"Oslo.\n" * len(lines))
    paths["flags.jsonl"].write_text("".join(f"{json.dumps(one)}\n" for one in flags), "utf-8")
    target = tmp_path / ("report" if request.param == "folder" else "report.html")
    arguments = ["report", paths["corpus.jsonl"], paths[f"{system}.txt"], f"__proto__={paths['other.txt']}"]
    arguments += [
        "-o",
        target,
        "--title",
        f"</title>{PAYLOADS['end']}",
        "--hallucinations",
        paths["flags.jsonl"],
        "-q",
    ]
    assert main([str(argument) for argument in arguments]) == 0
    return target / "index.html" if request.param == "folder" else target


def everything(watched, view):
    """Open all that can be opened, and point at every span."""
    if view == "compare":
        watched.page.select_option("#c-rule", "all")
    watched.unfold()
    return watched.page.eval_on_selector_all(
        "mark.span",
        "all => all.map(one => { one.focus(); return document.getElementById('tip').innerText; })",
    )


@pytest.mark.parametrize("view", ["overview", "texts", "compare"])
def test_nothing_runs_and_nothing_is_loaded_from_elsewhere(watch, report, view):
    watched = watch()
    page = watched.show(report, view)
    tips = everything(watched, view)
    assert tips
    assert all(tips)
    page.wait_for_timeout(100)
    assert page.evaluate("window.ran") is None
    assert page.evaluate("Object.prototype.ran === undefined && ({}).name === undefined")
    assert (
        page.locator("img, iframe, object, embed, base, form[action], main script, main style").count() == 0
    )
    attributes = "[...document.querySelectorAll('*')].flatMap(e => [...e.attributes])"
    handlers = attributes + ".filter(a => /^on|^style$/.test(a.name))"
    # The place of the tip is set through the style object, which makes an attribute of it.
    assert page.evaluate(f"{handlers}.filter(a => a.ownerElement.id !== 'tip').length") == 0
    addresses = page.eval_on_selector_all("a[href]", "links => links.map(a => a.getAttribute('href'))")
    assert all(address.startswith(("#", "http://example.org/")) for address in addresses)
    folder = report.parent.as_uri()
    assert all(request.startswith((folder, "about:")) for request in watched.requests)


def test_every_payload_is_shown_as_it_is(watch, report):
    page = watch().show(report, "texts")
    shown = [card.inner_text() for card in page.locator(".card .text").all()]
    assert any("<script>window.ran=1</script>" in text for text in shown)
    assert any('"><img src=x onerror="window.ran=1">' in text for text in shown)
    assert any("U+202E" in text and "\u202e" not in text for text in shown)
    assert any("U+001B" in text and "\x1b" not in text for text in shown)
    assert any("__proto__" in text for text in shown)
    title = page.title()
    assert title.startswith("</title></script><script>")
    options = page.locator("#f-category option").all_inner_texts()
    assert len(options) == 1 + len(PAYLOADS)
    links = page.locator(".legend a").all()
    assert {link.get_attribute("rel") for link in links} == {"noopener noreferrer nofollow"}


def test_a_script_that_got_in_would_not_run(watch, report):
    """The second line of defence: even markup in the page is held by the policy."""
    watched = watch()
    page = watched.show(report)
    tried = page.evaluate(
        """() => {
            const results = [];
            try { document.body.innerHTML += '<img src=x onerror="window.ran=1">'; results.push("parsed"); }
            catch (error) { results.push(error.name); }
            const script = document.createElement("script");
            try { script.textContent = "window.ran=1"; document.body.append(script); }
            catch (error) { results.push(error.name); }
            const button = document.createElement("button");
            document.body.append(button);
            try { button.setAttribute("onclick", "window.ran=1"); button.click(); }
            catch (error) { results.push(error.name); }
            return results;
        }"""
    )
    page.wait_for_timeout(100)
    assert page.evaluate("window.ran") is None
    assert "parsed" not in tried
    assert any(
        "Content Security Policy" in complaint or "Trusted" in complaint for complaint in watched.complaints
    )
    watched.complaints.clear()
