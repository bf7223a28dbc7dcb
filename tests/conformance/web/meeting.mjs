// People in browsers of their own come to a table in every way there is, and play: they find each other, follow a list or an
// invitation, are given a seat, lose it, sign out and in, play again. Everything is done with the mouse. Prints who saw what.
import { api, created, GATEWAY, opened, withBrowser } from "./browser.mjs";

const MOVES = 2;
const OPEN = { kind: "open" };
const faults = [];

await withBrowser(async (browser) => {
  const who = async (name, settings) => opened(browser, name, { faults, ...settings });
  const [ada, bob, cyd] = await Promise.all(["ada", "bob", "cyd"].map((name) => who(name)));
  const told = {};
  const seconds = {};
  const ways = {
    quick: () => findingEachOther([ada, bob]),
    list: () => fromTheList([ada, bob, cyd]),
    invite: () => byInvitation(ada, bob),
    guest: async () => byInvitation(ada, await who(null), 0),
    given: () => givenByTheTenant(cyd, "cyd"),
    tabs: () => inTwoTabs(ada),
    again: () => playingAgain(ada, bob),
    taken: () => takenAway(bob, "bob"),
    linked: async () => byLink(await who(null), "eli"),
    signedInstead: () => signingOutAndIn(cyd, "dan"),
  };
  for (const [way, go] of Object.entries(ways)) {
    const begun = performance.now();
    told[way] = await go();
    seconds[way] = Math.round(performance.now() - begun) / 1000;
  }
  return { ...told, faults, seconds };
});

/** Both ask for other players: the first one waits, the second one finds the first. */
async function findingEachOther(people) {
  for (const { page } of people) {
    await page.goto(`${GATEWAY}/#/`);
    await page.locator('[data-game="al_rashid"]').getByRole("button", { name: "Find other players" }).click();
    await page.waitForURL(/#\/m\//);
  }
  return { ...(await played(people)), tables: new Set(people.map(({ page }) => page.url())).size };
}

/** A match with three seats for everybody, set up on the page; the two others find it in their lists. */
async function fromTheList(people) {
  const [{ page }, ...others] = people;
  await page.goto(`${GATEWAY}/#/`);
  await setUp(page, "river_dragons", { seats: "3", "seating/1": "open", "seating/2": "open" });
  const match = matchAt(page);
  for (const other of others) {
    await other.page.goto(`${GATEWAY}/#/`);
    await other.page.locator(`[aria-labelledby=tables] [data-match="${match}"]`).click();
    await other.page.getByRole("button", { name: /^Take this seat/ }).first().click();
    await other.page.getByText("This is you").or(other.page.locator(".table")).first().waitFor();
  }
  return played(people, 1);
}

/** The first one sets a match up and passes an invitation on; the other opens it, signed in or not, and takes the seat. */
async function byInvitation(host, guest, moves = MOVES) {
  await host.page.goto(`${GATEWAY}/#/`);
  await setUp(host.page, "al_rashid", { seats: "2", "seating/1": "invited" });
  const link = await host.page.getByLabel("Invitation for seat 2", { exact: true }).inputValue();
  await guest.page.goto(link);
  await guest.page.getByRole("button", { name: /^Take this seat/ }).click();
  const done = await played([host, guest], moves);
  await guest.page.goto("about:blank");
  await guest.page.goto(link);
  return { ...done, again: await seen(guest.page) };
}

/** Somebody looks at a public table; then the platform seats this player, and the match begins. */
async function givenByTheTenant(person, player) {
  const match = await created({ game: "river_of_gold", seats: 2, visibility: "public", seating: [OPEN, OPEN] });
  await person.page.goto(`${GATEWAY}/#/m/${match}`);
  await person.page.locator(".join").waitFor();
  await api("POST", `/v1/matches/${match}/join`, { player, seat: 0 });
  await person.page.getByText("This is you").waitFor();
  await api("POST", `/v1/matches/${match}/join`, { player: "somebody", seat: 1 });
  return played([person], 0);
}

/** The same table in two tabs of one browser: in one of them a seat is taken. */
async function inTwoTabs({ page, context }) {
  const match = await created({ game: "al_rashid", seats: 2, visibility: "public", seating: [{ player: "somebody" }, OPEN] });
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto(`${GATEWAY}/#/m/${match}`);
    await tab.locator(".join").waitFor();
  }
  await page.getByRole("button", { name: /^Take this seat/ }).click();
  const both = [await seen(page), await seen(other)];
  await other.close();
  return both;
}

/** After a match is over, each asks to play again. */
async function playingAgain(one, other) {
  const match = await created({ game: "al_rashid", seats: 2, visibility: "public", seating: [{ player: "ada" }, { player: "bob" }] });
  for (const { page } of [one, other]) {
    await page.goto(`${GATEWAY}/#/m/${match}`);
    await page.locator(".table").waitFor();
  }
  await api("POST", `/v1/matches/${match}/resign`, { seat: 1 });
  await one.page.getByRole("button", { name: "Play again" }).click();
  await one.page.locator(".join").waitFor();
  await other.page.getByRole("button", { name: "Play again" }).click();
  return played([one, other], 0);
}

