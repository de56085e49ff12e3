// What questions do in a notebook. Without this script, their choices simply unfold.
const memory = new Map();
const folder = location.pathname.split("/tree/")[0]; // JupyterLab has one workspace for each learner's folder

class CourseQuestion extends HTMLElement {
  connectedCallback() {
    if (!this.heading) {
      this.heading = this.querySelector("p");
      this.listen();
      if (this.dataset.view === "predict") this.makeButtons();
    }
    this.render();
  }

  // JupyterLab moves the focus to the selected cell when a key is pressed, and selects the cell that is clicked.
  listen() {
    this.addEventListener("keydown", event => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const choices = [...this.querySelectorAll("button, summary")];
      const neighbour = step && choices[choices.indexOf(event.target) + step];
      if (neighbour) {
        neighbour.focus();
        event.preventDefault();
      }
      const ours = neighbour || event.key === "Tab" || ([" ", "Enter"].includes(event.key) && !event.shiftKey);
      if (ours) event.stopPropagation();
    });
    // Running a cell selects the next one. It stays selected here, so that Shift + Enter runs it after the guess.
    for (const kind of ["mousedown", "focusin"]) {
      this.addEventListener(kind, event => {
        const next = this.closest(".jp-Cell")?.nextElementSibling;
        if (next?.classList.contains("jp-mod-active")) event.stopPropagation();
      });
    }
  }

  makeButtons() {
    for (const details of this.querySelectorAll("details")) {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.choice = details.dataset.choice;
      button.append(...details.querySelector("summary").childNodes);
      button.addEventListener("click", () => this.choose(button.dataset.choice));
      details.replaceWith(button);
    }
    this.status = this.appendChild(document.createElement("p"));
    this.status.setAttribute("role", "status");
  }

  get key() {
    return `transformer-course ${folder} ${this.dataset.question}`;
  }

  // The present guess, and the guess when the result was first shown: {guess: "b", first: "a"}. These are places in the file of
  // questions. Readers see other letters, because the order in which choices are shown is drawn.
  get state() {
    if (!memory.has(this.key)) {
      let kept = null;
      try {
        kept = JSON.parse(localStorage.getItem(this.key));
      } catch {} // the browser refuses storage, or something else has been stored there
      memory.set(this.key, this.querySelector(`[data-choice="${kept?.guess}"]`) ? kept : {});
    }
    return memory.get(this.key);
  }

  set state(state) {
    memory.set(this.key, state);
    try {
      localStorage.setItem(this.key, JSON.stringify(state));
    } catch {} // then the guess lasts until the page is closed
  }

  letter(choice) {
    return this.querySelector(`[data-choice="${choice}"] b`)?.textContent;
  }

  changed() {
    const { guess, first } = this.state;
    return first && first !== guess ? `You first guessed ${this.letter(first)}; now ${this.letter(guess)}.` : "";
  }

  choose(guess) {
    this.state = { ...this.state, guess };
    const cell = this.closest(".jp-Cell.jp-mod-active"); // the click has selected it, or the learner has
    cell?.nextElementSibling?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true }));
    for (const copy of document.querySelectorAll(`course-question[data-question="${this.dataset.question}"]`)) copy.render();
  }

  render() {
    if (this.dataset.view === "reveal") this.reveal();
    const { guess } = this.state;
    for (const button of this.querySelectorAll("button")) button.setAttribute("aria-pressed", button.dataset.choice === guess);
    if (!this.status || !guess) return;
    const next = this.closest(".jp-Cell") ? "Now run the next cell." : "The result is below."; // a page only for reading
    this.status.textContent = this.changed() || `Your guess is ${this.letter(guess)}. ${next}`;
  }

  reveal() {
    const { guess, first } = this.state;
    if (guess && !first) this.state = { guess, first: guess };
    for (const details of this.querySelectorAll("details")) details.open = details.dataset.choice === guess;
    let text = "You haven't guessed yet. Even a wrong guess helps you remember. Choose one above, and its reply opens here.";
    if (guess) {
      text = this.changed() || `You guessed ${this.letter(guess)}.`;
      text += " Click the others to read their replies.";
    }
    if (this.codeIsFolded()) text += " The code was folded, because it gives the answer away. Click the three dots to read it.";
    this.heading.textContent = text;
  }

  codeIsFolded() {
    let cell = this.closest(".jp-Cell");
    while (cell && !cell.querySelector('[data-view="predict"], .jp-InputPlaceholder')) cell = cell.previousElementSibling;
    return Boolean(cell?.querySelector(".jp-InputPlaceholder"));
  }
}

if (!customElements.get("course-question")) customElements.define("course-question", CourseQuestion);
