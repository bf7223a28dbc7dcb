// Plays on the page of docs/examples in Chromium, by touching what is lit and clicking buttons. Reads from the environment:
// GATEWAY and KEY, PAGE (the folder of the page), MATCHES (JSON: game, options, seats, and after how many touches to stop),
// CHROMIUM (a browser; else the one of @sparticuz/chromium). Prints what happened in each match, or why there is no browser.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { isDeepStrictEqual } from "node:util";
import packed from "@sparticuz/chromium";
import { chromium } from "playwright-core";

const { GATEWAY, KEY, PAGE, MATCHES, CHROMIUM } = process.env;
const HOST = "table.localhost"; // the gateway answers pages of this origin
const headers = { Authorization: `Bearer ${KEY}`, "Content-Type": "application/json" };
const TYPES = { html: "text/html; charset=utf-8", mjs: "text/javascript" };

const site = createServer((request, response) => {
  const name = new URL(request.url, "http://site").pathname.slice(1);
  response.setHeader("Content-Type", TYPES[name.split(".").at(-1)]);
  response.end(readFileSync(`${PAGE}/${name}`));
});
await new Promise((listening) => site.listen(0, "127.0.0.1", listening));
const browser = await launched();
const told = [];
for (const wanted of browser ? JSON.parse(MATCHES) : []) told.push(await played(wanted));
await browser?.close();
site.close();
if (browser) console.log(JSON.stringify({ told }));

async function launched() {
  const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-proxy-server", `--host-resolver-rules=MAP ${HOST} 127.0.0.1:${site.address().port}`];
  try {
    return await chromium.launch({ executablePath: CHROMIUM || (await packed.executablePath()), args });
  } catch (error) {
    console.log(JSON.stringify({ unavailable: error.message.slice(0, 2000) }));
  }
}

async function created({ game, options, seats }) {
  const bots = Array(seats - 1).fill({ kind: "bot", level: "random" });
  const body = JSON.stringify({ game, seats, options, seating: [{ player: "ada", name: "Ada <b>" }, ...bots] });
  const response = await fetch(`${GATEWAY}/v1/matches`, { method: "POST", headers, body });
  const { match, seat_tokens } = await response.json();
  return { match: match.match_id, token: seat_tokens[0].token };
}

async function played({ touches, lang, ...wanted }) {
  const { match, token } = await created(wanted);
  const page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  const faults = [], cut = { streams: 0, moves: 0 };
  page.on("console", (message) => message.type() === "error" && !/ERR_(FAILED|CONNECTION)/.test(message.text()) && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(error.stack));
  page.on("response", async (response) => response.status() >= 400 && faults.push(`${response.status()} ${response.request().postData()} ${await response.text()}`));
  const secrets = [];
  page.on("request", (request) => request.url().includes(token) && secrets.push(request.url()));
  // The first stream breaks before it begins, and the answer to the first move is lost after the server made it.
  await page.route(/\/stream\?/, (route) => (cut.streams++ ? route.continue() : route.abort()));
  await page.route(/\/moves\?/, async (route) => (cut.moves++ ? route.continue() : [await route.fetch(), await route.abort()]));
  await page.goto(`http://${HOST}/table.html?lang=${lang}#${new URLSearchParams({ api: GATEWAY, match, token })}`);
  const chosen = { shapes: 0, buttons: 0, templates: 0 };
  for (let number = 0; number < touches; number++) {
    const what = await page.evaluate(touch, number);
    if (what === "over") break;
    chosen[what]++;
  }
  const seen = async () => (await fetch(`${GATEWAY}/v1/matches/${match}/table?seat=0&lang=${lang}`, { headers })).json();
  const shown = () => page.evaluate(async () => (await import("/table.mjs")).table);
  let same = false;
  for (let attempt = 0; !same && attempt < 40; attempt++) {
    same = isDeepStrictEqual(await shown(), await seen());
    if (!same) await page.waitForTimeout(50);
  }
  const text = (selector) => page.locator(selector).innerText();
  const unnamed = await page.evaluate(() => document.querySelectorAll("[role=button]:not([aria-label]), [role=button][aria-label='']").length);
  const { version, match: now } = await seen();
  const rows = await page.locator("#outcome tr").allInnerTexts();
  const said = { seats: await text("#seats"), actions: await text("#actions"), story: await text("#story"), outcome: (await text("#outcome")).split("\n")[0] };
  await page.context().close();
  return { game: wanted.game, faults, secrets, cut, chosen, same, unnamed, version, status: now.status, results: now.outcome?.results, rows, ...said };
}

/** In the page: wait until something can be chosen and choose it, now a shape, now a button; tell what it was. */
function touch(number) {
  const waited = performance.now();
  return new Promise((done, failed) => {
    (function look() {
      const buttons = [...document.querySelectorAll("#actions button")].filter((button) => !/^[↶↺]/.test(button.textContent));
      const shapes = [...document.querySelectorAll("#boards .lit[role=button]")];
      const isReady = !document.querySelector("main").inert && buttons.length + shapes.length > 0;
      if (document.querySelector("#outcome table")) return done("over");
      if (!isReady) return performance.now() - waited < 10_000 ? setTimeout(look, 4) : failed(new Error(`nothing to choose: ${document.body.innerText}`));
      const [kind, from] = number % 2 && shapes.length ? ["shapes", shapes] : buttons.length ? ["buttons", buttons] : ["shapes", shapes];
      const one = from[(number * 7) % from.length];
      if (kind === "shapes") one.dispatchEvent(number % 4 === 1 ? new KeyboardEvent("keydown", { key: "Enter" }) : new MouseEvent("click"));
      else one.click();
      done(one.textContent.endsWith("…") ? "templates" : kind);
    })();
  });
}
