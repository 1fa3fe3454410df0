// What lies on top of what in the pictures of a page, as the browser has drawn them: texts on each other, and arrows,
// lines and bars on texts. Runs in the page. Of a text its ink counts, not the line it stands in.
export const overlapsInPage = (selector) => {
  const bars = new Set(["hb", "hs", "ox", "d", "db"]);  // what is filled so that a text on it could not be read
  const canvas = document.createElementNS("http://www.w3.org/1999/xhtml", "canvas").getContext("2d");
  const inkOf = (text) => {
    const style = getComputedStyle(text);
    canvas.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const words = [...text.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data).join("");
    const ink = canvas.measureText(words), box = text.getBBox(), base = Number(text.getAttribute("y"));
    return { words, left: box.x, right: box.x + box.width, top: base - ink.actualBoundingBoxAscent, bottom: base + ink.actualBoundingBoxDescent };
  };
  const isOn = (one, other) =>
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
  // Points along an outline, at most a pixel apart.
  const pointsOf = (shape) => {
    const length = shape.getTotalLength(), points = [];
    for (let at = 0; at < length; at += 0.9) points.push(shape.getPointAtLength(at));
    return points.concat(length ? [shape.getPointAtLength(length)] : []);
  };
  const wrong = [];
  let texts_seen = 0;
  for (const svg of document.querySelectorAll(selector)) {
    const name = svg.querySelector("title") ? svg.querySelector("title").textContent : "a picture";
    const texts = [...svg.querySelectorAll("text")].map(inkOf).filter((text) => text.words.trim());
    texts_seen += texts.length;
    for (let one = 0; one < texts.length; ++one)
      for (let other = one + 1; other < texts.length; ++other)
        if (isOn(texts[one], texts[other])) wrong.push(`${name}: "${texts[one].words}" lies on "${texts[other].words}"`);
    for (const shape of svg.querySelectorAll("path, rect, circle")) {
      const role = shape.getAttribute("class"), style = getComputedStyle(shape), box = shape.getBBox();
      const around = { left: box.x - 2, right: box.x + box.width + 2, top: box.y - 2, bottom: box.y + box.height + 2 };
      const near = texts.filter((text) => isOn(text, around));
      if (near.length === 0) continue;
      const half = style.stroke === "none" ? 0 : Number.parseFloat(style.strokeWidth) / 2;
      const outline = style.stroke === "none" && shape.tagName !== "path" ? [] : pointsOf(shape);
      for (const text of near) {
        const isFilled = bars.has(role) && isOn(text, { left: box.x, right: box.x + box.width, top: box.y, bottom: box.y + box.height });
        const isCrossed = outline.some((point) => point.x > text.left - half && point.x < text.right + half &&
          point.y > text.top - half && point.y < text.bottom + half);
        if (isFilled || isCrossed) wrong.push(`${name}: "${text.words}" lies under ${shape.dataset.is || role}`);
      }
    }
  }
  return { wrong, texts_seen };
};
