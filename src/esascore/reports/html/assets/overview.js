// The first view: systems, distributions, ranks, groups, and a few texts.
"use strict";

esascore.overview = (() => {
  const { h, svg, name, select, scroller, number, percent } = esascore.dom;
  const SIGNIFICANT = 0.05;
  const SAMPLES = 2;

  const shown = (value, kind) =>
    value === null || value === undefined ? "–" : kind === "count" ? value.toLocaleString("en") : number(value, value > 1 ? 2 : 4);

  function section(id, title, ...content) {
    return h("section", { "aria-labelledby": id }, h("h2", { id }, title), content);
  }

  // Which figures of a column are best as they are shown; none where all are equal, or where none is better.
  function bestOf(figures, column) {
    const [, , kind, better] = column;
    const known = figures.filter((figure) => figure !== null && figure !== undefined);
    if (kind === "count" || new Set(known.map((figure) => shown(figure, kind))).size < 2) return () => false;
    const best = shown(better === "lower" ? Math.min(...known) : Math.max(...known), kind);
    return (figure) => shown(figure, kind) === best;
  }

  const figureOf = (figure, kind, best) => (best(figure) ? h("b", {}, shown(figure, kind)) : shown(figure, kind));

  const direction = ([, , kind, better]) => (kind === "count" ? "" : better === "lower" ? "Lower is better." : "Higher is better.");

  function meanings(overview) {
    const rows = overview.columns.map((column) =>
      h("div", {}, h("dt", {}, name(column[1])), h("dd", {}, name(column[4] || "a figure of its metric"), ". ", h("span", { class: "better" }, direction(column)))),
    );
    return h("details", { open: !matchMedia("(max-width: 40rem)").matches }, h("summary", {}, "What the columns mean"), h("dl", { class: "meanings" }, rows), h("p", { class: "note" }, "The best figure of a column is bold."));
  }

  // --- the table of systems

  function rankOf(system, column) {
    const rank = system.rank[column];
    return rank ? [" ", h("abbr", { title: "cluster " + system.cluster[column] }, "(" + [...new Set(rank)].join("-") + ")")] : null;
  }

  function record(overview, system) {
    const fields = overview.columns.flatMap(([field], i) => [[field, system.figures[i]], ...(system.ci[i] ? [[field + "_low", system.ci[i][0]], [field + "_high", system.ci[i][1]]] : []), ...(system.p[i] === null ? [] : [[field + "_p", system.p[i]]])]);
    return { system: system.name, ...Object.fromEntries(fields) };
  }

  function systemsTable(overview) {
    const body = h("tbody", {});
    const order = overview.systems.map((_, i) => i);
    let sorted = null;
    let descending = true;
    const value = (system, column) =>
      column < 0 ? overview.systems[system].name : overview.systems[system].figures[column];
    const best = overview.columns.map((column, i) => bestOf(overview.systems.map((system) => system.figures[i]), column));
    const rows = overview.systems.map((system) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, name(system.name)),
        system.figures.map((figure, column) => {
          const [low, high] = system.ci[column] || [];
          const p = system.p[column];
          return h(
            "td",
            {},
            figureOf(figure, overview.columns[column][2], best[column]),
            p !== null && p < SIGNIFICANT ? h("abbr", { title: "p = " + number(p) }, "*") : null,
            rankOf(system, column),
            low === undefined ? null : h("small", {}, number(low) + " to " + number(high)),
          );
        }),
      ),
    );
    const heads = [-1, ...overview.columns.keys()].map((column) => {
      const button = h("button", { type: "button", title: column < 0 ? null : overview.columns[column][4], click: () => sortBy(column) }, column < 0 ? "System" : overview.columns[column][1]);
      return h("th", { scope: "col" }, button);
    });
    function sortBy(column) {
      descending = sorted === column ? !descending : column >= 0;
      sorted = column;
      const sign = descending ? -1 : 1;
      order.sort((a, b) => {
        const [x, y] = [value(a, column), value(b, column)];
        if (x === y) return a - b;
        if (x === null || x === undefined) return 1; // unknown last, whatever the direction
        if (y === null || y === undefined) return -1;
        return x < y ? -sign : sign;
      });
      heads.forEach((head, i) => head.setAttribute("aria-sort", i - 1 === column ? (descending ? "descending" : "ascending") : "none"));
      const cluster = (place) => (column < 0 ? null : overview.systems[order[place]].cluster[column]);
      order.forEach((system, place) => rows[system].classList.toggle("cluster", place > 0 && cluster(place) !== cluster(place - 1)));
      body.replaceChildren(...order.map((system) => rows[system]));
    }
    body.replaceChildren(...rows);
    const ranked = overview.systems.length ? overview.systems[0].rank.findIndex((rank) => rank !== null) : -1;
    if (ranked >= 0) sortBy(ranked);
    if (ranked >= 0 && overview.columns[ranked][3] === "lower") sortBy(ranked); // the best comes first
    return [
      scroller("Table of systems", h("table", { class: "systems" }, h("thead", {}, h("tr", {}, heads)), body)),
      overview.comparison === null ? null : h("p", { class: "note" }, name(overview.comparison)),
      h("div", { class: "row" }, meanings(overview), esascore.download.buttons("systems", () => order.map((system) => record(overview, overview.systems[system])))),
    ];
  }

  // --- undetected entities per text

  function bars(overview) {
    const names = ["all found", "1 missing", "2 missing", "3 or more missing"];
    const rows = overview.systems.map((system) => {
      const all = system.bars.reduce((a, b) => a + b, 0) || 1;
      let x = 0;
      const parts = system.bars.map((count, i) => {
        const width = (1000 * count) / all;
        const part = svg("rect", { class: "bar b" + i, x, y: 0, width, height: 20 }, svg("title", {}, names[i] + ": " + count));
        x += width;
        return part;
      });
      const label = names.map((one, i) => one + ": " + system.bars[i]).join(", ");
      return bar(system.name, label, percent(1 - system.bars[0] / all), parts);
    });
    const key = names.map((one, i) => h("li", {}, svg("svg", { class: "key", viewBox: "0 0 10 10", "aria-hidden": "true" }, svg("rect", { class: "bar b" + i, width: 10, height: 10 })), one));
    return [h("ul", { class: "keys" }, key), rows, h("p", { class: "note" }, "On the right: share of texts that leave out at least one entity (ESIC^1).")];
  }

  // --- the first figure of each metric, with its interval

  function intervals(overview) {
    return overview.mains.map((column) => {
      const ends = overview.systems.flatMap((system) => [system.figures[column], ...(system.ci[column] || [])]);
      const most = Math.max(...ends.filter((end) => end !== null && end !== undefined), overview.columns[column][2] === "share" ? 1 : 0) || 1;
      const x = (value) => Math.max(0, (1000 * value) / most);
      const rows = overview.systems.map((system) => {
        const figure = system.figures[column];
        if (figure === null || figure === undefined) return null;
        const [low, high] = system.ci[column] || [figure, figure];
        const told = `${system.name}: ${number(figure)}, ${number(low)} to ${number(high)}`;
        const drawn = [svg("rect", { class: "between", x: x(low), width: x(high) - x(low), height: 20 }), svg("rect", { class: "point", x: x(figure) - 4, width: 8, height: 20 })];
        return bar(system.name, told, shown(figure, "number"), drawn);
      });
      return [h("h3", {}, name(overview.columns[column][1])), rows];
    });
  }

  function bar(label, told, value, drawn) {
    return h(
      "div",
      { class: "barrow" },
      h("div", { class: "barname" }, name(label)),
      svg("svg", { class: "bars", viewBox: "0 0 1000 20", preserveAspectRatio: "none", role: "img", "aria-label": told }, drawn),
      h("div", { class: "barvalue" }, value),
    );
  }

  // --- ranks by BLEU against ranks by ESIC

  function ranks(values, best) {
    return values.map((value) => 1 + values.filter((other) => best(other, value)).length);
  }

  function quadrants(overview) {
    const systems = overview.systems.filter((one) => one.bleu !== null && one.esic !== null);
    if (systems.length < 2) return null;
    const x = ranks(systems.map((one) => one.bleu), (a, b) => a > b);
    const y = ranks(systems.map((one) => one.esic), (a, b) => a < b);
    const n = systems.length;
    const size = 440;
    const at = (rank) => 50 + ((n - rank) * (size - 90)) / Math.max(n - 1, 1);
    const spots = new Map();
    const points = systems.map((system, i) => {
      const [cx, cy] = [at(x[i]), size - at(y[i])];
      const key = cx + " " + cy;
      const row = spots.get(key) || 0;
      spots.set(key, row + 1);
      const left = cx > size / 2;
      return svg(
        "g",
        {},
        svg("circle", { class: "point", cx, cy, r: 5 }),
        svg("text", { class: "label", x: left ? cx - 9 : cx + 9, y: cy + 4 + 13 * row, "text-anchor": left ? "end" : "start" }, system.name),
        svg("title", {}, `${system.name}: BLEU rank ${x[i]}, ESIC rank ${y[i]}`),
      );
    });
    const half = size / 2;
    const words = [
      ["fluent but incomplete", size - 8, size - 38, "end"],
      ["complete but unlike the references", 8, 18, "start"],
      ["both good", size - 8, 18, "end"],
      ["both poor", 8, size - 38, "start"],
    ].map(([word, wx, wy, anchor]) => svg("text", { class: "corner", x: wx, y: wy, "text-anchor": anchor }, word));
    return svg(
      "svg",
      { class: "quadrants", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": "Systems by their rank under BLEU and under ESIC" },
      svg("rect", { class: "frame", x: 1, y: 1, width: size - 2, height: size - 28 }),
      svg("path", { class: "cross", d: `M${half},1 V${size - 27} M1,${half - 5} H${size - 1}` }),
      words,
      points,
      svg("text", { class: "axis", x: half, y: size - 8, "text-anchor": "middle" }, "BLEU rank: right is better; ESIC rank: up is better"),
    );
  }

  // --- groups

  const smallBar = (value) => svg("svg", { class: "bars small", viewBox: "0 0 1000 20", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect", { class: "between", width: 1000 * (value || 0), height: 20 }));

  function groups(overview) {
    if (!overview.groups.length) return null;
    const shares = overview.columns.map((column, i) => [i, column]).filter(([, column]) => column[2] === "share");
    let by = 0;
    let figure = shares.length ? shares[0][0] : 0;
    const place = h("div", {});
    const draw = () => {
      const { labels, texts, figures } = overview.groups[by];
      const head = h("tr", {}, h("th", { scope: "col" }, overview.groups[by].by === "size" ? "Size" : "Category"), h("th", { scope: "col" }, "Inputs"), overview.systems.map((one) => h("th", { scope: "col" }, name(one.name))));
      const column = overview.columns[figure];
      const rows = labels.map((label, row) => {
        const values = figures.map((one) => one[row][figure]);
        const best = bestOf(values, column);
        return h("tr", {}, h("th", { scope: "row" }, label === "" ? h("i", {}, "unknown") : name(label)), h("td", {}, texts[row].toLocaleString("en")), values.map((one) => h("td", {}, figureOf(one, "share", best), smallBar(one))));
      });
      place.replaceChildren(h("p", { class: "note" }, name(column[1]), ": ", name(column[4]), ". ", direction(column)), scroller("Table of groups", h("table", {}, h("thead", {}, head), h("tbody", {}, rows))));
    };
    draw();
    return [
      h(
        "div",
        { class: "filters" },
        select("group-by", "Groups", overview.groups.map((one, i) => [i, one.by]), by, (value) => ((by = Number(value)), draw())),
        select("group-figure", "Figure", shares.map(([i, column]) => [i, column[1]]), figure, (value) => ((figure = Number(value)), draw())),
      ),
      place,
    ];
  }

  // --- a few texts of the first part: those with most faults

  function samples(state) {
    const { overview, index } = state;
    const end = Math.min(overview.details[1] || overview.examples, overview.texts[1] || overview.examples);
    const found = [];
    overview.systems.forEach((_, system) => {
      const blank = new Set(index.blank[system]);
      for (let place = 0; place < end; place++) {
        if (!blank.has(place)) {
          const wrong = (index.missing[system][place].length || 0) + ((index.flags[system][place] || []).length || 0);
          found.push([wrong, place, system]);
        }
      }
    });
    found.sort((a, b) => b[0] - a[0] || a[1] - b[1] || a[2] - b[2]);
    const seen = new Set(); // one text of a system, so that different faults are seen
    const key = ([, place, system]) => (overview.systems.length > 1 ? system : place);
    return found.filter((one) => !seen.has(key(one)) && seen.add(key(one))).slice(0, SAMPLES);
  }

  async function view(state) {
    const { overview } = state;
    const chosen = samples(state);
    const examples = await Promise.all(chosen.map(([, place]) => esascore.store.example(overview, place)));
    const cards = examples.map((one, i) => esascore.card.card(state, one, chosen[i][2], { head: true, input: true }));
    const plot = quadrants(overview);
    const grouped = groups(overview);
    return [
      h("h1", {}, name(overview.title)),
      h("p", { class: "lead" }, `${overview.systems.length} system${overview.systems.length === 1 ? "" : "s"}, ${overview.examples.toLocaleString("en")} inputs, ${(overview.systems.length * overview.examples).toLocaleString("en")} texts.`),
      overview.warnings.length ? h("div", { class: "warnings", role: "note" }, h("ul", {}, overview.warnings.map((one) => h("li", {}, name(one))))) : null,
      section("h-systems", "Systems", systemsTable(overview)),
      cards.length ? section("h-samples", "A closer look", h("p", { class: "note" }, "Each entity has a number and a colour. Point at a span, or move to it with Tab, to see how it was found. All texts are under Texts."), cards) : null,
      section("h-intervals", "Systems with 95% intervals", intervals(overview)),
      h("div", { class: "columns" }, section("h-bars", "Entities left out per text", bars(overview)), plot ? section("h-ranks", "BLEU rank and ESIC rank", plot) : null),
      grouped ? section("h-groups", "By category and size", grouped) : null,
      section("h-signature", "Signature", h("p", { class: "note" }, "Numbers may be compared where signatures are equal."), h("p", { class: "signature" }, h("code", {}, overview.signature.split("|").flatMap((part, i) => (i ? ["|", h("wbr", {}), part] : [part]))))),
    ];
  }

  return { view };
})();
