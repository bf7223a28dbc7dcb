// Plays random matches of each game with the mouse, and at every decision of seat 0 asks of everything that is lit how much of its
// box takes the click. Reads GAMES (JSON: game, options, seats, and `plain`: without the game's own drawings; `every`: one decision
// in so many is looked at; `most`: at most so many; `width`, `height`: of the window; `touch`: with a finger). Prints the shares, and
// what fell short.
import { api, created, opened, shows, withBrowser } from "./browser.mjs";

const MAX_MOVES = 1_500;
const LEAST = 0.8;
/** Points of a grid over a box, in each direction. */
const POINTS = 10;

await withBrowser(async (browser) => {
  const told = [];
  for (const wanted of JSON.parse(process.env.GAMES)) told.push(await clicked(browser, wanted));
  return { told };
});

async function clicked(browser, { game, seats = 2, options, plain = false, touch = false, every = 1, most = Infinity, width = 1_600, height = 1_000 }) {
  const random = numbers(7);
  const players = ["ada", ...Array(seats - 1).fill(0).map((_, at) => `other-${at}`)];
  const match = await created({ game, seats, options, seating: players.map((player) => ({ player, name: player })) });
  const { context, page, faults, goto } = await opened(browser, "ada", { width, height, hasTouch: touch });
  if (plain) {
    const withoutDrawings = { contentType: "text/javascript", body: "export const skin = {};" };
    await context.route(/\/web\/game-[^/]*\.js$/, (route) => route.fulfill(withoutDrawings));
  }
  await page.evaluate(withGrid, POINTS);
  await goto(`#/m/${match}`);
  const at = `/v1/matches/${match}`;
  const kinds = new Map();
  const short = [];
  const told = { decisions: 0, targets: 0, clicks: 0, wrong: [], moved: [], shared: 0 };
  let table = await api("GET", `${at}/table?audience=public`);
  for (let move = 0, own = 0; table.match.status === "running" && move < MAX_MOVES && told.decisions < most; move++) {
    const acting = table.match.to_act;
    const seat = acting.includes(0) ? 0 : acting[Math.floor(random() * acting.length)];
    if (seat === 0 && own++ % every === 0) {
      told.decisions++;
      await shows(page, table.version);
      await lookedAt(table);
    }
    const { samples } = await api("GET", `${at}/legal-actions?seat=${seat}&samples=1`);
    await api("POST", `${at}/moves`, { seat, action: samples[0], expected_version: table.version });
    table = await api("GET", `${at}/table?audience=public`);
  }
  await context.close();
  const shares = Object.fromEntries([...kinds].sort().map(([kind, { sum, count, least }]) => [kind, { mean: round(sum / count), least: round(least), count }]));
  return { game, plain, touch, width, faults, version: table.version, status: table.match.status, ...told, shares, short: short.slice(0, 8), shortened: short.length, wrong: told.wrong.slice(0, 8) };

  /** At an open decision: measure what is lit, touch one of them with the mouse, and so on until nothing is lit; then begin again. */
  async function lookedAt({ version }) {
    await page.waitForFunction(() => document.querySelector(".table[aria-busy=false] :is([data-option], .fields, .board.aimed, .lit)"));
    for (let step = 0; step < 8; step++) {
      const lit = await page.evaluate(measured);
      if (lit.length === 0) break;
      if (touch && step === 0 && lit.length > 1 && told.moved.length === 0) {
        for (const fingerOn of [lit[0].id, undefined]) {
          await page.evaluate(tapMoved, { fingerOn, clickOn: lit[1].id });
          const chosen = fingerOn ?? lit[1].id;
          told.moved.push({ fingerOn, clickOn: lit[1].id, chosen: (await becomesTouched(chosen)) ? chosen : undefined });
          await page.evaluate(() => document.querySelector(".again")?.click());
          await page.waitForFunction(() => document.querySelector(".boards .touched") === null);
        }
      }
      for (const { id, kind, share, shared } of lit) {
        told.targets++;
        told.shared += shared > 0 ? 1 : 0;
        const known = kinds.get(kind) ?? { sum: 0, count: 0, least: 1 };
        kinds.set(kind, { sum: known.sum + share, count: known.count + 1, least: Math.min(known.least, share) });
        if (share < LEAST) short.push(`version ${version}, step ${step}: ${id} ${round(share)}`);
      }
      const target = lit[Math.floor(random() * lit.length)];
      const { x, y } = await page.evaluate(pointOf, { id: target.id, chance: random(), atEdge: touch });
      await (touch ? page.touchscreen.tap(x, y) : page.mouse.click(x, y));
      told.clicks++;
      if (!(await becomesTouched(target.id))) told.wrong.push(`version ${version}, step ${step}: ${target.id} at ${Math.round(x)}, ${Math.round(y)}`);
    }
    await page.evaluate(() => document.querySelector(".again")?.click());
  }

  async function becomesTouched(id) {
    const touched = (id) => document.querySelector(`.boards [data-id="${CSS.escape(id)}"]`).classList.contains("touched");
    return (await page.waitForFunction(touched, id, { timeout: 2_000 }).catch(() => null)) !== null;
  }
}

