// A page that reads with plain `fetch`, now for one player, now for another, as a support page or a shared computer does.
// Prints status and body of every read. VISITS: a list of { target, headers }, read one after the other.
import { GATEWAY, withBrowser } from "./web/browser.mjs";

const visits = JSON.parse(process.env.VISITS);
await withBrowser(async (browser) => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${GATEWAY}/livez`);
  const answers = await page.evaluate(async (list) => {
    const read = [];
    for (const { target, headers } of list) {
      const answer = await fetch(target, { headers });
      read.push([answer.status, await answer.text()]);
    }
    return read;
  }, visits);
  return { answers };
});
