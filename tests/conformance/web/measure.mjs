// Measures the page in Chromium: how long a table takes after the click, a step of the scrubber, and what is transferred.
// Reads GAME, SEATS and ROUNDS from the environment.
import { api, created, opened, shows, unlessOvertaken, withBrowser } from "./browser.mjs";

const { GAME = "river_of_gold", SEATS = "4", ROUNDS = "5" } = process.env;

await withBrowser(async (browser) => {
  const bots = Array(Number(SEATS) - 1).fill({ kind: "bot", level: "random" });
  const match = await created({ game: GAME, seats: Number(SEATS), seating: [{ player: "ada" }, ...bots] });
  const version = await playedOn(match);
  const tables = [];
  const replays = [];
  const scrubs = [];
  let bytes = 0;
  for (let round = 0; round < Number(ROUNDS); round++) {
    const { context, page, goto } = await opened(browser, "ada");
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    const sizes = new Map();
    session.on("Network.responseReceived", ({ requestId, response }) => sizes.set(requestId, { url: response.url, bytes: 0 }));
    session.on("Network.dataReceived", ({ requestId, encodedDataLength }) => sizes.has(requestId) && (sizes.get(requestId).bytes += encodedDataLength));
    tables.push(await page.evaluate(untilDrawn, { hash: `#/m/${match}`, selector: ".table[data-version] .board g" }));
    await goto("#/");
    replays.push(await page.evaluate(untilDrawn, { hash: `#/m/${match}/replay?at=1`, selector: ".replay[aria-busy=false]" }));
    const replay = [...sizes.values()].filter(({ url }) => url.includes("/replay?"));
    bytes = replay.reduce((sum, one) => sum + one.bytes, 0);
    scrubs.push(...(await page.evaluate(scrubbed, version)));
    await context.close();
  }
  return { match, version, tables, replays, scrubs, bytes };
});

/** Play a match to its end with the first legal actions; return the last version. */
async function playedOn(match) {
  for (;;) {
    const { version, match: now } = await api("GET", `/v1/matches/${match}/table?audience=public`);
    if (now.status !== "running") return version;
    if (now.to_act.includes(0)) {
      const { samples } = await api("GET", `/v1/matches/${match}/legal-actions?seat=0&samples=1`);
      await api("POST", `/v1/matches/${match}/moves`, { seat: 0, action: samples[0], expected_version: version }).catch(unlessOvertaken);
    } else await new Promise((wake) => setTimeout(wake, 20));
  }
}

/** In the page: go somewhere; return the milliseconds until something is drawn there. */
async function untilDrawn({ hash, selector }) {
  const begun = performance.now();
  location.hash = hash;
  while (!document.querySelector(selector)) await new Promise(requestAnimationFrame);
  document.body.getBoundingClientRect();
  return performance.now() - begun;
}

/** In the page: move the scrubber to every version, forwards and then in leaps; return the milliseconds of each step. */
async function scrubbed(last) {
  const input = document.querySelector(".scrubber input");
  const shown = () => Number(document.querySelector(".replay[data-version]").dataset.version);
  const steps = [];
  for (let number = 1; number <= 2 * last; number++) {
    const version = number <= last ? number : ((number * 37) % last) + 1;
    const begun = performance.now();
    input.value = String(version);
    input.dispatchEvent(new Event("input", { bubbles: true }));
    for (let ticks = 0; shown() !== version && ticks < 50; ticks++) await null; // it is drawn in a microtask
    while (shown() !== version) await new Promise((wake) => setTimeout(wake));
    const drawn = performance.now() - begun;
    document.body.getBoundingClientRect(); // with its layout
    steps.push({ drawn, laidOut: performance.now() - begun, isLeap: number > last });
    await new Promise(requestAnimationFrame);
  }
  return steps;
}
