// Two systems on the same inputs: what one finds and the other misses.
"use strict";

esascore.compare = (() => {
  const { h, name, select } = esascore.dom;
  const ON_PAGE = 10;

  // Entities of an input that `finder` mentions and `misser` does not.
  function only(index, place, finder, misser) {
    const missed = index.missing[misser][place] || [];
    const own = index.missing[finder][place] || [];
    return missed.filter((entity) => !own.includes(entity));
  }

  const RULES = {
    differ: (a, b) => a > 0 || b > 0,
    a: (a) => a > 0,
    b: (_, b) => b > 0,
    all: () => true,
  };

  function fromAddress(systems, given) {
    const [a, b] = ["a", "b"].map((side) => systems.indexOf(given.get(side)));
    const rule = Object.hasOwn(RULES, given.get("rule")) ? given.get("rule") : "differ";
    return { a: Math.max(a, 0), b: b < 0 ? 1 : b, rule, page: Math.max(0, Math.floor(Number(given.get("page"))) - 1) || 0 };
  }

  async function view(state, given) {
    const { overview, index } = state;
    if (overview.systems.length < 2) return [h("h1", {}, "Compare"), h("p", {}, "This report has one system; a comparison needs two.")];
    const names = overview.systems.map((one) => one.name);
    const chosen = (state.compared = given ? fromAddress(names, given) : state.compared || { a: 0, b: 1, rule: "differ", page: 0 });
    const place = h("div", {});
    let turn = 0;

    async function draw() {
      const mine = ++turn;
      const rows = [];
      const totals = [0, 0];
      for (let at = 0; at < overview.examples; at++) {
        const [a, b] = [only(index, at, chosen.a, chosen.b), only(index, at, chosen.b, chosen.a)];
        totals[0] += a.length;
        totals[1] += b.length;
        if (RULES[chosen.rule](a.length, b.length)) rows.push([at, a, b]);
      }
      const last = Math.max(0, Math.ceil(rows.length / ON_PAGE) - 1);
      chosen.page = Math.min(chosen.page, last);
      esascore.address.keep("compare", { a: names[chosen.a], b: names[chosen.b], rule: chosen.rule, page: chosen.page ? chosen.page + 1 : "" });
      const page = rows.slice(chosen.page * ON_PAGE, (chosen.page + 1) * ON_PAGE);
      const examples = await Promise.all(page.map(([at]) => esascore.store.example(overview, at)));
      if (mine !== turn) return;
      const [nameA, nameB] = [overview.systems[chosen.a].name, overview.systems[chosen.b].name];
      place.replaceChildren(
        h("p", { class: "count", role: "status" }, `${rows.length.toLocaleString("en")} inputs. Entities that only `, name(nameA), ` mentions: ${totals[0].toLocaleString("en")}; only `, name(nameB), `: ${totals[1].toLocaleString("en")}.`),
        ...examples.map((one, i) => pair(one, page[i][1], page[i][2])),
        h(
          "nav",
          { class: "pages", "aria-label": "Pages" },
          h("button", { type: "button", disabled: chosen.page === 0, click: () => go(-1) }, "Previous"),
          h("span", {}, `Page ${chosen.page + 1} of ${last + 1}`),
          h("button", { type: "button", disabled: chosen.page === last, click: () => go(1) }, "Next"),
        ),
      );
    }

    function pair(one, onlyA, onlyB) {
      const terms = esascore.card.termsOf(one.detail, index, one.place);
      const lost = (system) => one.detail.systems[system].missing.map((record) => record[0]);
      const both = new Set(lost(chosen.a).filter((entity) => lost(chosen.b).includes(entity)));
      const list = (finder, misser, entities) =>
        entities.length ? h("p", { class: "only" }, name(overview.systems[finder].name), " finds, ", name(overview.systems[misser].name), " misses: ", entities.map((entity, i) => [i ? ", " : "", h("b", {}, name(terms[entity]))])) : null;
      const category = index.category[one.place];
      return h(
        "section",
        { class: "pair" },
        h("h2", {}, name(index.ids[one.place]), category >= 0 ? [" ", h("span", { class: "tag" }, name(index.categories[category]))] : null),
        list(chosen.a, chosen.b, onlyA),
        list(chosen.b, chosen.a, onlyB),
        h("div", { class: "sides" }, [chosen.a, chosen.b].map((system) => esascore.card.card(state, one, system, {}))),
        h("div", { class: "folds" }, esascore.card.inputFold(one.detail, terms, both), esascore.card.referencesFold(one.detail)),
      );
    }

    async function go(step) {
      chosen.page += step;
      await draw();
      place.scrollIntoView({ block: "start" });
    }

    const set = (field, convert) => (value) => {
      chosen[field] = convert(value);
      chosen.page = 0;
      return draw();
    };
    const systems = overview.systems.map((one, i) => [i, one.name]);
    const rules = [
      ["differ", "where they differ"],
      ["a", "A finds, B misses"],
      ["b", "B finds, A misses"],
      ["all", "all inputs"],
    ];
    const form = h(
      "form",
      { class: "filters", "aria-label": "Choose systems", submit: (event) => event.preventDefault() },
      select("c-a", "System A", systems, chosen.a, set("a", Number)),
      select("c-b", "System B", systems, chosen.b, set("b", Number)),
      select("c-rule", "Show", rules, chosen.rule, set("rule", String)),
    );
    await draw();
    return [h("h1", {}, "Compare"), form, place];
  }

  return { view };
})();
