// What a reader says of flags and of missing entities: kept by the browser where it can, written as JSON lines.
"use strict";

esascore.verdicts = (() => {
  const { h } = esascore.dom;
  const kept = new Map();
  let place = null;
  let reader = "";

  const keyOf = (record) => JSON.stringify([record.system, record.id, record.start, record.end, record.class, record.entity]);

  // Texts have verdicts, not pages: a report of the same outputs, made again, finds them.
  function open(overview) {
    place = "esascore verdicts " + overview.key;
    try {
      const found = JSON.parse(localStorage.getItem(place)) || { reader: "", verdicts: [] };
      reader = String(found.reader);
      for (const record of found.verdicts) kept.set(keyOf(record), record);
    } catch {
      // Without storage, or with something else in it, verdicts last as long as the page.
    }
  }

  function keep() {
    try {
      localStorage.setItem(place, JSON.stringify({ reader, verdicts: [...kept.values()] }));
    } catch {
      // As above; the download has them.
    }
    for (const one of document.querySelectorAll(".verdictcount")) one.textContent = told();
  }

  const told = () => kept.size.toLocaleString("en") + (kept.size === 1 ? " verdict" : " verdicts");

  // Two buttons that judge a record; the pressed one takes the verdict back.
  function buttons(record, what) {
    const key = keyOf(record);
    const all = ["right", "wrong"].map((verdict) =>
      h("button", { type: "button", class: verdict, "aria-pressed": "false", "aria-label": what + ": " + verdict, click: () => judge(verdict) }, verdict),
    );
    const draw = () => all.forEach((one, i) => one.setAttribute("aria-pressed", String(kept.get(key)?.verdict === ["right", "wrong"][i])));
    function judge(verdict) {
      if (kept.get(key)?.verdict === verdict) kept.delete(key);
      else kept.set(key, { ...record, verdict });
      draw();
      keep();
    }
    draw();
    return h("span", { class: "verdict" }, all);
  }

  function lines() {
    const named = reader.trim() ? { reader: reader.trim() } : {};
    return [...kept.values()].map((record) => JSON.stringify({ ...record, ...named }) + "\n").join("");
  }

  function bar() {
    const changed = (event) => {
      reader = event.target.value;
      keep();
    };
    return h(
      "div",
      { class: "verdicts", role: "group", "aria-label": "Verdicts" },
      h("span", { class: "verdictcount", role: "status" }, told()),
      h("label", { for: "reader" }, "Reader"),
      h("input", { id: "reader", type: "text", value: reader, autocomplete: "off", placeholder: "your name", input: changed }),
      h("button", { type: "button", class: "plainbutton", click: () => esascore.download.save("verdicts.jsonl", "application/jsonl", lines()) }, "Download verdicts"),
    );
  }

  return { open, buttons, bar };
})();
