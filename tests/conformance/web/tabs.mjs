// Eight tabs of one browser follow eight matches at once; then the gateway is killed and comes back. Prints what they showed.
// "killed" on standard output asks whoever started this program to kill the gateway, "lost" to let it be started again.
import { api, created, opened, shows, withBrowser } from "./browser.mjs";

const TABS = 8;

await withBrowser(async (browser) => {
  const { context, page, faults } = await opened(browser, "ada");
  const seating = [{ player: "ada" }, { player: "bob" }];
  const matches = await Promise.all(Array(TABS).fill(0).map(() => created({ game: "al_rashid", seats: 2, seating })));
  const tabs = await Promise.all(
    matches.map(async (match) => {
      const tab = await context.newPage();
      await tab.goto(new URL(`/#/m/${match}`, page.url()).href);
      await shows(tab, 1);
      return tab;
    }),
  );
  const move = async (match) => {
    const { version, match: now } = await api("GET", `/v1/matches/${match}/table?audience=public`);
    const [seat] = now.to_act;
    const { samples } = await api("GET", `/v1/matches/${match}/legal-actions?seat=${seat}&samples=1`);
    return (await api("POST", `/v1/matches/${match}/moves`, { seat, action: samples[0], expected_version: version })).version;
  };
  const follow = async () => {
    const versions = await Promise.all(matches.map(move));
    await Promise.all(tabs.map((tab, at) => shows(tab, versions[at])));
    return versions.length;
  };
  const before = await follow();
  const beforeIt = [...faults];
  console.log("killed");
  await tabs[0].getByText("Connection lost").waitFor({ timeout: 30_000 });
  console.log("lost");
  let after = 0;
  for (let attempt = 0; after === 0 && attempt < 100; attempt++) {
    try {
      after = await follow();
    } catch (error) {
      if (!/fetch failed|ECONN|closed/.test(`${error} ${error.cause}`)) throw error;
      await new Promise((wake) => setTimeout(wake, 200)); // it is not back yet
    }
  }
  const stillLost = await Promise.all(tabs.map((tab) => tab.getByText("Connection lost").count()));
  return { before, after, faults: beforeIt, stillLost };
});
