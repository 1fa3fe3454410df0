
"use strict";
(() => {
  // A story stands in a closed <details>: open it when somebody follows a link to it.
  let shown;
  const show = () => {
    shown = location.hash;
    let name = shown.slice(1);
    try { name = decodeURIComponent(name); } catch { return; }
    const target = name && document.getElementById(name);
    if (!target) return;
    const section = target.closest("section");
    if (section && section.hidden) { find.value = ""; filter(); }
    const box = target.closest("details");
    if (box) box.open = true;
    for (const old of document.querySelectorAll(".here")) old.classList.remove("here");
    if (target.classList.contains("told")) {
      target.classList.add("here");
      target.focus({ preventScroll: true });
    }
    target.scrollIntoView();
  };

  const find = document.getElementById("find");
  const found = document.getElementById("found");
  const sections = [...document.querySelectorAll("section[data-lock]")];
  const rows = new Map([...document.querySelectorAll("tr[data-lock]")].map((row) => [row.dataset.lock, row]));
  const filter = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const section of sections) {
      const fits = words.every((word) => section.dataset.find.includes(word));
      section.hidden = !fits;
      rows.get(section.dataset.lock).hidden = !fits;
      count += fits;
    }
    found.value = words.length ? `${count} of ${sections.length} locks` : "";
  };
  find.addEventListener("input", filter);
  find.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { find.value = ""; filter(); }
  });
  find.form.addEventListener("submit", (event) => {
    event.preventDefault();
    const first = sections.find((section) => !section.hidden);
    if (!first) return;
    location.hash = first.querySelector("h3").id;
    show();
  });

  // Arrow keys move from cell to cell of the matrix.
  document.querySelector(".matrix").addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    const cell = step && event.target.closest("td");
    if (!cell) return;
    let row = cell.parentElement, column = cell.cellIndex;
    for (;;) {
      if (step[0]) row = step[0] > 0 ? row.nextElementSibling : row.previousElementSibling;
      column += step[1];
      const next = row && row.cells[column];
      if (!next) return;
      const link = !row.hidden && next.querySelector("a.cell");
      if (link) { event.preventDefault(); link.focus(); return; }
    }
  });

  // The event comes some time after the change: by then a search that led here may already look for something else.
  addEventListener("hashchange", () => { if (location.hash !== shown) show(); });
  document.addEventListener("click", (event) => {  // the same link once more does not change the hash
    const link = event.target.closest('a[href^="#"]');
    if (link && link.getAttribute("href") === location.hash) setTimeout(show);
  });
  show();
})();
