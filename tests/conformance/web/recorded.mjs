// Looks at matches that bots have played, in the replay, with the eyes of everybody and of the referee. Reads GAMES (JSON: game, options,
// seats; `every`: it looks at the first version, then at every third, say, and at the last; and `plain`: without the game's own
// drawings, as a game is shown that has none). Prints what was drawn.
import { api, created, opened, withBrowser } from "./browser.mjs";

await withBrowser(async (browser) => {
  const told = [];
  for (const wanted of JSON.parse(process.env.GAMES)) told.push(await replayed(browser, wanted));
  return { told };
});

async function replayed(browser, { game, seats, options, every = 1, plain = false }) {
  const seating = Array.from({ length: seats }, (_, at) => ({ kind: "bot", level: "random", name: `Bot ${at + 1}` }));
  const match = await created({ game, seats, options, seating, visibility: "public" });
  await over(match);
  const { page, context, faults, goto } = await opened(browser, "ada");
  if (plain) {
    const withoutDrawings = { contentType: "text/javascript", body: "export const skin = {};" };
    await context.route(/\/web\/game-[^/]*\.js$/, (route) => route.fulfill(withoutDrawings));
  }
  const missing = [];
  let versions = 0;
  for (const eyes of ["public", "referee"].slice(0, plain ? 1 : 2)) {
    await goto("#/");
    await page.locator(".lobby").waitFor();
    await goto(`#/m/${match}/replay?at=1&as=${eyes}`);
    await page.locator(".replay[aria-busy=false]").waitFor();
    const { steps } = await api("GET", `/v1/matches/${match}/replay?what=tables&audience=${eyes}&page_size=1`);
    const drawn = await page.evaluate(versionsDrawn, every);
    versions += drawn.length;
    const known = Object.keys(steps[0].table.pieces).sort().join();
    if (drawn[0].pieces !== known) missing.push(`${eyes} 1: ${drawn[0].pieces}, not ${known}`);
    missing.push(...drawn.filter(({ broken }) => broken).map(({ version, broken }) => `${eyes} ${version}: ${broken}`));
  }
  await context.close();
  return { game, plain, faults, versions, missing };
}

async function over(match) {
  for (const begun = Date.now(); Date.now() - begun < 120_000; await new Promise((wake) => setTimeout(wake, 200))) {
    if ((await api("GET", `/v1/matches/${match}`)).status === "ended") return;
  }
  throw new Error(`${match} does not end`);
}

/** In the page: scrub through the versions; return which pieces lie there, and what is drawn with a number that is none. */
async function versionsDrawn(every) {
  const input = document.querySelector(".scrubber input");
  const drawn = [];
  const last = Number(input.max);
  const searched = Math.floor(10 / every); // to search all that is drawn takes longer than to draw it: about each tenth version
  for (let version = 1; version <= last; version = version < last ? Math.min(version + every, last) : last + 1) {
    input.value = String(version);
    input.dispatchEvent(new Event("input", { bubbles: true }));
    while (Number(document.querySelector(".replay[data-version]").dataset.version) !== version) await new Promise((wake) => setTimeout(wake));
    const isSearched = drawn.length % searched === 0;
    const boards = document.querySelector(".boards");
    const pieces = [...boards.querySelectorAll("g[data-at]")].map(({ dataset }) => dataset.id);
    drawn.push({ version, pieces: pieces.sort().join(), broken: isSearched ? (/NaN|undefined|\[object/.exec(boards.innerHTML)?.[0] ?? "") : "" });
  }
  return drawn;
}
