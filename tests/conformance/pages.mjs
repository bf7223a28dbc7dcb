// Opens the pages that the gateway makes itself and prints what the browser complains about, such as a style that the policy forbids.
import { GATEWAY, withBrowser } from "./web/browser.mjs";

await withBrowser(async (browser) => {
  const told = {};
  for (const path of JSON.parse(process.env.PATHS)) {
    const page = await (await browser.newContext()).newPage();
    const faults = [];
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && faults.push(message.text()));
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("requestfailed", (request) => faults.push(`${request.url()} ${request.failure()?.errorText}`));
    await page.goto(GATEWAY + path, { waitUntil: "load" });
    const width = await page.evaluate(() => getComputedStyle(document.body).maxWidth);
    told[path] = { faults, width, title: await page.title() };
  }
  return told;
});
