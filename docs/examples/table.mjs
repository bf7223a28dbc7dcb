// A seat at any match of any game: shows what the server sends, and posts what was touched. Knows no game.
import { boardsOf, html, marksOf, picture } from "./board.mjs";

const OWN_WORDS = {
  en: { undo: "Take back", again: "Start again", confirm: "Confirm", away: "Connection lost, trying again" },
  it: { undo: "Annulla la mossa", again: "Da capo", confirm: "Conferma", away: "Connessione interrotta, nuovo tentativo" },
  fr: { undo: "Reprendre le coup", again: "Recommencer", confirm: "Confirmer", away: "Connexion perdue, nouvel essai" },
  pl: { undo: "Cofnij ruch", again: "Od nowa", confirm: "Potwierdź", away: "Brak połączenia, kolejna próba" },
};
const place = new URLSearchParams(location.hash.slice(1)); // never sent to a server
const asked = new URLSearchParams(location.search).get("lang") ?? navigator.language.slice(0, 2);
const lang = asked in OWN_WORDS ? asked : "en";
const own = OWN_WORDS[lang];
const address = `${place.get("api")}/v1/matches/${encodeURIComponent(place.get("match"))}`;
const credential = { Authorization: `Bearer ${place.get("token")}` };
const part = (id) => document.getElementById(id);
const pause = (milliseconds) => new Promise((wake) => setTimeout(wake, milliseconds));
/** Not refused: no connection, or a server that is busy or away for the moment. */
const isPassing = ({ status }) => status === undefined || [429, 502, 503, 504].includes(status);

export let table; // what is shown
let layout, texts, version, decision;
let drawing; // the next picture
let touched = [], filling = null, isSending = false; // what is being chosen
const nameOf = (id) => texts[`component.${id}`];

// ── what the server says ─────────────────────────────────────────────────────

async function ask(url, { headers, ...rest } = {}) {
  const response = await fetch(url, { ...rest, headers: { ...headers } });
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.text?.sentence ?? answer.detail), { status: response.status, ...answer });
  return answer;
}

/** Follow the match: a table comes first, then what changes in it. After an interruption a whole table comes again. */
async function follow() {
  for (let streamed; ; await pause(500 + 1000 * Math.random())) {
    try {
      const since = streamed && { "Last-Event-ID": streamed.version };
      const response = await fetch(`${address}/stream?include=table&lang=${lang}`, { headers: { ...credential, ...since } });
      if (response.status === 204) return; // the match is over, and the page has its last table
      if (!response.ok) throw await response.json();
      part("refusal").textContent = "";
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let text = "", read; !(read = await reader.read()).done; ) {
        const events = (text + read.value).split("\n\n");
        text = events.pop();
        for (const event of events) {
          const field = (name) => event.match(new RegExp(`^${name}: ?(.*)$`, "m"))?.[1];
          const data = JSON.parse(field("data") ?? "null");
          if (field("event") === "move.applied") tell(data);
          if (field("event") === "table") streamed = data;
          if (field("event") === "table.patched") patch(streamed, data.patch);
          if (field("event")?.startsWith("table")) await show(streamed);
          if (field("event") === "match.ended") return;
        }
      }
    } catch (problem) {
      if (!isPassing(problem)) return (part("refusal").textContent = problem.detail);
      part("refusal").textContent = own.away;
    }
  }
}

/** Apply a JSON Patch (RFC 6902) of `add`, `remove` and `replace`. */
export function patch(document, operations) {
  for (const { op, path, value } of operations) {
    const names = path.slice(1).split("/").map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = names.pop();
    const parent = names.reduce((inner, name) => inner[name], document);
    if (Array.isArray(parent) && op !== "replace") {
      if (op === "add") parent.splice(last === "-" ? parent.length : last, 0, value);
      else parent.splice(last, 1);
    } else if (op === "remove") delete parent[last];
    else parent[last] = value;
  }
}

/** Tell what happened, once, though a stream that was interrupted tells it again. */
function tell({ version, event_texts = [] }) {
  const story = part("story");
  if (version <= (story.dataset.version ?? 0)) return;
  story.dataset.version = version;
  story.prepend(...event_texts.map(({ sentence }) => html("p", {}, sentence)).reverse());
}

