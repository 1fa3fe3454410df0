// The page in a real browser: node browser.mjs PAGE_ADDRESS LOCK [SCREENSHOT_DIRECTORY]
//
// Needs playwright-core where node finds it, and Debian's Chromium. LOCK is one of the page that the search must
// find. Ends with 1 and says what does not hold, after looking at everything.
import { createRequire } from "node:module";
import { overlapsInPage } from "./overlaps.mjs";
const { chromium } = createRequire(process.cwd() + "/")("playwright-core");

const [, , address, lock, screenshots] = process.argv;
const problems = [];
const expect = (holds, what) => { if (!holds) problems.push(what); };

// Of every picture of a story: what is missing, out of its lane or on top of its neighbour. Runs in the page.
const lookAtDiagrams = () => {
  const wrong = [];
  const slack = 1;
  for (const article of document.querySelectorAll("article.told")) {
    article.closest("details").open = true;  // what is closed has no size
    const svg = article.querySelector("svg.fig");
    if (!svg) continue;
    const say = (what) => wrong.push(`${article.id}: ${what}`);
    const parts = (name) => [...svg.querySelectorAll("[data-is]")].filter((part) => part.dataset.is.split(" ")[0] === name);
    const title = document.getElementById(svg.getAttribute("aria-labelledby").split(" ")[0]);
    if (!title || !title.textContent) say("has no title");
    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    if (Math.abs(scale - 1) > 0.01) say(`is scaled by ${scale}, so its text is not of the size it was made for`);
    const heads = parts("head").map((head) => head.getBBox());
    const lanes = heads.map((head, index) => ({
      left: head.x - 6, right: index + 1 < heads.length ? heads[index + 1].x - 6 : svg.viewBox.baseVal.width,
    }));
    if (lanes.length === 0) say("has no lane");
    const labels = lanes.map(() => []);
    for (const name of ["label", "hold", "fault"]) {
      for (const part of parts(name)) {
        const lane = Number(part.dataset.is.split(" ")[1]), box = part.getBBox();
        if (box.x < lanes[lane].left - slack || box.x + box.width > lanes[lane].right + slack)
          say(`the ${name} "${part.textContent}" leaves lane ${lane}`);
        if (box.y < 0 || box.y + box.height > svg.viewBox.baseVal.height + slack) say(`a ${name} leaves the picture`);
        if (name === "label") labels[lane].push(box);
      }
    }
    for (const lane of labels) {
      lane.sort((one, other) => one.y - other.y);
      for (let index = 1; index < lane.length; ++index)  // boxes include room above and below the letters
        if (lane[index].y < lane[index - 1].y + lane[index - 1].height - 4) say("two labels collide");
    }
    const letter = article.closest("details").querySelector("summary .chip").textContent;
    const exclusion = [...article.querySelectorAll(".verdicts .bad b")].some((name) => name.textContent === "mutual exclusion");
    if (exclusion && parts("overlap").length !== 1) say("does not mark where two hold the lock");
    if (exclusion && parts("hold").length < 2) say("does not show two holds");
    if (letter === "S" && parts("overlap").length !== 0) say("marks an overlap of a safe run");
    if (article.querySelector(".cause").textContent.length < 10) say("has no sentence of cause");
  }
  return wrong;
};

async function lookAtCells(page, where) {
  const cells = await page.locator("table.matrix tbody td").all();
  const links = await page.locator("table.matrix a.cell").all();
  const empty = await page.locator("table.matrix td > span.cell").count();
  expect(links.length > 0 && links.length + empty === cells.length, `${where}: a cell is neither a link nor not applicable`);
  for (const link of links) {
    const target = (await link.getAttribute("href")).slice(1);
    await link.click();
    const seen = await page.evaluate((id) => {
      const story = document.getElementById(id);
      if (!story) return "is not there";
      if (!story.closest("details").open) return "stays closed";
      const box = story.getBoundingClientRect();
      if (box.height < 20) return "has no height";
      return box.top < innerHeight && box.bottom > 0 ? "" : "is not scrolled to";
    }, target);
    expect(seen === "", `${where}: the story ${target} ${seen}`);
    if (seen === "is not there") continue;
    const letters = await page.evaluate((id) => [
      document.querySelector(`a.cell[href="#${CSS.escape(id)}"] b`).textContent,
      document.getElementById(id).closest("details").querySelector(".chip").textContent], target);
    expect(letters[0] === letters[1], `${where}: ${target} is ${letters[0]} in the matrix and ${letters[1]} in its story`);
  }
}

