// One text: its spans, what is missing, the input as triples and as a drawing, the references.
"use strict";

esascore.card = (() => {
  const { h, svg, name, term, nodes, scroller, number } = esascore.dom;
  const COLOURS = 8;
  const ANAPHORA = ["pronoun", "description"];
  const tips = new WeakMap();

  const colour = (entity) => "e" + (entity % COLOURS);

  function termsOf(detail, index, place) {
    return index.entities[place].map((entity) => index.names[entity]);
  }

  // The attribute of each entity that is a value of data.
  function attributesOf(index, place) {
    return index.entities[place].map((entity) => index.attributes[entity]);
  }

  const attribute = (path) => (path ? h("span", { class: "attribute" }, " (", name(path), ")") : null);

  // --- spans

  function spanned(text, found, terms, attributes = []) {
    const characters = Array.from(text);
    const records = [
      ...found.mentions.map((m) => ({ start: m[1], end: m[2], mention: m })),
      ...found.flags.map((f) => ({ start: f[0], end: f[1], flag: f })),
      ...(found.marks || []).map(([start, end]) => ({ start, end })),
    ].filter((record) => record.start < record.end);
    const borders = new Set([0, characters.length]);
    for (const record of records) borders.add(record.start).add(record.end);
    const cuts = [...borders].sort((a, b) => a - b);
    const pieces = [];
    for (let i = 0; i + 1 < cuts.length; i++) {
      const piece = characters.slice(cuts[i], cuts[i + 1]).join("");
      const over = records.filter((record) => record.start <= cuts[i] && cuts[i + 1] <= record.end);
      const told = over.filter((record) => record.mention || record.flag);
      const shown = over.length > told.length ? [h("span", { class: "mark" }, nodes(piece, true))] : nodes(piece, true);
      if (!told.length) pieces.push(...shown);
      else pieces.push(mark(shown, told, terms, attributes, cuts[i + 1]));
    }
    return h("p", { class: "text", dir: "auto" }, pieces);
  }

  function mark(shown, over, terms, attributes, end) {
    const mention = over.find((record) => record.mention);
    const flag = over.find((record) => record.flag);
    const classes = ["span"];
    if (mention) classes.push(colour(Math.max(mention.mention[0], 0)));
    if (mention && ANAPHORA.includes(mention.mention[3])) classes.push("anaphor");
    if (flag) classes.push("flag");
    const ends = [];
    if (mention && mention.end === end) {
      ends.push(h("span", { class: "number", "aria-hidden": "true" }, String(mention.mention[0] + 1)));
    }
    if (flag && flag.end === end) ends.push(h("span", { class: "number", "aria-hidden": "true" }, "!"));
    const element = h("mark", { class: classes.join(" "), tabindex: "0" }, shown, ends);
    tips.set(
      element,
      over.map((record) => (record.mention ? aboutMention(record.mention, terms, attributes) : aboutFlag(record.flag))),
    );
    return element;
  }

  function aboutMention([entity, , , method, distance, variant, also], terms, attributes) {
    const lines = [[h("strong", {}, name(terms[entity] || "?")), attribute(attributes[entity])]];
    lines.push("found by: " + method);
    if (distance !== null) lines.push("distance: " + number(distance));
    if (variant !== null) lines.push(["matched: ", name(variant)]);
    for (const other of also) lines.push(["also names: ", name(terms[other])]);
    return lines;
  }

  // A flag as esascore hallucinations writes it.
  function flagRecord([start, end, kind, type, entity, nearest, confidence, expected, reason, fact], characters) {
    const record = { start, end, text: characters.slice(start, end).join(""), type, class: kind, entity, nearest, confidence, expected, reason };
    return fact === undefined ? record : { ...record, fact };
  }

  function aboutFlag([, , kind, type, entity, nearest, confidence, expected, reason, fact]) {
    const lines = [h("strong", {}, fact === undefined ? "not in the input" : "contradicts the input"), ["class: ", name(kind)]];
    if (reason) lines.push(name(reason));
    if (expected !== null) lines.push(["the input has: ", name(expected)]);
    if (type) lines.push(["type: ", name(type)]);
    if (entity !== null) lines.push(["linked to: ", name(entity)]);
    if (nearest !== null) lines.push(["nearest in the input: ", name(nearest)]);
    if (confidence !== null) lines.push("confidence: " + number(confidence, 2));
    return lines;
  }

  // --- the tip that follows pointer and focus

  function listen() {
    const tip = document.getElementById("tip");
    let shown = null;
    const hide = () => {
      if (shown) shown.removeAttribute("aria-describedby");
      shown = null;
      tip.hidden = true;
    };
    const show = (event) => {
      const element = event.target.closest && event.target.closest("mark.span");
      if (!element) return;
      if (shown) hide();
      shown = element;
      element.setAttribute("aria-describedby", "tip");
      const lines = tips.get(element).map((record) => h("div", {}, record.map((line) => h("div", {}, line))));
      tip.replaceChildren(...lines);
      tip.hidden = false;
      const box = element.getClientRects()[0] || element.getBoundingClientRect();
      const left = Math.min(box.left, document.documentElement.clientWidth - tip.offsetWidth - 8);
      const below = box.bottom + 6 + tip.offsetHeight < window.innerHeight;
      tip.style.left = Math.max(8, left) + "px";
      tip.style.top = (below ? box.bottom + 6 : Math.max(8, box.top - tip.offsetHeight - 6)) + "px";
    };
    document.addEventListener("pointerover", show);
    document.addEventListener("focusin", show);
    document.addEventListener("pointerout", (event) => {
      if (event.target === shown && document.activeElement !== shown) hide();
    });
    document.addEventListener("focusout", hide);
    document.addEventListener("scroll", hide, { passive: true });
    document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  }

  // --- entities

  function legend(found, terms, attributes = []) {
    const missing = new Set(found.missing.map((record) => record[0]));
    const unsaid = new Set(found.unsaid);
    const kind = (entity) => (missing.has(entity) ? "lost" : unsaid.has(entity) ? "unsaid" : "");
    const told = { lost: h("span", { class: "hidden" }, " (not found)"), unsaid: h("span", { class: "attribute" }, ", optional, not said"), "": null };
    return h(
      "ul",
      { class: "legend", "aria-label": "Entities of the input" },
      terms.map((one, entity) =>
        h(
          "li",
          { class: kind(entity) },
          h("span", { class: "swatch " + (kind(entity) ? "" : colour(entity)) }, String(entity + 1)),
          h("span", {}, term(one), attribute(attributes[entity]), told[kind(entity)] && told[kind(entity)].cloneNode(true)),
        ),
      ),
    );
  }

  function flagList(found, characters, about) {
    if (!found.flags.length) return null;
    const rows = found.flags.map((flag) => {
      const { start, end, text, class: kind, type, expected, reason } = flagRecord(flag, characters);
      const said = [kind, type].filter(Boolean).join(", ") + (reason ? ": " + reason : "");
      const judged = { ...about, start, end, text, class: kind, type };
      return h("li", {}, h("q", {}, name(text)), " – ", name(said), expected === null ? "" : [". The input has ", h("b", {}, name(expected))], " ", esascore.verdicts.buttons(judged, "The flag " + text));
    });
    return h("div", { class: "missing" }, h("h4", {}, "Not in the input"), h("ul", {}, rows));
  }

  function missingList(found, terms, attributes, characters, about) {
    if (!found.missing.length) return null;
    const rows = found.missing.map(([entity, start, end, distance, variant, taken]) => {
      const verdict = [" ", esascore.verdicts.buttons({ ...about, entity: terms[entity] }, "Missing " + terms[entity])];
      const lost = [h("b", {}, name(terms[entity])), attribute(attributes[entity])];
      if (start === undefined) return h("li", {}, lost, " – nothing like it in the text", verdict);
      return h(
        "li",
        {},
        lost,
        " – nearest: ",
        h("q", {}, name(characters.slice(start, end).join(""))),
        " at distance " + number(distance, 2),
        variant === terms[entity] ? "" : [" from ", name(variant)],
        taken >= 0 ? [", which stands for ", name(terms[taken])] : "",
        verdict,
      );
    });
    return h("div", { class: "missing" }, h("h4", {}, "Not found"), h("ul", {}, rows));
  }

  // --- the input

  function inputOf(detail, terms, missing) {
    if (detail.triples) {
      const rows = detail.triples.map((triple) =>
        h("tr", {}, triple.map((part, i) => h("td", { class: i === 1 ? "predicate" : "" }, i === 1 ? name(part) : term(part)))),
      );
      const head = h("tr", {}, ["Subject", "Predicate", "Object"].map((one) => h("th", { scope: "col" }, one)));
      const table = h("table", { class: "plain" }, h("thead", {}, head), h("tbody", {}, rows));
      return [scroller("Triples", table), graph(detail, terms, missing)];
    }
    const rows = detail.cells.map(([attribute, value]) =>
      h("tr", {}, h("th", { scope: "row" }, name(attribute)), h("td", {}, term(value))),
    );
    return [
      detail.titles.length ? h("p", {}, name(detail.titles.join(" – "))) : null,
      scroller("Cells", h("table", { class: "plain" }, h("tbody", {}, rows))),
    ];
  }

  function short(text, most) {
    const characters = Array.from(text);
    return characters.length > most ? characters.slice(0, most - 1).join("") + "…" : text;
  }

  // Columns by distance from the root, rows in input order; arrows with the predicates between them.
  function graph(detail, terms, missing) {
    const numbers = new Map(terms.map((one, i) => [one, i]));
    const depth = new Map();
    const visit = (from) => {
      const queue = [from];
      depth.set(from, depth.get(from) || 0);
      for (let i = 0; i < queue.length; i++) {
        for (const [subject, , object] of detail.triples) {
          if (subject === queue[i] && !depth.has(object)) {
            depth.set(object, depth.get(subject) + 1);
            queue.push(object);
          }
        }
      }
    };
    if (detail.root !== null) visit(detail.root);
    for (const one of terms) if (!depth.has(one)) visit(one);
    const rows = [];
    const at = new Map();
    for (const one of terms) {
      const column = depth.get(one);
      rows[column] = (rows[column] || 0) + 1;
      at.set(one, [column, rows[column] - 1]);
    }
    const [width, height, stepX, stepY] = [170, 30, 300, 52];
    const most = Math.max(...rows.map((n) => n || 0), 1);
    const x = (one) => 6 + at.get(one)[0] * stepX;
    const y = (one) => 6 + (at.get(one)[1] + (most - rows[at.get(one)[0]]) / 2) * stepY;
    const columnOf = (one) => at.get(one)[0];
    const isBack = ([subject, , object]) => columnOf(object) < columnOf(subject);
    const dip = detail.triples.some(isBack) ? 44 : 0; // arrows back run below the boxes between
    const size = [rows.length * stepX - (stepX - width) + 80, most * stepY - (stepY - height) + 12 + dip];
    const arrows = [];
    const labels = [];
    const placed = [];
    for (const triple of detail.triples) {
      const [subject, predicate, object] = triple;
      if (subject === object) continue;
      const back = isBack(triple);
      const same = columnOf(object) === columnOf(subject);
      const from = [x(subject) + (back ? 0 : width), y(subject) + height / 2];
      const to = [x(object) + (back || same ? width : 0), y(object) + height / 2];
      const bend = same ? 60 : back ? -60 : (to[0] - from[0]) / 2;
      const low = back ? Math.max(from[1], to[1]) + dip + 14 : 0;
      const curve = same ? [from[0] + bend, from[1], to[0] + bend, to[1]] : back ? [from[0] + bend, low, to[0] - bend, low] : [from[0] + bend, from[1], to[0] - bend, to[1]];
      arrows.push(svg("path", { class: "arrow", d: `M${from} C${curve[0]},${curve[1]} ${curve[2]},${curve[3]} ${to}` }));
      const side = back || same ? 7 : -7;
      arrows.push(svg("path", { class: "head", d: `M${to} l${side},-4 v8 z` }));
      const middle = [(from[0] + to[0]) / 2 + (same ? 40 : 0), back ? (from[1] + to[1]) / 8 + (3 * low) / 4 - 4 : (from[1] + to[1]) / 2 - 4];
      while (placed.some((other) => Math.abs(other[0] - middle[0]) < 90 && Math.abs(other[1] - middle[1]) < 12)) middle[1] += 12;
      placed.push(middle);
      labels.push(svg("text", { class: "edge", x: middle[0], y: middle[1], "text-anchor": "middle" }, short(predicate, 22), svg("title", {}, predicate)));
    }
    const boxes = terms.map((one) => {
      const entity = numbers.get(one);
      const kind = missing.has(entity) ? "node lost" : "node " + colour(entity);
      return svg(
        "g",
        {},
        svg("rect", { class: kind, x: x(one), y: y(one), width, height, rx: 6 }),
        svg("text", { class: "label", x: x(one) + width / 2, y: y(one) + 20, "text-anchor": "middle" }, short(one, 24)),
        svg("title", {}, one + (missing.has(entity) ? " (not found)" : "")),
      );
    });
    const drawing = svg(
      "svg",
      { class: "graph", viewBox: `0 0 ${size[0]} ${size[1]}`, width: size[0], height: size[1], role: "img", "aria-label": "The input as a graph" },
      arrows,
      labels,
      boxes,
    );
    return scroller("The input as a graph", drawing);
  }

  function folded(summary, content) {
    const details = h("details", {}, h("summary", {}, summary));
    details.addEventListener("toggle", () => details.open && details.childElementCount === 1 && details.append(...content().flat().filter(Boolean)));
    return details;
  }

  function inputFold(detail, terms, missing) {
    return folded("Input", () => inputOf(detail, terms, missing));
  }

  function referencesFold(detail) {
    if (!detail.references.length) return null;
    return folded("References (" + detail.references.length + ")", () => [
      h("ul", { class: "references" }, detail.references.map((one) => h("li", { dir: "auto" }, nodes(one, true)))),
    ]);
  }

  function tableOf(label, heads, rows) {
    const head = h("tr", {}, heads.map((one) => h("th", { scope: "col" }, one)));
    const body = rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, cell))));
    return scroller(label, h("table", { class: "plain" }, h("thead", {}, head), h("tbody", {}, body)));
  }

  // What a model says of each fact of the input; of those it was not trained for it only guesses.
  function factsFold(found) {
    if (!found.facts.length) return null;
    const joined = (triple) => name(triple.join(" | "));
    const rows = found.facts.map(([fact, ruling, probability, known, instead]) => [joined(fact), ruling + (known ? "" : " (a guess)"), number(probability, 2), instead === null ? "" : joined(instead)]);
    return folded("Facts (" + rows.length + ")", () => [tableOf("Facts", ["Fact", "Verdict", "Probability", "Stated instead"], rows)]);
  }

  function questionsFold(found) {
    if (!found.asked.length) return null;
    const rows = found.asked.map(([about, question, expected, answer, score]) => ["the " + about, name(question), name(expected), name(answer ?? "–"), number(score, 2)]);
    return folded("Questions (" + rows.length + ")", () => [tableOf("Questions", ["About", "Question", "Expected", "Answer", "Score"], rows)]);
  }

  // A whole card. `parts` chooses: {head: true} for id and category, {input: true} for input and references.
  function card(state, shown, system, parts) {
    const { overview, index } = state;
    const { place, detail } = shown;
    const found = detail.systems[system];
    const text = shown.texts[system];
    const characters = Array.from(text);
    const about = { system: overview.systems[system].name, id: index.ids[place] };
    const terms = termsOf(detail, index, place);
    const attributes = attributesOf(index, place);
    const missing = new Set(found.missing.map((record) => record[0]));
    const category = index.category[place];
    const scores = overview.metrics.map((metric, i) => h("span", { class: "score" }, metric + " ", h("b", {}, number(found.scores[i], found.scores[i] > 1 ? 1 : 2))));
    return h(
      "article",
      { class: "card" },
      h(
        "header",
        {},
        h("h3", {}, name(overview.systems[system].name)),
        parts.head ? h("span", { class: "id" }, name(index.ids[place])) : null,
        parts.head && category >= 0 ? h("span", { class: "tag" }, name(index.categories[category])) : null,
        h("a", { class: "permalink", href: esascore.address.of("texts", { system: overview.systems[system].name, id: index.ids[place] }), "aria-label": "Link to the text of " + overview.systems[system].name + " for " + index.ids[place] }, "#"),
        h("span", { class: "scores" }, scores),
      ),
      text.trim() ? spanned(text, found, terms, attributes) : h("p", { class: "text blank" }, "(blank)"),
      legend(found, terms, attributes),
      missingList(found, terms, attributes, characters, about),
      flagList(found, characters, about),
      h("div", { class: "folds" }, parts.input ? [inputFold(detail, terms, missing), referencesFold(detail)] : null, factsFold(found), questionsFold(found)),
    );
  }

  return { card, listen, termsOf, attributesOf, flagRecord, inputFold, referencesFold, spanned, legend };
})();
