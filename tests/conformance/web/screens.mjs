// Looks at every screen of the page as those do who cannot see it, at two widths, with axe-core. Reads GAMES (ids). Prints findings.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { api, created, opened, shows, withBrowser } from "./browser.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WIDTHS = [360, 1_600];

await withBrowser(async (browser) => {
  const found = [];
  const wide = [];
  for (const width of WIDTHS) {
    const height = width < 600 ? 740 : 1_000;
    const guest = await opened(browser, null, { width, height });
    const ada = await opened(browser, "ada", { width, height, faults: guest.faults });
    const look = async ({ page }, name) => {
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      for (const violation of violations) violation.nodes = violation.nodes.filter(({ html }) => !isSymbolOf(violation, html));
      found.push(...violations.filter(({ nodes }) => nodes.length > 0).map(({ id, nodes }) => `${name} at ${width}: ${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(" | ")}`));
      const page_ = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      if (page_[0] > page_[1]) wide.push(`${name} at ${width}: ${page_[0]} pixels wide`);
    };
    await guest.page.locator("main :is(p, h1)").first().waitFor();
    await look(guest, "lobby, not signed in");
    await ada.page.locator("[data-game] [aria-expanded]").first().waitFor();
    await look(ada, "lobby");
    for (const game of JSON.parse(process.env.GAMES)) {
      await ada.goto("#/");
      await ada.page.locator(`[data-game="${game}"] [aria-expanded]`).click();
      await ada.page.locator(".plan button[type=submit]").waitFor();
      await look(ada, `new match of ${game}`);
      const waiting = await created({ game, seats: 2, seating: [{ player: "ada" }, { kind: "invited" }] });
      await ada.goto(`#/m/${waiting}`);
      await ada.page.locator(".join").waitFor();
      await look(ada, `waiting match of ${game}`);
      const match = await created({ game, seats: 2, seating: [{ player: "ada" }, { player: "bob" }] });
      await ada.goto(`#/m/${match}`);
      await shows(ada.page, 1);
      await ada.page.locator(".log li").first().waitFor();
      await look(ada, `table of ${game}`);
      await api("POST", `/v1/matches/${match}/resign`, { seat: 1 });
      await ada.page.locator(".outcome").waitFor();
      await look(ada, `ended table of ${game}`);
      await ada.goto(`#/m/${match}/replay`);
      await ada.page.locator(".replay[aria-busy=false]").waitFor();
      await look(ada, `replay of ${game}`);
    }
    found.push(...guest.faults);
    await guest.context.close();
    await ada.context.close();
  }
  return { found, wide };
});

/** Return whether a rule asks that a name contain the numbers drawn on a piece. Those are symbols, which WCAG 2.5.3 exempts; axe cannot tell. */
function isSymbolOf({ id }, html) {
  return id === "label-content-name-mismatch" && html.startsWith("<g ");
}
