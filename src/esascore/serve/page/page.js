// The page: data and text in, the coloured text out while somebody types; files in, a table and a report out.
"use strict";

esascore.page = (() => {
  const { h, name, number, scroller } = esascore.dom;
  const WAIT = 250; // milliseconds after the last key
  const at = (id) => document.getElementById(id);
  let turn = 0;
  let timer = null;
  let running = null;

  // --- asking the server

  function headers() {
    const token = at("token").value;
    return { "Content-Type": "application/json", ...(token ? { Authorization: "Bearer " + token } : {}) };
  }

  async function refused(response) {
    if (response.status === 401) at("token-field").hidden = false;
    const problem = await response.json().catch(() => ({ detail: "the server answered " + response.status }));
    return new Error(problem.detail || problem.title);
  }

  async function ask(path, body, signal) {
    const response = await fetch(path, { method: body ? "POST" : "GET", headers: headers(), body: body && JSON.stringify(body), signal });
    if (!response.ok) throw await refused(response);
    return response;
  }

  // --- data and text

  function input() {
    const given = at("data").value.trim();
    if (!given) return null;
    if (!/^[\[{]/.test(given) && given.includes(" | ")) return { triples: given.split("\n").filter((line) => line.trim()) };
    try {
      return { data: JSON.parse(given) };
    } catch (error) {
      throw new Error("The data are not JSON: " + error.message);
    }
  }

  // What the card of the report takes, from what the API gives.
  function found(item) {
    const places = new Map(item.entities.map((entity, place) => [entity, place]));
    return {
      mentions: item.mentions.map((m) => [places.get(m.entity) ?? -1, m.start, m.end, m.method, m.distance, null, []]),
      flags: item.flags.map((f) => [f.start, f.end, f.class, f.type, f.entity, f.nearest, f.confidence, f.expected, f.reason, f.fact]),
      missing: item.undetected.map((entity) => [places.get(entity)]),
    };
  }

  function list(title, rows) {
    return rows.length ? h("div", { class: "missing" }, h("h3", {}, title), h("ul", {}, rows)) : null;
  }

  function show(item, signature) {
    const drawn = found(item);
    const flags = item.flags.map((f) =>
      h("li", {}, h("q", {}, name(f.text)), " – ", name(f.class), ": ", name(f.reason), f.expected === null || f.reason.includes(f.expected) ? "" : [". The data have ", h("b", {}, name(f.expected))], f.attribute ? [" (", name(f.attribute), ")"] : ""),
    );
    const missing = item.missing.map((m) => h("li", {}, name(m.attribute), ": ", h("b", {}, name(m.value))));
    at("result").replaceChildren(
      h(
        "article",
        { class: "card" },
        h("p", { class: "verdict" }, h("span", {}, "coverage ", h("b", {}, number(item.coverage, 2))), h("span", {}, "support ", h("b", {}, number(item.support, 2)))),
        item.text.trim() ? esascore.card.spanned(item.text, drawn, item.entities) : h("p", { class: "text blank" }, "(blank)"),
        esascore.card.legend(drawn, item.entities),
        list("Not in the data", flags) || "",
        list("Not said", missing) || "",
        h("p", { class: "signature" }, signature),
      ),
    );
    const told = [plural(item.flags.length, "flag"), plural(item.missing.length, "value") + " not said"].join(", ");
    at("status").replaceChildren(h("span", { class: item.ok ? "ok" : "bad" }, item.ok ? "OK" : "Not OK"), ": " + told);
  }

  function plural(many, what) {
    return many + " " + what + (many === 1 ? "" : "s");
  }

  async function check() {
    const mine = ++turn;
    if (running) running.abort();
    running = new AbortController();
    try {
      const given = input();
      if (!given) {
        at("result").replaceChildren();
        at("status").replaceChildren("Give data and a text, or choose an example.");
        return;
      }
      remember();
      const path = "/v1/check?mentions=true&profile=" + encodeURIComponent(at("profile").value || "default");
      const answer = await (await ask(path, { items: [{ ...given, text: at("text").value }] }, running.signal)).json();
      if (mine === turn) show(answer.items[0], answer.signature);
    } catch (error) {
      if (mine !== turn || error.name === "AbortError") return;
      at("result").replaceChildren();
      at("status").replaceChildren(h("span", { class: "bad" }, error.message));
    }
  }

  function soon() {
    clearTimeout(timer);
    timer = setTimeout(check, WAIT);
  }

  // --- the address: everything after # stays in the browser

  function remember() {
    const state = new URLSearchParams({ data: at("data").value, text: at("text").value, profile: at("profile").value });
    history.replaceState(null, "", "#" + state);
  }

  function recall() {
    const state = new URLSearchParams(location.hash.slice(1));
    if (!state.has("data")) return false;
    at("data").value = state.get("data");
    at("text").value = state.get("text") || "";
    if ([...at("profile").options].some((one) => one.value === state.get("profile"))) at("profile").value = state.get("profile");
    return true;
  }

  // --- files

  function chosen() {
    const [corpus] = at("corpus").files;
    return { corpus, outputs: [...at("outputs").files] };
  }

  function dropped(files) {
    const listed = [...files];
    const corpus = listed.find((file) => /\.(jsonl|json|xml|csv|tsv)$/i.test(file.name)) || listed[0];
    return { corpus, outputs: listed.filter((file) => file !== corpus) };
  }

  async function contents(file) {
    return { name: file.name, content: await file.text() };
  }

  async function score({ corpus, outputs }) {
    const told = (...what) => at("files-status").replaceChildren(...what);
    at("files-result").replaceChildren();
    if (!corpus || !outputs.length) return told("Give a corpus and at least one output.");
    told("Scoring " + [corpus, ...outputs].map((file) => file.name).join(", "));
    at("progress").value = 0;
    at("progress-line").hidden = false;
    try {
      const body = { corpus: await contents(corpus), outputs: await Promise.all(outputs.map(contents)) };
      const response = await ask("/v1/report?profile=" + encodeURIComponent(at("profile").value), body);
      for await (const line of lines(response.body)) {
        if (line.problem) throw new Error(line.problem.detail);
        if (line.result) table(line.result);
        else {
          at("progress").value = line.done / line.all;
          told(line.done + " of " + line.all + " texts");
        }
      }
    } catch (error) {
      told(h("span", { class: "bad" }, error.message));
    }
    at("progress-line").hidden = true;
  }

  async function* lines(stream) {
    const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      const parts = (rest + (value || "")).split("\n");
      rest = parts.pop();
      for (const part of parts) yield JSON.parse(part);
      if (done) return;
    }
  }

  function table(result) {
    const head = h("tr", {}, h("th", { scope: "col" }, "System"), result.columns.map(([, header]) => h("th", { scope: "col" }, header)));
    const rows = result.systems.map((system) =>
      h("tr", {}, h("th", { scope: "row" }, name(system.system)), result.columns.map(([field, , kind]) => h("td", {}, number(system[field], kind === "count" ? 0 : 4)))),
    );
    const page = URL.createObjectURL(new Blob([result.html], { type: "text/html" }));
    at("files-status").replaceChildren("Done.");
    at("files-result").replaceChildren(
      scroller("Scores", h("table", {}, h("thead", {}, head), h("tbody", {}, rows))),
      h("p", {}, h("a", { class: "download", href: page, download: "report.html" }, "Download the report")),
      h("p", { class: "signature" }, result.signature),
    );
  }

  function listen() {
    for (const id of ["data", "text", "token"]) at(id).addEventListener("input", soon);
    at("profile").addEventListener("change", check);
    window.addEventListener("hashchange", () => recall() && check());
    at("score").addEventListener("click", () => score(chosen()));
    const zone = at("drop");
    for (const kind of ["dragenter", "dragover"]) zone.addEventListener(kind, (event) => (event.preventDefault(), zone.classList.add("over")));
    for (const kind of ["dragleave", "drop"]) zone.addEventListener(kind, () => zone.classList.remove("over"));
    zone.addEventListener("drop", (event) => (event.preventDefault(), score(dropped(event.dataTransfer.files))));
  }

  function example({ data, text }) {
    at("data").value = typeof data === "string" ? data : JSON.stringify(data, null, 2);
    at("text").value = text;
    check();
  }

  async function start() {
    esascore.card.listen();
    listen();
    const examples = await (await fetch("/page/examples.json")).json();
    at("examples").replaceChildren(...examples.map((one) => h("button", { type: "button", click: () => example(one) }, one.name)));
    const rulers = await ask("/v1/rulers").then((response) => response.json()).catch(() => ({ rulers: [{ profile: "default" }] }));
    at("profile").replaceChildren(...rulers.rulers.map((one) => h("option", { value: one.profile }, one.profile)));
    recall();
    check();
  }

  start();
  return { check };
})();
