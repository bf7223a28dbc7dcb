// What a visitor without a session is shown, and a player whose session ends: where the tenant lets everybody read, the table and the
// replay; elsewhere, in four languages, what can be done. Prints what was seen and said.
import { api, created, GATEWAY, opened, withBrowser } from "./browser.mjs";

const LANGUAGES = ["en", "it", "fr", "pl"];
const seating = [{ player: "ada", name: "Ada" }, { player: "bob", name: "Bob" }];
const UNKNOWN = "01890000-0000-7000-8000-000000000000";

await withBrowser(async (browser) => {
  const open = await created({ game: "al_rashid", seats: 2, visibility: "public", seating });
  const closed = await created({ game: "al_rashid", seats: 2, visibility: "private", seating });
  const told = { closed: {}, unknown: {}, lobby: {} };
  const said = async (page, address) => {
    await page.goto(`${GATEWAY}/#/`);
    await page.goto(`${GATEWAY}/${address}`);
    await page.locator("main [role=alert]").waitFor();
    return page.locator("main").innerText();
  };
  for (const lang of LANGUAGES) {
    const { context, page } = await opened(browser, null, { lang });
    told.lobby[lang] = await page.locator("main .signed-out").innerText();
    told.closed[lang] = [await said(page, `#/m/${open}`), await said(page, `#/m/${closed}/replay`)];
    await context.close();
  }
  const { context, page } = await opened(browser, "cyd");
  told.unknown = { player: await said(page, `#/m/${closed}`), nobody: await said(page, `#/m/${UNKNOWN}`) };
  told.ended = await ended(page, open);
  await context.close();
  told.refusedCode = await refusedCode(browser);

  await api("PATCH", "/v1/tenant", { anonymous_read: true });
  try {
    const watched = await created({ game: "al_rashid", seats: 2, visibility: "public", seating }); // servers remember for seconds what they refused
    told.watching = await watching(browser, watched);
    told.outOfDate = await outOfDate(browser, watched);
    told.endedWatching = await endedWatching(browser, watched);
  } finally {
    await api("PATCH", "/v1/tenant", { anonymous_read: false });
  }
  return told;
});

/** A visitor opens a login link whose code is none, or is used up. */
async function refusedCode(browser) {
  const { context, page } = await opened(browser, null);
  await page.goto("about:blank");
  await page.goto(`${GATEWAY}/#login=${"x".repeat(43)}`);
  const says = await page.locator("main > .refusal").innerText();
  const address = page.url();
  await context.close();
  return { says, address };
}

/** A visitor watches a move being made, and replays the match. */
async function watching(browser, match) {
  const { context, page, faults } = await opened(browser, null);
  await page.goto(`${GATEWAY}/#/m/${match}`);
  const table = page.locator(".table[data-version]");
  await table.waitFor();
  const before = Number(await table.getAttribute("data-version"));
  const { match: now } = await api("GET", `/v1/matches/${match}/table?audience=public`);
  const [seat] = now.to_act;
  const { samples } = await api("GET", `/v1/matches/${match}/legal-actions?seat=${seat}&samples=1`);
  await api("POST", `/v1/matches/${match}/moves`, { seat, action: samples[0], expected_version: before });
  await page.waitForFunction((last) => Number(document.querySelector(".table").dataset.version) > last, before);
  const says = await page.locator(".panel").first().innerText();
  const log = await page.locator(".log li").count();
  await page.getByRole("link", { name: "Replay" }).click();
  await page.locator(".replay[aria-busy=false]").waitFor();
  const versions = Number(await page.locator(".scrubber input").getAttribute("max"));
  await context.close();
  return { before, says, log, versions, faults };
}

/** A session is revoked while its player looks at a table: the page says so, and goes on as far as a visitor may. */
async function ended(page, match) {
  await page.goto(`${GATEWAY}/#/m/${match}`);
  await page.locator(".table").waitFor();
  await api("POST", "/v1/player-sessions/revoke", { player: "cyd" });
  await page.locator("main [role=alert]").waitFor();
  return { says: await page.locator(":is(.message, .panel):has([role=alert])").innerText(), who: await page.locator(".who").innerText() };
}

/** The same where visitors may watch: the player goes on as one of them, and is told so. */
async function endedWatching(browser, match) {
  const { context, page } = await opened(browser, "cyd");
  const says = await ended(page, match);
  await page.locator(".table[data-version]").waitFor();
  await context.close();
  return says;
}

/** A link with the token of a spectator that is no longer valid is no worse than none. */
async function outOfDate(browser, match) {
  const { token } = await api("POST", `/v1/matches/${match}/watch-tokens`, { role: "spectator" });
  await api("POST", `/v1/matches/${match}/watch-tokens/revoke`);
  const { context, page } = await opened(browser, null);
  await page.goto(`${GATEWAY}/#/m/${match}?token=${token}`);
  await page.locator(".table[data-version]").waitFor();
  const says = await page.locator(".panel").first().innerText();
  await context.close();
  return says;
}