function round(share) {
  return Math.round(share * 1000) / 1000;
}

/** Return a source of numbers from 0 to 1, the same at every run. */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** In the page: make `window.gridOf`, which gives points of a grid over the box of something lit, and what each of them hits there. */
function withGrid(points) {
  window.gridOf = (one) => {
    const board = one.closest("svg");
    const turned = one.querySelector(".hit[transform]"); // the box of a plank that lies aslant is aslant, too
    const box = turned?.getBBox() ?? one.getBoundingClientRect();
    const matrix = turned?.getScreenCTM() ?? new DOMMatrix();
    const cells = Array.from({ length: points * points }, (_, at) => [(at % points) + 0.5, Math.floor(at / points) + 0.5]);
    return cells.flatMap(([across, down]) => {
      const { x, y } = new DOMPoint(box.x + (box.width * across) / points, box.y + (box.height * down) / points).matrixTransform(matrix);
      const hit = document.elementFromPoint(x, y);
      if (hit === null || !(board.contains(hit) || hit.contains(board))) return []; // scrolled out of view
      return [{ x, y, target: hit.closest(".lit[role=button]") }];
    });
  };
  /** Scroll so that nothing that stays at an edge of the window is over it; return what its points hit. */
  window.inView = (one) => {
    for (const block of ["center", "start", "nearest"]) {
      one.scrollIntoView({ block, inline: "center" });
      const grid = window.gridOf(one);
      if (grid.length > (points * points) / 2) return grid;
    }
    return [];
  };
}

/** In the page: of everything that is lit, return which share of its box takes the click, and how much of it is another lit thing's. */
function measured() {
  const all = [...document.querySelectorAll(".boards .lit[role=button]")];
  return all.map((one) => {
    const targets = window.inView(one).map(({ target }) => target);
    const own = targets.filter((target) => target === one).length;
    const missed = targets.filter((target) => target === null).length;
    const kind = `${one.closest("svg").dataset.board} ${one.dataset.at === undefined ? "place" : "piece"} ${one.dataset.id.replace(/[\d@:].*$/, "")}`;
    return { id: one.dataset.id, kind, share: own + missed === 0 ? 0 : own / (own + missed), shared: targets.length - own - missed };
  });
}

/**
 * In the page: return a point of the box of something lit that takes the click; any point, if none does. `atEdge`: one of the outer
 * quarter of them, where a browser may move the click to a neighbour.
 */
function pointOf({ id, chance, atEdge }) {
  const one = document.querySelector(`.boards .lit[role=button][data-id="${CSS.escape(id)}"]`);
  const grid = window.inView(one);
  const taking = grid.filter(({ target }) => target === one);
  const points = taking.length > 0 ? taking : grid;
  const middle = (of) => points.reduce((sum, point) => sum + point[of], 0) / points.length;
  const [across, down] = [middle("x"), middle("y")];
  const outward = points.toSorted((a, b) => Math.hypot(b.x - across, b.y - down) - Math.hypot(a.x - across, a.y - down));
  const { x, y } = outward[Math.floor(chance * Math.ceil(points.length / (atEdge ? 4 : 1)))];
  return { x, y };
}

/**
 * In the page: a finger taps the middle of what takes the click of one lit thing, or nothing lit, and the browser makes a click of
 * another lit thing of it. Chromium moves about one tap of a hundred like this.
 */
function tapMoved({ fingerOn, clickOn }) {
  const clicked = document.querySelector(`.boards .lit[data-id="${CSS.escape(clickOn)}"]`);
  const finger = fingerOn === undefined ? { clientX: -1, clientY: -1 } : middleOf(fingerOn);
  const touch = new Touch({ identifier: 1, target: clicked, ...finger });
  clicked.dispatchEvent(new TouchEvent("touchend", { bubbles: true, changedTouches: [touch] }));
  clicked.dispatchEvent(new PointerEvent("click", { bubbles: true, pointerType: "touch" }));

  function middleOf(id) {
    const one = document.querySelector(`.boards .lit[data-id="${CSS.escape(id)}"]`);
    const taking = window.inView(one).filter(({ target }) => target === one);
    const { x, y } = taking[Math.floor(taking.length / 2)];
    return { clientX: x, clientY: y };
  }
}
