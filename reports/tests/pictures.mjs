// Pictures in a real browser: node pictures.mjs SVG…
//
// In none of them a text lies under an arrow, a line, a bar or another text. Needs playwright-core where node finds it,
// and Debian's Chromium. Ends with 1 and says what does not hold, after looking at everything.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { overlapsInPage } from "./overlaps.mjs";
const { chromium } = createRequire(process.cwd() + "/")("playwright-core");

const files = process.argv.slice(2);
const problems = [];
let seen = 0;
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});
try {
  const page = await browser.newPage();
  for (const file of files) {
    await page.goto(pathToFileURL(file).href);
    const { wrong, texts_seen } = await page.evaluate(overlapsInPage, "svg");
    if (texts_seen === 0) wrong.push("has no text");
    problems.push(...wrong.map((what) => `${file}: ${what}`));
    seen += texts_seen;
  }
} finally {
  await browser.close();
}
for (const problem of problems.slice(0, 40)) console.log(problem);
console.log(problems.length ? `${problems.length} problems in ${files.length} pictures` :
  `${seen} texts in ${files.length} pictures, and nothing lies on any of them.`);
process.exit(problems.length || files.length === 0 ? 1 : 0);
