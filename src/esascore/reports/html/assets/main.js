// The frame: which view is shown, and what happens when a part is missing.
"use strict";

esascore.main = (() => {
  const { h } = esascore.dom;
  const VIEWS = [
    ["overview", "Overview", esascore.overview.view],
    ["texts", "Texts", esascore.texts.view],
    ["compare", "Compare", esascore.compare.view],
  ];
  const state = { overview: null, index: null, filter: null, compared: null };
  let turn = 0;

  function frame(current) {
    const links = VIEWS.map(([id, label]) =>
      h("li", {}, h("a", { href: "#" + id, "aria-current": id === current ? "page" : null }, label)),
    );
    document.getElementById("top").replaceChildren(
      h("nav", { "aria-label": "Views" }, h("span", { class: "brand" }, "esascore"), h("ul", {}, links)),
    );
  }

  async function show() {
    const mine = ++turn;
    const main = document.getElementById("main");
    const address = esascore.address.read();
    const [id, , view] = VIEWS.find(([one]) => one === address.view) || VIEWS[0];
    frame(id);
    try {
      if (!state.overview) {
        [state.overview, state.index] = await Promise.all([esascore.store.load("overview"), esascore.store.load("index")]);
        esascore.verdicts.open(state.overview);
      }
      const content = await view(state, address.chosen);
      if (mine !== turn) return;
      main.replaceChildren(...content.flat(Infinity).filter(Boolean));
      main.dataset.view = id;
    } catch (error) {
      main.replaceChildren(h("p", { class: "warnings", role: "alert" }, error.message));
    }
  }

  window.addEventListener("hashchange", async () => {
    const { view } = esascore.address.read();
    if (!VIEWS.some(([one]) => one === view)) return; // a link within the view
    await show();
    window.scrollTo(0, 0);
    document.getElementById("main").focus({ preventScroll: true });
  });
  esascore.card.listen();
  show();

  return { show };
})();
