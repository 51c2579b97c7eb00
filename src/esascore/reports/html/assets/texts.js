// All texts: filters over the index, twenty cards at a time.
"use strict";

esascore.texts = (() => {
  const { h, select } = esascore.dom;
  const ON_PAGE = 20;

  // Places of the texts that pass, as numbers system * examples + place, input by input.
  function matching(state, filter, texts, scores) {
    const { overview, index } = state;
    const words = filter.search.trim().toLowerCase();
    const entity = filter.entity.trim().toLowerCase();
    const named = entity ? new Set([...index.names.keys()].filter((i) => index.names[i].toLowerCase().replaceAll("_", " ").includes(entity.replaceAll("_", " ")))) : null;
    const least = filter.least === "" ? -Infinity : Number(filter.least);
    const most = filter.most === "" ? Infinity : Number(filter.most);
    const ranged = least > -Infinity || most < Infinity;
    const found = [];
    for (let place = 0; place < overview.examples; place++) {
      if (filter.category !== "" && index.category[place] !== Number(filter.category)) continue;
      if (filter.size !== "" && index.size[place] !== Number(filter.size)) continue;
      const idMatches = words && index.ids[place].toLowerCase().includes(words);
      for (let system = 0; system < overview.systems.length; system++) {
        if (filter.system !== "" && system !== Number(filter.system)) continue;
        const missing = index.missing[system][place];
        if (filter.missing !== "" && (missing.length || 0) < Number(filter.missing)) continue;
        if (filter.missing === "0" && missing) continue;
        if (named && !(missing && missing.some((i) => named.has(index.entities[place][i])))) continue;
        if (filter.kind !== "") {
          const flags = index.flags[system][place] || 0;
          if (!flags || (filter.kind !== "any" && !flags.includes(Number(filter.kind)))) continue;
        }
        if (ranged) {
          const score = scores[system][place];
          if (score === null || score < least || score > most) continue;
        }
        if (words && !idMatches && !texts[system][place].includes(words)) continue;
        found.push(system * overview.examples + place);
      }
    }
    return found;
  }

  function fresh() {
    return { search: "", system: "", category: "", size: "", missing: "", entity: "", kind: "", metric: 0, least: "", most: "", page: 0 };
  }

  async function view(state) {
    const { overview, index } = state;
    const filter = (state.filter = state.filter || fresh());
    const count = h("p", { class: "count", role: "status" });
    const list = h("div", { class: "cards" });
    const pages = h("nav", { class: "pages", "aria-label": "Pages" });
    let found = [];
    let turn = 0;

    async function apply() {
      const mine = ++turn;
      const texts = filter.search.trim() ? await esascore.store.searchable(overview) : null;
      const scores = filter.least !== "" || filter.most !== "" ? await esascore.store.load("scores-" + filter.metric) : null;
      if (mine !== turn) return;
      found = matching(state, filter, texts, scores);
      await draw(mine);
    }

    async function draw(mine) {
      const last = Math.max(0, Math.ceil(found.length / ON_PAGE) - 1);
      filter.page = Math.min(filter.page, last);
      const page = found.slice(filter.page * ON_PAGE, (filter.page + 1) * ON_PAGE);
      const examples = await Promise.all(page.map((one) => esascore.store.example(overview, one % overview.examples)));
      if (mine !== turn) return;
      list.replaceChildren(...examples.map((one, i) => esascore.card.card(state, one, Math.floor(page[i] / overview.examples), { head: true, input: true })));
      count.textContent = found.length.toLocaleString("en") + (found.length === 1 ? " text" : " texts");
      pages.replaceChildren(
        h("button", { type: "button", disabled: filter.page === 0, click: () => go(-1) }, "Previous"),
        h("span", {}, `Page ${filter.page + 1} of ${last + 1}`),
        h("button", { type: "button", disabled: filter.page === last, click: () => go(1) }, "Next"),
      );
    }

    async function go(step) {
      filter.page += step;
      await draw(++turn);
      list.scrollIntoView({ block: "start" });
    }

    const set = (field) => (value) => {
      filter[field] = value;
      filter.page = 0;
      return apply();
    };
    const input = (id, label, field, type, more) =>
      h("div", { class: "field" }, h("label", { for: id }, label), h("input", { id, type, value: filter[field], input: (event) => set(field)(event.target.value), ...more }));
    const sizes = [...new Set(index.size)].sort((a, b) => a - b);
    const form = h(
      "form",
      { class: "filters", role: "search", "aria-label": "Filter texts", submit: (event) => event.preventDefault() },
      input("f-search", "Search in texts and ids", "search", "search", { autocomplete: "off" }),
      select("f-system", "System", [["", "all"], ...overview.systems.map((one, i) => [i, one.name])], filter.system, set("system")),
      index.categories.length ? select("f-category", "Category", [["", "all"], ...index.categories.map((one, i) => [i, one])], filter.category, set("category")) : null,
      sizes.length > 1 ? select("f-size", "Size", [["", "all"], ...sizes.map((one) => [one, one])], filter.size, set("size")) : null,
      select("f-missing", "Entities missing", [["", "any number"], [0, "none"], [1, "1 or more"], [2, "2 or more"], [3, "3 or more"]], filter.missing, set("missing")),
      input("f-entity", "Missing entity", "entity", "search", { autocomplete: "off" }),
      overview.flagged ? select("f-kind", "Hallucination", [["", "–"], ["any", "any class"], ...index.kinds.map((one, i) => [i, one])], filter.kind, set("kind")) : null,
      h(
        "div",
        { class: "range" },
        overview.metrics.length > 1 ? select("f-metric", "Score", overview.metrics.map((one, i) => [i, one]), filter.metric, set("metric")) : null,
        input("f-least", (overview.metrics.length > 1 ? "Score" : overview.metrics[0]) + " from", "least", "number", { step: "any", class: "narrow" }),
        input("f-most", "to", "most", "number", { step: "any", class: "narrow" }),
      ),
      h("button", { type: "button", click: () => ((state.filter = null), esascore.main.show()) }, "Clear"),
    );
    await apply();
    return [h("h1", {}, "Texts"), form, count, list, pages];
  }

  return { view, matching, fresh };
})();
