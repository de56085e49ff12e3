// What follows a prediction appears once the reader has chosen an answer. Without this script, everything is visible.
{
  /** The cells that show the result, and the text about them: up to the next prediction, or the end of the section. */
  const result = (question) => {
    const cells = [...document.querySelectorAll(`.tag_after-${question.dataset.question.replaceAll(".", "-")}`)];
    let next = cells.at(-1)?.nextElementSibling;
    while (next && !next.matches("section") && !next.querySelector("course-question[data-view='predict']")) {
      cells.push(next);
      next = next.nextElementSibling;
    }
    return cells;
  };

  /** Hide a result. The browser's own search still finds the text, and then shows it. */
  const hide = (question) => {
    const parts = result(question);
    if (!parts.length) return;
    const wait = document.createElement("p");
    wait.className = "waits";
    wait.textContent = "Choose an answer above, and the result appears here. ";
    const skip = wait.appendChild(document.createElement("button"));
    skip.type = "button";
    skip.textContent = "Show it without a guess";
    const show = () => {
      wait.remove();
      for (const part of parts) part.hidden = false;
    };
    skip.addEventListener("click", show);
    new MutationObserver((_, observer) => {
      if (!question.querySelector("[aria-pressed='true']")) return;
      observer.disconnect();
      show();
    }).observe(question, { subtree: true, attributeFilter: ["aria-pressed"] });
    parts[0].before(wait);
    for (const part of parts) {
      part.setAttribute("hidden", "until-found");
      part.addEventListener("beforematch", show);
    }
  };

  for (const question of document.querySelectorAll("course-question[data-view='predict']")) {
    if (!question.querySelector("[aria-pressed='true']")) hide(question);
  }
}
