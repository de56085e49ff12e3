// A search finds first the lesson that teaches the term, and then the glossary. Sphinx reads this file (see conf.py).
var Scorer = { title: 15, partialTitle: 7, term: 5, partialTerm: 2 }; // as in Sphinx
{
  const TERMS = []; // pages.py writes the glossary here: [term, page of its lesson]
  const words = (text) => text.toLowerCase().split(/[\s-]+/).map((word) => word.replace(/s$/, "")).join(" ").trim();
  const asked = words(new URLSearchParams(location.search).get("q") ?? "");
  const same = TERMS.filter(([term]) => words(term) === asked);
  const found = same.length ? same : TERMS.filter(([term]) => ` ${words(term)} `.includes(` ${asked} `));
  const pages = new Set(found.map(([, page]) => page));
  Scorer.score = ([page, , , , score]) => score + (pages.has(page) ? 200 : pages.size && page === "docs/glossary" ? 100 : 0);
}
