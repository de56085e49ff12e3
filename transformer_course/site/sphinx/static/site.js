// What follows a prediction appears once the reader has chosen an answer. Without this script, everything is visible.
{
  const SCROLLS = "pre, .table-wrapper, .output, div.math, #the-formulas td";

  /** The right edge of what scrolls fades while there is more. */
  const fade = (part) => part.classList.toggle("more", part.scrollWidth > part.clientWidth + Math.ceil(part.scrollLeft));

  /** What scrolls by itself can be reached and scrolled with the keyboard. */
  const letScroll = () => {
    for (const part of document.querySelectorAll(SCROLLS)) {
      if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
      fade(part);
    }
  };

  /**
   * The cells that show the result, and the text between and after them: up to the next prediction, the end of the section, or
   * the line below which a page ends.
   */
  const result = (question) => {
    const cells = [...document.querySelectorAll(`.tag_after-${question.dataset.question.replaceAll(".", "-")}`)];
    const parts = [];
    let [next] = cells;
    while (next && (cells.length || !(next.matches("section, hr") || next.querySelector("course-question[data-view='predict']")))) {
      if (next === cells[0]) cells.shift();
      parts.push(next);
      next = next.nextElementSibling;
    }
    return [...parts, ...cells]; // some may be in a later section
  };

  /** Hide a result. The browser's own search still finds the text, and then shows it. */
  const hide = (question) => {
    const parts = result(question);
    if (!parts.length) return;
    const wait = document.createElement("p");
    wait.className = "waits";
    wait.textContent = "First choose an answer above. Then the result appears here. ";
    const skip = wait.appendChild(document.createElement("button"));
    skip.type = "button";
    skip.textContent = "Show it without guessing";
    const show = () => {
      wait.remove();
      for (const text of told) text.classList.remove("waits");
      for (const part of parts) part.hidden = false;
      letScroll();
    };
    skip.addEventListener("click", show);
    new MutationObserver((_, observer) => {
      if (!question.querySelector("[aria-pressed='true']")) return;
      observer.disconnect();
      show();
    }).observe(question, { subtree: true, attributeFilter: ["aria-pressed"] });
    const told = []; // between the question and the result: what to do there
    for (let text = parts[0].previousElementSibling; text && !text.matches(".cell, h2, h3"); text = text.previousElementSibling) told.push(text);
    for (const text of told) text.classList.add("waits");
    (told.at(-1) ?? parts[0]).before(wait);
    for (const part of parts) {
      part.setAttribute("hidden", "until-found");
      part.addEventListener("beforematch", show);
    }
  };

  for (const question of document.querySelectorAll("course-question[data-view='predict']")) {
    if (!question.querySelector("[aria-pressed='true']")) hide(question);
  }
  letScroll();
  addEventListener("resize", letScroll);
  addEventListener("toggle", letScroll, true); // of what unfolds
  addEventListener("scroll", ({ target }) => target.matches?.(SCROLLS) && fade(target), true);
}

// Sphinx makes headings of the captions in the table of contents, but gives them no level.
for (const caption of document.querySelectorAll(".caption[role='heading']")) caption.setAttribute("aria-level", "2");

// A heading's own address is for the mouse: the keyboard has enough to pass.
for (const link of document.querySelectorAll(".headerlink")) link.tabIndex = -1;

// The glossary is as long as 40 screens of a phone: letters above it lead to its terms.
{
  const letters = document.createElement("nav");
  letters.className = "letters";
  letters.setAttribute("aria-label", "Letters");
  for (const term of document.querySelectorAll("#glossary tbody td:first-child")) {
    const letter = term.textContent.trim()[0].toUpperCase();
    if (document.getElementById(`letter-${letter}`)) continue;
    term.id = `letter-${letter}`;
    const link = letters.appendChild(document.createElement("a"));
    link.href = `#${term.id}`;
    link.textContent = letter;
  }
  document.querySelector("#glossary .table-wrapper")?.before(letters);
}
