// All texts: filters over the index, twenty cards at a time.
"use strict";

esascore.texts = (() => {
  const { h, name, select } = esascore.dom;
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
      if (filter.id !== "" && index.ids[place] !== filter.id) continue;
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

  // A text with all that is said of it.
  function record(state, one, system) {
    const { overview, index } = state;
    const { detail, place } = one;
    const found = detail.systems[system];
    const characters = Array.from(one.texts[system]);
    const terms = esascore.card.termsOf(detail, index, place);
    const attributes = esascore.card.attributesOf(index, place);
    return {
      system: overview.systems[system].name,
      id: index.ids[place],
      category: index.category[place] < 0 ? null : index.categories[index.category[place]],
      size: index.size[place],
      text: one.texts[system],
      ...Object.fromEntries(overview.metrics.map((metric, i) => [metric, found.scores[i]])),
      missing: found.missing.map(([entity]) => terms[entity] + (attributes[entity] ? ` (${attributes[entity]})` : "")),
      hallucinations: found.flags.map((flag) => esascore.card.flagRecord(flag, characters)),
    };
  }

  function fresh() {
    return { id: "", search: "", system: "", category: "", size: "", missing: "", entity: "", kind: "", metric: "0", least: "", most: "", page: 0 };
  }

  // Fields of a filter whose numbers stand for names.
  const namesOf = ({ overview, index }) => ({
    system: overview.systems.map((one) => one.name),
    category: index.categories,
    kind: index.kinds,
    metric: overview.metrics,
  });

  function fromAddress(state, chosen) {
    const filter = fresh();
    const names = namesOf(state);
    for (const [field, value] of chosen) {
      if (field === "page") filter.page = Math.max(0, Math.floor(Number(value)) - 1) || 0;
      else if (Object.hasOwn(names, field) && !(field === "kind" && value === "any")) filter[field] = esascore.address.numberOf(names[field], value);
      else if (Object.hasOwn(filter, field)) filter[field] = value;
    }
    filter.metric ||= "0";
    return filter;
  }

  function toAddress(state, filter) {
    const names = namesOf(state);
    const named = Object.entries(filter).map(([field, value]) => [field, Object.hasOwn(names, field) && value !== "any" ? esascore.address.nameOf(names[field], value) : value]);
    const ranged = filter.least !== "" || filter.most !== "";
    return { ...Object.fromEntries(named), metric: ranged ? names.metric[filter.metric] : "", page: filter.page ? filter.page + 1 : "" };
  }

  async function view(state, chosen) {
    const { overview, index } = state;
    const filter = (state.filter = chosen ? fromAddress(state, chosen) : state.filter || fresh());
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
      esascore.address.keep("texts", toAddress(state, filter));
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

    function clear() {
      state.filter = null;
      esascore.address.keep("texts", {});
      return esascore.main.show();
    }

    // Everything about the texts that pass, for downloads.
    function records() {
      return Promise.all(found.map(async (one) => record(state, await esascore.store.example(overview, one % overview.examples), Math.floor(one / overview.examples))));
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
      h("button", { type: "button", click: clear }, "Clear"),
    );
    await apply();
    const only = filter.id === "" ? null : h("p", { class: "note" }, "Only the id ", name(filter.id), ". ", h("button", { type: "button", class: "plainbutton", click: clear }, "Show all texts"));
    const filters = h("details", { class: "folded", open: !matchMedia("(max-width: 52rem)").matches }, h("summary", {}, "Filters"), form);
    return [h("h1", {}, "Texts"), filters, only, esascore.verdicts.bar(), h("div", { class: "row" }, count, esascore.download.buttons("texts", records)), list, pages];
  }

  return { view, matching, fresh };
})();
