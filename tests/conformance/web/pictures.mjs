// Takes pictures of the page for the README: the table of each game in the middle of a match. Reads FOLDER from the environment.
import { api, created, opened, shows, unlessOvertaken, withBrowser } from "./browser.mjs";

const { FOLDER, GAMES } = process.env;

await withBrowser(async (browser) => {
  const taken = [];
  for (const { game, seats, options, moves } of JSON.parse(GAMES)) {
    const names = ["Ada", "Bruno", "Chloé", "Darek"].slice(0, seats);
    const bots = names.slice(1).map((name) => ({ kind: "bot", level: "greedy", name }));
    const match = await created({ game, seats, options, seating: [{ player: "ada", name: names[0] }, ...bots] });
    await playedUntil(match, moves);
    const { context, page, goto } = await opened(browser, "ada", { width: 1_400, height: 900 });
    await goto(`#/m/${match}`);
    await shows(page, moves);
    await page.locator(".log li").first().waitFor();
    await page.screenshot({ path: `${FOLDER}/${game}.png` });
    taken.push(`${game}.png`);
    await context.close();
  }
  return { taken };
});

/** Make legal moves for the first seat until it has to decide something after so many moves. */
async function playedUntil(match, moves) {
  for (;;) {
    const { version, match: now } = await api("GET", `/v1/matches/${match}/table?audience=public`);
    if (now.status !== "running" || (version >= moves && now.to_act.includes(0))) return;
    if (now.to_act.includes(0)) {
      const { samples } = await api("GET", `/v1/matches/${match}/legal-actions?seat=0&samples=1`);
      await api("POST", `/v1/matches/${match}/moves`, { seat: 0, action: samples[0], expected_version: version }).catch(unlessOvertaken);
    } else await new Promise((wake) => setTimeout(wake, 20));
  }
}
