// Plays a whole match of each game in Chromium as a person would, while a second browser watches. Reads GAMES from the environment
// (JSON: game, options, seats, and `by`: "clicks" or "keys"; `moving`: pieces glide). Prints what happened.
import { api, created, drawn, opened, shows, withBrowser } from "./browser.mjs";

const MAX_CHOICES = 1_500;

await withBrowser(async (browser) => {
  const told = [];
  for (const wanted of JSON.parse(process.env.GAMES)) told.push(await played(browser, wanted));
  return { told };
});

async function played(browser, { game, seats, options, by, lang = "en", moving = false }) {
  const reducedMotion = moving ? "no-preference" : "reduce";
  const player = await opened(browser, "ada", { lang, reducedMotion });
  const { page, faults } = player;
  await page.evaluate(countGlides);
  const chosen = { boards: 0, buttons: 0, confirmed: 0 };
  const match = await createdInLobby(page, by, game, seats, options);
  const watcher = await opened(browser, "watcher", { lang, faults, reducedMotion });
  await watcher.goto(`#/m/${match}`);
  for (let number = 0; number < MAX_CHOICES; number++) {
    const what = by === "keys" ? await chooseByKeys(page, number) : await page.evaluate(choose, number);
    if (what === "over") break;
    chosen[what]++;
  }
  const { version, match: now } = await api("GET", `/v1/matches/${match}/table?audience=public`);
  await shows(watcher.page, version);
  const scores = (each) => each.page.locator(".outcome tr").allInnerTexts();
  const told = {
    game,
    by,
    faults,
    chosen,
    version,
    status: now.status,
    glides: await page.evaluate(() => window.glides),
    results: now.outcome?.results,
    rows: await scores(player),
    watched: await scores(watcher),
    different: await difference(page, watcher.page),
  };
  await player.context.close();
  await watcher.context.close();
  return told;
}

/** In the page: count the pieces that begin to glide. */
function countGlides() {
  const animate = SVGElement.prototype.animate;
  window.glides = 0;
  SVGElement.prototype.animate = function (...asked) {
    window.glides++;
    return animate.apply(this, asked);
  };
}

/** Return what one page shows on the common boards, and the other does not. */
async function difference(...pages) {
  const [one, other] = await Promise.all(pages.map(commonOf));
  return [...one.filter((line) => !other.includes(line)), ...other.filter((line) => !one.includes(line))];
}

/** Return what lies where on the boards that belong to nobody. What lies face down for one may be face up for the other. */
function commonOf(page) {
  return page.evaluate(() => {
    const shapes = [...document.querySelectorAll(".boards figure:not([data-seat]) g[data-id]")];
    return shapes.map(({ dataset }) => `${dataset.id} at ${dataset.at}`);
  });
}

/** Create a match against bots in the lobby, by clicks or by keys alone; return its id. */
async function createdInLobby(page, by, game, seats, options) {
  const press = (button) => (by === "keys" ? button.press("Enter") : button.click());
  await press(page.locator(`[data-game="${game}"] [aria-expanded]`));
  const chosen = { ...(seats ? { seats: String(seats) } : {}), ...options, bot_pace_seconds: "0", visibility: "public" };
  for (const [name, value] of Object.entries(chosen)) {
    const select = page.locator(`.plan select[name="${name}"]`);
    await (by === "keys" ? selectByKeys(select, value) : select.selectOption(value));
  }
  await press(page.locator(".plan button[type=submit]"));
  await page.waitForURL(/#\/m\//);
  return /#\/m\/([^/?]+)/.exec(page.url())[1];
}

/** Step through the values of a select until it has the one wanted. */
async function selectByKeys(select, value) {
  await select.press("Home");
  for (let steps = 0; (await select.inputValue()) !== value; steps++) {
    if (steps > 30) throw new Error(`no key leads to ${value}`);
    await select.press("ArrowDown");
  }
}

/** In the page: wait until something can be chosen and choose it, on a board or by a button; tell what it was. */
function choose(number) {
  const begun = performance.now();
  return new Promise((done, failed) => {
    (function look() {
      if (document.querySelector(".outcome")) return done("over");
      const table = document.querySelector(".table[aria-busy=false]");
      const find = (selector) => [...(table?.querySelectorAll(selector) ?? [])];
      const [confirm] = find("[data-confirm]");
      const shapes = find(".boards .lit[role=button]");
      const buttons = find("[data-option], .fields button");
      const points = find(".board.aimed");
      const all = number % 4 > 1 && shapes.length ? shapes : buttons.length ? buttons : shapes;
      if (confirm || all.length || points.length) {
        const one = confirm ?? points[0] ?? all[(number * 7) % all.length];
        const box = one.getBoundingClientRect();
        const [clientX, clientY] = [box.x + box.width * (0.3 + 0.4 * Math.random()), box.y + box.height * (0.3 + 0.4 * Math.random())];
        if (one.namespaceURI.endsWith("svg")) one.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX, clientY }));
        else one.click();
        return done(confirm ? "confirmed" : all === shapes || points.length ? "boards" : "buttons");
      }
      if (performance.now() - begun < 10_000) return setTimeout(look, 4);
      return failed(new Error(`nothing to choose: ${document.body.innerText}`));
    })();
  });
}

/** Choose something with the keyboard alone: Tab to it, then Enter; tell what it was. */
async function chooseByKeys(page, number) {
  await page.waitForFunction(() => document.querySelector(".outcome, [data-confirm], [data-option], .lit[role=button], .fields"), null, { timeout: 10_000 });
  if (await page.locator(".outcome").count()) return "over";
  // A person tabs; to save minutes, the test puts the focus right before the thing, and goes there with Tab.
  const what = await page.evaluate((number) => {
    const find = (selector) => [...document.querySelectorAll(selector)];
    const [confirm] = find("[data-confirm]");
    if (confirm) return "confirmed";
    for (const closed of find(".actions details:not([open])")) closed.open = true;
    const shapes = find(".boards .lit[role=button]");
    const buttons = find("[data-option], .fields button");
    const all = number % 4 > 1 && shapes.length ? shapes : buttons.length ? buttons : shapes;
    const one = all[(number * 7) % all.length];
    const focusable = find("a[href], button, input, select, summary, [tabindex='0']").filter((each) => each.checkVisibility());
    const before = focusable[focusable.indexOf(one) - 1];
    before.focus();
    return all === shapes ? "boards" : "buttons";
  }, number);
  if (what !== "confirmed") await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector(".table[aria-busy=false]"));
  return what;
}
