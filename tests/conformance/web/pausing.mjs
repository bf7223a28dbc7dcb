// Two players pause their match and go on, with the mouse; their organizer pauses it, too; and one of them goes on vacation.
// Somebody watches, and one player has the lobby open. Prints what each of them was shown.
import { api, created, GATEWAY, opened, withBrowser } from "./browser.mjs";

const DAYS = 86_400;
const faults = [];

await withBrowser(async (browser) => {
  const clock = { kind: "per_move", seconds: 3 * DAYS, vacations: true };
  const seating = [{ player: "ada", name: "Ada" }, { player: "bob", name: "Bob" }];
  const match = await created({ game: "al_rashid", seats: 2, visibility: "public", clock, seating });
  await moved(match); // so that something could be taken back
  const [ada, bob, cyd] = await Promise.all(["ada", "bob", "cyd"].map((player) => atTable(browser, match, player)));
  const lobby = await ada.context.newPage();
  await lobby.goto(`${GATEWAY}/#/`);
  const card = lobby.locator(`[data-match="${match}"]`);
  await card.waitFor();
  const tables = { ada: ada.page, bob: bob.page, cyd: cyd.page };
  const told = { running: await shown(tables) };

  await ada.page.getByRole("button", { name: "Propose a pause" }).click();
  const proposal = bob.page.locator(".proposal");
  await proposal.waitFor();
  told.proposed = { ...(await shown(tables)), toBob: await proposal.innerText(), toCyd: await cyd.page.locator(".proposal").innerText() };
  await proposal.getByRole("button", { name: "Decline" }).click();
  await everywhere(tables, "Bob refuses a pause.");
  told.declined = await shown(tables);

  await bob.page.getByRole("button", { name: "Propose a pause" }).click();
  await ada.page.locator(".proposal").getByRole("button", { name: "Agree" }).click();
  await everywhere(tables, "The match is paused by agreement.");
  await card.getByText("Paused").waitFor();
  told.paused = await shown(tables);
  await ada.page.reload();
  await ada.page.locator(".table").waitFor();
  told.reloaded = { ada: await sight(ada.page) };
  await ada.page.getByRole("button", { name: "Go on" }).click();
  await everywhere(tables, "The match goes on.");
  await card.getByText("Paused").waitFor({ state: "detached" });
  told.goesOn = await shown(tables);

  await api("POST", `/v1/matches/${match}/pause`);
  await everywhere(tables, "The match is paused.");
  told.byTenant = await shown(tables);
  await api("POST", `/v1/matches/${match}/resume`);
  await everywhere(tables, "The match goes on.", 2);

  const until = new Date(Date.now() + 7 * DAYS * 1000).toISOString();
  const { vacation_id: vacation } = await api("POST", "/v1/vacations", { player: "bob", until });
  await everywhere(tables, "Bob is on vacation: the clock stands.");
  told.vacation = { ada: await clocks(ada.page), cyd: await clocks(cyd.page) };
  await api("DELETE", `/v1/vacations/${vacation}`);
  await everywhere(tables, "Bob is back from vacation.");
  told.back = { ada: await clocks(ada.page), cyd: await clocks(cyd.page) };
  const log = await cyd.page.locator(".log li").allInnerTexts();
  return { ...told, log: log.reverse(), faults };
});

/** Make a move for whoever must act. */
async function moved(match) {
  const { version, match: now } = await api("GET", `/v1/matches/${match}/table?audience=public`);
  const [seat] = now.to_act;
  const { samples } = await api("GET", `/v1/matches/${match}/legal-actions?seat=${seat}&samples=1`);
  await api("POST", `/v1/matches/${match}/moves`, { seat, action: samples[0], expected_version: version });
}

/** Open the table as a player in a browser of the player's own. */
async function atTable(browser, match, player) {
  const { context, page, goto } = await opened(browser, player, { faults });
  await goto(`#/m/${match}`);
  await page.locator(".table").waitFor();
  return { context, page };
}

/** Wait until every table's log says something, so many times. */
async function everywhere(tables, sentence, times = 1) {
  const said = (page) => page.locator(".log span", { hasText: new RegExp(`^${sentence.replace(".", "\\.")}$`) }).nth(times - 1);
  await Promise.all(Object.values(tables).map((page) => said(page).waitFor()));
}

/** Return what each of them sees at the table. */
async function shown(tables) {
  return Object.fromEntries(await Promise.all(Object.entries(tables).map(async ([who, page]) => [who, await sight(page)])));
}

/** Return what stands above all else, which seats are marked as those that act, and what can be done about pauses and moves. */
async function sight(page) {
  const count = (found) => found.count();
  const button = (name) => count(page.getByRole("button", { name }));
  return {
    says: await page.locator(".panel h1").innerText(),
    acts: await count(page.locator(".seats .acts")),
    turn: await count(page.locator(".panel.turn")),
    over: await count(page.locator(".ended, .outcome")),
    goOn: await button("Go on"),
    propose: await button("Propose a pause"),
    takeBack: await count(page.locator(".undo button")),
    asked: await count(page.locator(".proposal button")),
  };
}

function clocks(page) {
  return page.locator(".seats .clock").allInnerTexts();
}