async function show(next) {
  if (next.version < version) return; // the answer to a move was faster than the stream
  if (!layout) {
    const game = `${place.get("api")}/v1/games/${next.match.game}`;
    [layout, { messages: texts }] = await Promise.all([ask(`${game}/layout`), ask(`${game}/texts/${lang}`)]);
  }
  [table, version] = [next, next.version];
  const open = table.pending.find(({ seat }) => seat === table.audience.seat)?.id;
  if (open !== decision) [touched, filling, decision] = [[], null, open];
  redraw();
}

/** Draw with the screen's next picture: of many tables that come at once only the last is drawn. */
function redraw() {
  cancelAnimationFrame(drawing);
  drawing = requestAnimationFrame(render);
}

// ── what a person chooses ────────────────────────────────────────────────────

/** Make a move, once, however often it is sent: the server knows its key. It counts only on the version that is shown. */
async function post(path, body) {
  const once = { "If-Match": `"v:${version}"`, "Idempotency-Key": `"${crypto.randomUUID()}"` };
  const headers = { ...credential, ...once, "Content-Type": "application/json" };
  const sent = { method: "POST", headers, body: JSON.stringify({ seat: table.audience.seat, ...body }) };
  [touched, filling, isSending] = [[], null, true];
  part("refusal").textContent = "";
  document.querySelector("main").inert = true; // until it is drawn again
  for (let attempt = 0; isSending; attempt++) {
    try {
      const answer = await ask(address + path, sent);
      isSending = false;
      if (answer.table) await show(answer.table); // without one, the stream brings it
    } catch (problem) {
      part("refusal").textContent = isPassing(problem) ? own.away : problem.message;
      if (isPassing(problem) && attempt < 5) await pause(2 ** attempt * 250);
      else isSending = false;
    }
  }
  redraw();
}
const play = (action) => post(`/moves?include=table&lang=${lang}`, { action });

/** Return what can be chosen now: buttons by group, and what to do when something on a board is touched. */
function choices() {
  const { actions, action_hints, action_texts, templates, template_hints, template_texts } = table.legal;
  if (!actions.length && templates.length === 1) filling ??= { of: 0, values: [] };
  if (filling) return steps(templates[filling.of], template_hints[filling.of]);
  const begun = ({ targets }) => touched.every((id, position) => targets[position] === id);
  const open = actions.map((action, at) => ({ action, ...action_hints[at], text: action_texts[at].sentence })).filter(begun);
  const buttons = open.map(({ action, group, text, cost }) => ({ group, text, cost, choose: () => play(action) }));
  const fillIn = ({ group }, of) => ({ group, text: `${template_texts[of].sentence} …`, choose: () => begin({ of, values: [] }) });
  if (!touched.length) buttons.push(...template_hints.map(fillIn));
  const touch = (id) => () => {
    touched.push(id);
    const left = open.filter(begun);
    if (left.length === 1 && left[0].targets.length === touched.length) play(left[0].action);
    else redraw();
  };
  const next = open.map(({ targets }) => targets[touched.length]).filter((id) => id !== undefined);
  return { buttons, lit: new Map(next.map((id) => [id, touch(id)])) };
}

function begin(next) {
  filling = next;
  redraw();
}

