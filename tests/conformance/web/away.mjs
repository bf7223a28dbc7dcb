// A player's time is up, so that the server decides for the seat; then the player comes back with a click. Prints what was shown.
import { api, created, opened, withBrowser } from "./browser.mjs";

await withBrowser(async (browser) => {
  const clock = { kind: "per_move", seconds: 2, away_after: 1 };
  const seating = [{ player: "ada", name: "Ada" }, { kind: "bot", level: "random", name: "Botty" }];
  const match = await created({ game: "al_rashid", seats: 2, bot_pace_seconds: 10, clock, seating }); // the bot waits for a tenth of its time
  const { page, faults, goto } = await opened(browser, "ada");
  await goto(`#/m/${match}`);
  await page.locator(".away").waitFor({ timeout: 30_000 });
  const isShown = () => page.locator(".seats .clock").first().innerText();
  const before = await isShown();
  await page.locator(".away button").click();
  await page.getByText("Ada is back.").waitFor();
  const { moves } = await api("GET", `/v1/matches/${match}/moves?audience=referee`);
  return { before, faults, returned: moves.flatMap(({ events }) => events).filter(({ type }) => type === "seat_returned") };
});