/** Signed out at a table where this player has a seat, then signed in by a link in the same tab, as somebody who has the other seat. */
async function signingOutAndIn({ page }, next) {
  const match = await created({ game: "al_rashid", seats: 2, visibility: "public", seating: [{ player: "cyd" }, { player: next }] });
  await page.goto(`${GATEWAY}/#/m/${match}`);
  const before = await seen(page);
  await page.getByRole("button", { name: "Sign out" }).click();
  const closed = await page.getByRole("alert").innerText();
  const { code } = await api("POST", "/v1/login-codes", { player: next });
  await page.evaluate((to) => (location.hash = to), `#login=${code}`);
  await page.locator(`[data-match="${match}"]`).first().click();
  return { before, closed, after: await seen(page) };
}

/** A link signs a player in and leads to an invitation. Links that name other addresses lead nowhere but to this page. */
async function byLink({ page }, player) {
  const link = async (next) => `${GATEWAY}/#login=${(await api("POST", "/v1/login-codes", { player })).code}&next=${next}`;
  const seating = [{ player: "somebody" }, { kind: "invited" }];
  const made = await api("POST", "/v1/matches", { game: "al_rashid", seats: 2, visibility: "private", seating });
  await page.goto(await link(`/m/${made.match.match_id}?invite=${made.invites[0].token}`));
  await page.getByRole("button", { name: /^Take this seat/ }).click();
  const sight = await seen(page);
  const shown = page.url() === `${GATEWAY}/#/m/${made.match.match_id}`;
  const { seats } = await api("GET", `/v1/matches/${made.match.match_id}`);
  const elsewhere = [];
  for (const next of ["//example.com/", "https://example.com/", "javascript:alert(1)", ""]) {
    await page.goto("about:blank");
    await page.goto(await link(next));
    await page.locator('[data-game="al_rashid"]').waitFor();
    elsewhere.push(page.url() === `${GATEWAY}/#${next}`);
  }
  return { sight, shown, seated: seats[1].player, elsewhere };
}

/** The tenant frees the seat of a player who waits; then the player takes another one. */
async function takenAway({ page }, player) {
  const match = await created({ game: "al_rashid", seats: 3, visibility: "public", seating: [OPEN, OPEN, { player: "somebody" }] });
  await api("POST", `/v1/matches/${match}/join`, { player, seat: 0 });
  await page.goto(`${GATEWAY}/#/m/${match}`);
  await page.getByText("This is you").waitFor();
  await api("POST", `/v1/matches/${match}/leave`, { seat: 0 });
  await page.getByText("This is you").waitFor({ state: "detached" });
  const free = page.getByRole("button", { name: /^Take this seat: Seat 2/ });
  await free.click();
  await page.getByText("This is you").waitFor();
  await api("POST", `/v1/matches/${match}/join`, { player: "late", seat: 0 });
  return seen(page);
}

// ── what all of them do ──

async function setUp(page, game, choices) {
  await page.locator(`[data-game="${game}"] [aria-expanded]`).click();
  for (const [name, value] of Object.entries(choices)) await page.locator(`.plan select[name="${name}"]`).selectOption(value);
  await page.locator(".plan button[type=submit]").click();
  await page.waitForURL(/#\/m\//);
}

function matchAt(page) {
  return /#\/m\/([^/?]+)/.exec(page.url())[1];
}

/** Return what somebody sees of a match that is played: whose seat, and whether as a watcher. */
async function seen(page) {
  await page.locator(".table[aria-busy=false]").waitFor();
  await page.locator(".seats small").waitFor({ timeout: 3_000 }).catch(() => undefined);
  return { own: await page.locator(".seats li").filter({ has: page.locator("small") }).count(), watches: await page.getByText("You are watching").count() };
}

/** Let everybody make moves, whenever it is their turn, with the mouse alone; return what they saw, and how many were made by whom. */
async function played(people, moves = MOVES) {
  const match = matchAt(people[0].page);
  const sights = await Promise.all(people.map(({ page }) => seen(page)));
  const made = people.map(() => 0);
  for (let idle = 0; made.some((count) => count < moves) && idle < 100; idle++) {
    for (const [at, { page }] of people.entries()) {
      if (made[at] < moves && (await page.locator(".panel.turn .actions").count()) && (await moved(page))) {
        made[at]++;
        idle = 0;
      }
    }
    await new Promise((wake) => setTimeout(wake, 50));
  }
  const { moves: all } = await api("GET", `/v1/matches/${match}/moves?audience=public&page_size=100`);
  return { sights, made, logged: [...new Set(all.flatMap(({ seat }) => seat ?? []))].sort() };
}

/** Choose until there is something to confirm, and confirm it; return whether that is this person's move. */
async function moved(page) {
  const version = () => page.locator(".table").getAttribute("data-version").then(Number);
  const before = await version();
  for (let clicks = 0; clicks < 12; clicks++) {
    const confirm = page.locator("[data-confirm]");
    if (await confirm.count()) {
      await confirm.click();
      await page.waitForFunction((last) => Number(document.querySelector(".table[aria-busy=false]")?.dataset.version) > last, before);
      return true;
    }
    for (const closed of await page.locator(".actions details:not([open]) summary").all()) await closed.click();
    const [next] = await page.locator(".actions :is([data-option], .fields button)").all();
    if (next === undefined) return false;
    await next.click();
  }
  return false;
}