/** Return the choices of a template's next step; the last is to confirm. */
function steps(template, { group, steps, limits }) {
  const { of, values } = filling, step = steps[values.length], lit = new Map();
  const take = (...chosen) => begin({ of, values: [...values, chosen] });
  if (!step) return { lit, buttons: [{ group, text: own.confirm, choose: () => play(filledIn(template, steps, values)) }] };
  if (step.type === "point") return { lit, buttons: [], fields: [0, 0], take, point: { board: step.board, take } };

  const limitOf = (at) => steps[at].limit ?? steps[at].choices.find(({ value }) => value === values[at][0]).limit;
  const weight = ([value], at) => (steps[at].type === "number" ? value : 1);
  const used = (name) => values.reduce((sum, value, at) => sum + (limitOf(at) === name ? weight(value, at) : 0), 0);
  const left = (name) => (limits.find((limit) => limit.name === name)?.most ?? Infinity) - used(name);
  if (step.type === "number") {
    const most = Math.min(step.most, left(step.limit));
    return { lit, buttons: [], fields: [Math.min(step.suggested, most)], least: step.least, most, name: nameOf(step.name), take };
  }
  const isTaken = (value) => step.different && values.some(([earlier], at) => steps[at].different && earlier === value);
  const open = step.choices.filter(({ value, limit }) => !isTaken(value) && (!limit || left(limit) > 0));
  for (const { target, value } of open) if (target) lit.set(target, () => take(value));
  return { lit, buttons: open.map(({ name, value }) => ({ group, text: nameOf(name) ?? String(value), choose: () => take(value) })) };
}

/** Return the action of a template with the values of its steps. */
function filledIn({ type }, steps, values) {
  const action = { type };
  steps.forEach(({ field, field_x, field_y }, at) => {
    put(action, field ?? field_x, values[at][0]);
    if (field_y) put(action, field_y, values[at][1]);
  });
  return action;
}

/** Put a value where a JSON Pointer says; the objects and lists on the way are made. */
function put(action, pointer, value) {
  const names = pointer.slice(1).split("/").map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = names.pop();
  names.reduce((inner, name, at) => (inner[name] ??= /^\d+$/.test(names[at + 1] ?? last) ? [] : {}), action)[last] = value;
}

// ── what is drawn ────────────────────────────────────────────────────────────

function render() {
  const { match, audience, undo, legal } = table;
  const marks = marksOf(layout, match.seats.length);
  const named = ({ seat, name, player }) => name || player || texts.seat.replace(/\{seat[^}]*\}/, seat);
  const called = (seat) => `${marks[seat].sign} ${named(match.seats[seat])}`;
  const focused = document.activeElement?.dataset?.id ?? document.activeElement?.textContent;
  document.documentElement.lang = lang;
  const head = ({ seat }) => html("span", { class: match.to_act.includes(seat) ? "acts" : "", style: `border-color: ${marks[seat].colour}` }, called(seat));
  part("seats").replaceChildren(...match.seats.map(head));
  const { buttons = [], lit = new Map(), point, ...form } = legal && !isSending ? choices() : {};
  const boards = boardsOf(layout, match, audience.seat).map((board) => {
    const drawn = picture(board, table.pieces, marks, nameOf);
    const { width, height } = board.view_box, isMat = board.seat !== undefined;
    const least = Math.min(...board.places.flatMap((place) => [place.width, place.height]));
    const needed = Math.min(600, (15 * width) / least); // on narrower screens, it scrolls
    drawn.style.minWidth = `${needed}px`;
    if (point?.board === board.id) light(drawn, board.id, (event) => point.take(...pointOf(drawn, event)));
    const [grow, high, highest] = isMat ? [1, 200, 320] : [3, 320, 700], wide = (pixels) => `${(pixels * width) / height}px`;
    const style = `flex: ${(grow * width) / height} 1 max(${needed + 20}px, min(25rem, ${wide(high)})); max-width: ${wide(highest)}`;
    return html("figure", { style }, html("figcaption", {}, isMat ? called(board.seat) : (nameOf(board.id) ?? "")), drawn);
  });
  glide(() => part("boards").replaceChildren(...boards));
  for (const shape of part("boards").querySelectorAll("g[data-id]")) {
    const touch = lit.get(shape.dataset.id) ?? lit.get(shape.dataset.place); // a piece counts for its place
    if (touch) light(shape, shape.dataset.name, touch, lit.has(shape.dataset.id));
    if (touched.includes(shape.dataset.id)) shape.classList.add("touched");
  }
  const prompt = table.pending.find(({ seat }) => seat === audience.seat)?.text?.sentence;
  const waiting = texts["match.to_act"].replace("{seats}", match.to_act.map((seat) => named(match.seats[seat])).join(", "));
  if (touched.length || filling?.values.length) buttons.push({ text: `↺ ${own.again}`, choose: () => [(touched = []), begin(null)] });
  if (undo && undo.free_to < version && !isSending) buttons.push({ text: `↶ ${own.undo}`, choose: () => post("/undo", { to: undo.free_to }) });
  const heading = prompt ?? (match.status === "running" ? waiting : texts[`match.${match.status}`]);
  part("actions").replaceChildren(html("h1", {}, heading), ...fields(form), ...grouped(buttons));
  if (match.outcome && !part("outcome").hasChildNodes()) part("outcome").append(...result(match.outcome, called));
  [...document.querySelectorAll("[data-id].lit, #actions button")].find((each) => (each.dataset.id ?? each.textContent) === focused)?.focus();
  part("boards").dataset.version = version;
  document.querySelector("main").inert = isSending;
}

