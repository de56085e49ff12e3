// The list of pages and the links at the end of a page follow the reader's path through the course. Without this script, they
// lead through everything.
{
  const PATHS = []; // pages.py writes the paths here: {id, title, pages}; the first is the default, the last the whole course
  const KEY = "transformer-course path";
  const PLACE = "transformer-course place";
  const root = new URL(document.documentElement.dataset.content_root, location.href);
  const tree = document.querySelector(".sidebar-tree");
  const lists = new Map(); // the address of each page, and its entry in the list of pages
  for (const link of tree?.querySelectorAll("a") ?? []) lists.set(link.href.split("#")[0], link.closest("li"));
  const address = (page) => new URL(`${page}.html`, root).href;
  const title = (page) => lists.get(address(page)).textContent.trim();
  const here = address(location.href.slice(root.href.length).split(/\.html|[?#]/)[0]);

  let chosen = PATHS[0]?.id;
  try {
    chosen = localStorage.getItem(KEY) ?? chosen;
  } catch {} // the browser refuses storage: then a choice lasts until the page is closed

  const element = (name, attributes, ...content) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...content);
    return made;
  };

  const choice = () => {
    const select = element("select", { "aria-label": "Your path" }, ...PATHS.map(({ id, title }) => element("option", { value: id }, title)));
    return element("div", { class: "path" }, "Your path ", select); // no label: in its list, the theme places these
  };

  /** What a link at the foot of a page looks like in this theme. */
  const foot = (page, kind, word) => {
    const context = element("div", { class: "context" }, element("span", {}, word));
    const info = element("div", { class: "page-info" }, context, element("div", { class: "title" }, title(page)));
    const arrow = document.querySelector(".related-pages svg").cloneNode(true);
    return element("a", { class: `${kind}-page`, href: address(page) }, ...(kind === "next" ? [info, arrow] : [arrow, info]));
  };

  /** The parts that a path changes, with their content as it was built. */
  const built = new Map();
  for (const part of document.querySelectorAll(".related-pages, .ways")) built.set(part, [...part.childNodes]);
  const ofSteps = [...new Set(PATHS.at(-1)?.pages.map((page) => lists.get(address(page)).parentElement))];
  const own = element("div", {});

  const follow = () => {
    for (const select of document.querySelectorAll(".path select")) select.value = chosen;
    for (const card of document.querySelectorAll(".paths input")) card.parentElement.classList.toggle("chosen", (card.checked = card.value === chosen));
    const path = PATHS.slice(0, -1).find(({ id }) => id === chosen);
    for (const list of ofSteps) list.hidden = list.previousElementSibling.hidden = Boolean(path);
    own.replaceChildren();
    for (const [part, content] of built) part.replaceChildren(...content);
    if (!path) return;
    const caption = element("p", { class: "caption", role: "heading", "aria-level": 2 }, element("span", {}, path.title));
    own.append(caption, element("ul", {}, ...path.pages.map((page) => lists.get(address(page)).cloneNode(true))));
    const place = path.pages.map(address).indexOf(here);
    if (place < 0 && here !== address("index")) return; // this page is not on the path
    const [before, next] = [path.pages[place - 1], path.pages[place + 1]];
    for (const part of built.keys()) {
      if (part.matches(".ways")) {
        const short = (page) => title(page).split(": ")[0];
        const links = [before && element("a", { href: address(before) }, `← ${short(before)}`)];
        links.push(next && element("a", { href: address(next) }, `${short(next)} →`));
        part.replaceChildren(...links.filter(Boolean).flatMap((link, index) => (index ? [" · ", link] : [link])));
      } else {
        part.replaceChildren(...[next && foot(next, "next", "Next"), before && foot(before, "prev", "Previous")].filter(Boolean));
      }
    }
  };

  /** The first page leads back to the section that was on the screen when a reader left. */
  const goOn = (page, section) => {
    const name = lists.has(address(page)) && title(page).split(": ")[0];
    if (name) document.querySelector("#start")?.prepend(element("a", { href: `${address(page)}#${section}` }, `Go on: ${name}`), " ");
  };
  const keepPlace = () => {
    const above = [...document.querySelectorAll("section[id]")].filter((each) => each.getBoundingClientRect().top < innerHeight / 2);
    const page = here.slice(root.href.length).replace(/\.html$/, "");
    localStorage.setItem(PLACE, JSON.stringify([page, above.at(-1)?.id ?? ""]));
  };
  try {
    const place = JSON.parse(localStorage.getItem(PLACE));
    if (place) goOn(...place);
    if (document.querySelector(".ways")) document.addEventListener("visibilitychange", () => document.hidden && keepPlace());
  } catch {} // no storage, no place

  if (tree && PATHS.length) {
    ofSteps[0].previousElementSibling.before(choice(), own);
    document.querySelector(".related-pages")?.before(choice());
    document.addEventListener("change", ({ target }) => {
      if (!target.matches(".path select, .paths input")) return;
      chosen = target.value;
      try {
        localStorage.setItem(KEY, chosen);
      } catch {}
      follow();
    });
    follow();
  }
}
