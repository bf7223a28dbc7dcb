// Plays random whole matches of each game over the API, one move at a time, and looks at them in Chromium: does it draw, can
// everything legal be clicked, is nothing hidden shown, and is the replay the same? Reads GAMES (JSON: game, options, seats, and
// `every`: after how many moves it looks again; else after each).
import { api, created, drawn, opened, shows, withBrowser } from "./browser.mjs";
import { receivedHidden, titled, watching } from "./hidden.mjs";

const MAX_MOVES = Number(process.env.MAX_MOVES ?? 400);

await withBrowser(async (browser) => {
  const told = [];
  for (const wanted of JSON.parse(process.env.GAMES)) told.push(await looked(browser, wanted));
  return { told };
});

async function looked(browser, { game, seats, options, every = 1 }) {
  const players = ["ada", ...Array(seats - 1).fill(0).map((_, at) => `other-${at}`)];
  const match = await created({ game, seats, options, seating: players.map((player) => ({ player, name: player })) });
  const ada = await opened(browser, "ada", { isAlone: true });
  const { page, faults } = ada;
  await ada.goto(`#/m/${match}`);
  const at = `/v1/matches/${match}`;
  const live = new Map();
  const unreachable = [];
  const { messages } = await api("GET", `/v1/games/${game}/texts/en`);
  const watch = watching(messages);
  let decisions = 0;
  let table = await api("GET", `${at}/table?audience=public`);
  const look = async () => {
    await shows(page, table.version);
    live.set(table.version, await drawn(page));
    watch.note(await api("GET", `${at}/table?audience=referee`), await api("GET", `${at}/table?seat=0`), await titled(page));
    const { legal_actions: own } = table.match.to_act.includes(0) ? { legal_actions: await api("GET", `${at}/legal-actions?seat=0&hints=true`) } : {};
    if (own) {
      decisions++;
      unreachable.push(...(await page.evaluate(missing, own)).map((what) => `version ${table.version}: ${what}`));
    }
  };
  for (let move = 0; table.match.status === "running" && move < MAX_MOVES; move++) {
    if (move % every === 0) await look();
    const seat = table.match.to_act[move % table.match.to_act.length];
    const { samples } = await api("GET", `${at}/legal-actions?seat=${seat}&samples=1`);
    await api("POST", `${at}/moves`, { seat, action: samples[0], expected_version: table.version });
    table = await api("GET", `${at}/table?audience=public`);
  }
  await shows(page, table.version);
  live.set(table.version, await drawn(page));
  const different = await replayed(ada, match, live);
  const received = receivedHidden(watch.hidden, await page.evaluate(() => window.received));
  await ada.context.close();
  const told = {
    leaks: [...watch.leaks, ...received.leaks].slice(0, 5),
    nameless: watch.nameless.slice(0, 5),
    hidden: [...watch.hidden.values()].filter(({ size }) => size > 0).length,
    read: { ...watch.read(), ...received.read },
  };
  return { game, faults, version: table.version, decisions, unreachable: unreachable.slice(0, 5), ...told, different, status: table.match.status };
}

/** In the page: return what is legal and cannot be clicked. */
async function missing({ actions, action_hints, templates, template_hints }) {
  const ready = () => document.querySelector(".table[aria-busy=false] :is([data-option], .fields, .board.aimed)");
  for (const begun = performance.now(); !ready() && performance.now() - begun < 5_000; ) await new Promise((wake) => setTimeout(wake, 4));
  for (const closed of document.querySelectorAll(".actions details:not([open])")) closed.open = true;
  const isSeen = (one) => one !== null && one.checkVisibility() && one.getBoundingClientRect().width > 0;
  const option = (key) => document.querySelector(`[data-option="${CSS.escape(key)}"]`);
  const isOnlyTemplate = actions.length === 0 && templates.length === 1;
  const found = [];
  actions.forEach((action, at) => {
    if (!isSeen(option(`action ${at}`))) found.push(`no button for ${JSON.stringify(action)}`);
    const [target] = action_hints[at].targets;
    if (target === undefined) return;
    const shape = [...document.querySelectorAll(".boards .lit[role=button]")].find((one) => one.dataset.id === target);
    if (!isSeen(shape ?? null)) found.push(`nothing to touch for ${JSON.stringify(action)}: ${target}`);
  });
  if (!isOnlyTemplate) templates.forEach((template, at) => isSeen(option(`template ${at}`)) || found.push(`no button for ${JSON.stringify(template)}`));
  else {
    const [first] = template_hints[0].steps;
    if (first.type === "choose") first.choices.forEach(({ value }) => isSeen(option(`step 0 ${JSON.stringify(value)}`)) || found.push(`no button for ${value}`));
    if (first.type === "number" && !document.querySelector(".fields input")) found.push("no field for a number");
    if (first.type === "point" && !document.querySelector(".board.aimed")) found.push("no board for a point");
  }
  return found;
}

/** Step through the replay as seat 0; return the versions at which it is not what was drawn live. */
async function replayed({ page, goto }, match, live) {
  await goto(`#/m/${match}/replay?at=1&as=0`);
  await page.locator(".replay[aria-busy=false]").waitFor();
  const different = [];
  for (const [version, was] of live) {
    await page.locator(".scrubber input").fill(String(version));
    await page.waitForFunction((shown) => Number(document.querySelector(".replay[data-version]").dataset.version) === shown, version);
    if ((await drawn(page)) !== was) different.push(version);
  }
  return different;
}