async function lookAtSearch(page, where) {
  const shown = () => page.locator("table.matrix tbody tr:visible").count();
  const all = await shown();
  await page.fill("#find", lock);
  expect((await page.locator("table.matrix tbody tr:visible th").allTextContents()).includes(lock), `${where}: the search does not find ${lock}`);
  expect(await page.locator("section.lock:visible").count() === await shown(), `${where}: the matrix and the sections disagree on what was found`);
  expect(/^[0-9]+ of [0-9]+ locks$/.test(await page.locator("#found").textContent()), `${where}: it is not said how many were found`);
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => location.hash.startsWith("#lock-")), `${where}: Enter does not lead to the lock`);
  await page.fill("#find", "no lock has such a name");
  expect(await shown() === 0, `${where}: the search finds what is not there`);
  await page.press("#find", "Escape");
  expect(await shown() === all, `${where}: Escape does not bring all locks back`);
}

async function lookAtKeyboard(page, where) {
  await page.locator("table.matrix a.cell").first().focus();
  await page.keyboard.press("ArrowRight");
  const target = await page.evaluate(() => document.activeElement.getAttribute("href"));
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => location.hash) === target, `${where}: Enter on a cell does not lead to its story`);
  expect(await page.evaluate((id) => document.activeElement.id === id, target.slice(1)), `${where}: the story does not get the focus`);
}

async function lookAt(browser, width, colorScheme) {
  const where = `${width} px, ${colorScheme}`;
  const page = await browser.newPage({ viewport: { width, height: 844 }, colorScheme });
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) problems.push(`${where}: console: ${message.text()}`); });
  page.on("pageerror", (error) => problems.push(`${where}: ${error.message}`));
  page.on("request", (request) => { if (!/^(file|data):/.test(request.url())) problems.push(`${where}: asks the network for ${request.url()}`); });
  await page.goto(address);
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  expect(await fits(), `${where}: the page itself scrolls sideways`);
  const colours = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).map(Number));
  expect(colours[0] > 128 === (colorScheme === "light"), `${where}: the background does not follow the colour scheme`);
  if (screenshots) await page.screenshot({ path: `${screenshots}/${width}-${colorScheme}.png` });
  await lookAtCells(page, where);
  await lookAtKeyboard(page, where);
  await lookAtSearch(page, where);
  problems.push(...(await page.evaluate(lookAtDiagrams)).map((what) => `${where}: ${what}`));
  const { wrong, texts_seen } = await page.evaluate(overlapsInPage, "svg.fig");
  problems.push(...wrong.map((what) => `${where}: ${what}`));
  expect(texts_seen > 0, `${where}: the pictures have no text`);
  expect(await page.locator("article.told svg.fig").count() > 0, `${where}: there is no diagram`);
  expect(await page.locator("svg [data-is=envelope]").count() > 0, `${where}: there is no envelope`);
  expect(await fits(), `${where}: with all stories open the page itself scrolls sideways`);
  await page.emulateMedia({ media: "print" });
  expect(!(await page.locator("#find").isVisible()), `${where}: the search box is printed`);
  expect(await page.evaluate(() => [...document.querySelectorAll("svg.fig")].every((svg) => svg.getBoundingClientRect().width <= innerWidth)),
    `${where}: a picture is wider than the paper`);
  await page.close();
}

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});
try {
  for (const width of [390, 1440]) for (const scheme of ["light", "dark"]) await lookAt(browser, width, scheme);
} finally {
  await browser.close();
}
for (const problem of [...new Set(problems)].slice(0, 40)) console.log(problem);
console.log(problems.length ? `${problems.length} problems` : "The page is well at 390 and 1440 px, light and dark.");
process.exit(problems.length ? 1 : 0);