const ready = (act) => (event) => document.querySelector("main").inert || act(event);

/** Make a shape a button. Those that only stand for their place are not reached with the keyboard: the place is. */
function light(shape, label, touch, isTarget = true) {
  shape.classList.add("lit");
  shape.onclick = touch = ready(touch);
  if (!isTarget) return;
  Object.entries({ role: "button", tabindex: 0, "aria-label": label }).forEach(([name, value]) => shape.setAttribute(name, value));
  shape.onkeydown = (event) => ["Enter", " "].includes(event.key) && [event.preventDefault(), touch(event)];
}

const pointOf = (drawn, event) => {
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawn.getScreenCTM().inverse());
  return [Math.round(x), Math.round(y)];
};

function fields({ fields, least, most, name, take }) {
  if (!fields) return [];
  const inputs = fields.map((value, at) => html("input", { type: "number", value, min: least, max: most, "aria-label": name ?? "xy"[at] }));
  const taken = html("button", {}, own.confirm);
  taken.onclick = () => inputs.every((input) => input.reportValidity()) && take(...inputs.map((input) => input.valueAsNumber));
  return [name ?? "", " ", ...inputs, taken];
}

function grouped(buttons) {
  const groups = [...Map.groupBy(buttons, ({ group }) => group)];
  return groups.flatMap(([group, those]) => [...(group ? [html("h2", {}, texts[`group.${group}`] ?? group)] : []), ...those.map(button)]);
}

function button({ text, cost = [], choose }) {
  const price = cost.map(({ resource, amount }) => `−${amount} ${nameOf(resource) ?? resource}`).join(", ");
  const made = html("button", {}, text, html("span", { class: "cost" }, price));
  made.onclick = ready(choose);
  return made;
}

/** How the match ended, with every line of the scores. */
function result({ text, results }, called) {
  const reasons = new Map(results.flatMap(({ breakdown }) => breakdown.map(({ reason, text }) => [reason, text.sentence])));
  const row = (title, cell) => html("tr", {}, html("th", {}, title), ...results.map((result) => html("td", {}, String(cell(result) ?? "–"))));
  const lines = [...reasons].map(([reason, said]) => row(said, ({ breakdown }) => breakdown.find((line) => line.reason === reason)?.points));
  const heads = [row("", ({ seat }) => called(seat)), row("#", ({ rank }) => rank)];
  return [html("h1", {}, text.sentence), html("table", {}, ...heads, ...lines, row("Σ", ({ score }) => score))];
}

/** Redraw; pieces that lie elsewhere now glide there. */
function glide(redraw) {
  const pieces = () => [...part("boards").querySelectorAll("g[data-place]")].map((piece) => [piece, piece.getBoundingClientRect()]);
  const before = new Map(pieces().map(([piece, box]) => [piece.dataset.id, box]));
  const [left, top] = [scrollX, scrollY];
  redraw();
  scrollTo(left, top);
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const [piece, box] of pieces()) {
    const old = before.get(piece.dataset.id), scale = piece.getScreenCTM().a;
    const [x, y] = old ? [(old.x - box.x) / scale, (old.y - box.y) / scale] : [0, 0];
    const way = [{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }];
    if (Math.abs(x) + Math.abs(y) > 1) piece.animate(way, { duration: 400, easing: "ease-out" });
  }
}

follow();
