// What all programs here share: a browser, pages that collect everything that goes wrong, and the API with the tenant's key.
// Read from the environment: GATEWAY and KEY; CHROMIUM (a browser; else the one of @sparticuz/chromium).
import packed from "@sparticuz/chromium";
import { chromium } from "playwright-core";

export const { GATEWAY, KEY, CHROMIUM } = process.env;
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-proxy-server", "--disable-background-networking"];

/** Do something with a browser and print what it returns as JSON; print why, if no browser starts. If it fails, say what each page shows. */
export async function withBrowser(work) {
  const browser = await launched();
  if (browser === undefined) return;
  try {
    console.log(JSON.stringify(await work(browser)));
  } catch (error) {
    for (const context of browser.contexts()) for (const page of context.pages()) console.error(await shown(page));
    throw error;
  } finally {
    await browser.close();
  }
}

/** Return the address of a page and the beginning of what it shows, for whoever reads why a program failed. */
async function shown(page) {
  const main = await page.evaluate(() => document.querySelector("main")?.outerHTML ?? "").catch(String);
  return `${page.url()}\n${main.slice(0, 1500)}\n`;
}

/** Start a browser, in up to three tries: on a busy machine it may die before it is up. Print why, if none starts. */
async function launched() {
  const executablePath = CHROMIUM || (await packed.executablePath());
  for (let tries = 1; ; tries++) {
    try {
      return await chromium.launch({ executablePath, args: ARGUMENTS });
    } catch (error) {
      if (tries < 3) continue;
      console.log(JSON.stringify({ unavailable: error.message.slice(0, 2000) }));
      return undefined;
    }
  }
}

/** Send a request with the tenant's key. */
export async function api(method, path, body, credential = KEY) {
  const headers = { Authorization: `Bearer ${credential}`, "Content-Type": "application/json" };
  const response = await fetch(GATEWAY + path, { method, headers, body: body && JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

/**
 * Open a browser of its own, signed in by a login link as a player; null: not signed in.
 *
 * `faults` collects errors of the console, exceptions and answers from 400 on. With `isAlone` the page reads streams itself,
 * so that what it receives can be read (`received`); else the worker does that all tabs share. Nothing moves on the screen unless
 * `reducedMotion` is "no-preference".
 */
export async function opened(browser, player, { width = 1600, height = 1000, lang = "en", isAlone = false, faults = [], ...rest } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion: "reduce", locale: lang, ...rest });
  context.on("console", (message) => ["error", "warning"].includes(message.type()) && faults.push(message.text()));
  context.on("weberror", (error) => faults.push(String(error.error().stack)));
  context.on("response", async (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()} ${await response.text()}`);
  });
  if (isAlone) await context.addInitScript(listenToFetch);
  const page = await context.newPage();
  if (player === null) await page.goto(GATEWAY);
  else {
    const { code } = await api("POST", "/v1/login-codes", { player });
    await page.goto(`${GATEWAY}/#login=${code}`);
    await page.getByText(player, { exact: false }).first().waitFor();
  }
  return { context, page, faults, goto: (hash) => page.evaluate((to) => (location.hash = to), hash) };
}

/** In the page: keep all that `fetch` brings, streams included. */
function listenToFetch() {
  delete window.SharedWorker;
  const ask = window.fetch.bind(window);
  window.received = [];
  window.fetch = async (...asked) => {
    const response = await ask(...asked);
    if (!response.body) return response;
    const [own, kept] = response.body.pipeThrough(new TextDecoderStream()).tee();
    const entry = { url: response.url, type: response.headers.get("content-type") ?? "", text: "" };
    window.received.push(entry);
    void (async () => {
      for await (const part of kept) entry.text += part;
    })().catch(() => {}); // an aborted stream ends here; the page handles it
    const { status, statusText, headers } = response;
    return new Response(own.pipeThrough(new TextEncoderStream()), { status, statusText, headers });
  };
}

/** Create a match; return its id. */
export async function created(plan) {
  return (await api("POST", "/v1/matches", plan)).match.match_id;
}

/** Wait until a page shows a version of a match, or a later one. */
export async function shows(page, version) {
  await page.waitForFunction((least) => Number(document.querySelector("[data-version]")?.dataset.version ?? -1) >= least, version);
}

/** Return the boards as they are drawn, without what may be touched. */
export function drawn(page) {
  return page.evaluate(() => {
    const boards = document.querySelector(".boards").cloneNode(true);
    for (const area of boards.querySelectorAll(".hit")) area.remove();
    for (const shape of boards.querySelectorAll("g")) {
      shape.classList.remove("lit", "touched");
      if (!shape.classList.length) shape.removeAttribute("class");
      for (const name of ["role", "tabindex", "aria-label", "data-through"]) shape.removeAttribute(name);
    }
    return [...boards.querySelectorAll("svg")].map((board) => board.innerHTML).join("\n");
  });
}

/** Let a move pass that another player was faster than. */
export function unlessOvertaken(error) {
  if (!String(error).includes("VERSION_CONFLICT")) throw error;
}
