// What a page may not know: the faces of pieces that only the referee sees. Looks for them in what was drawn and received.

/** Collects what is hidden from seat 0 and what was drawn, version by version. `messages`: the game's texts in the page's language. */
export function watching(messages) {
  const hidden = new Map();
  const leaks = [];
  const nameless = [];
  let faces = 0;
  let backs = 0;
  const nameOf = (id) => messages[`component.${id.split("@")[0]}`];
  const components = Object.keys(messages).flatMap((key) => /^component\.(.*?)(?<!\.text)$/.exec(key)?.[1] ?? []);
  const all = new Set(components.map(nameOf));

  /** Return whether a title names something: alone, with a number before it, or with its text behind it. */
  const names = (title, name) => {
    const bare = title.replace(/^\d+ × /, "");
    return bare === name || bare.startsWith(`${name}. `) || bare.startsWith(`${name}: `);
  };

  return {
    hidden,
    leaks,
    nameless,
    /** How many faces and backs were read in the drawings. */
    read: () => ({ faces, backs }),

    /** Note what the referee and seat 0 see of a version, and compare it with the pieces on the page. */
    note(referee, seen, drawn) {
      const { version } = referee;
      const known = Object.values(seen.pieces);
      const shown = new Set(known.map(({ component }) => component));
      const unseen = new Set(Object.values(referee.pieces).map(({ component }) => component).filter((one) => one && !shown.has(one)));
      hidden.set(version, unseen);
      const allowed = new Set(known.flatMap(({ component, kind }) => [component, kind]).map(nameOf));
      const secret = [...unseen].map(nameOf).filter((name) => name && !allowed.has(name));
      for (const { id, titles } of drawn) {
        const piece = seen.pieces[id];
        if (piece === undefined) leaks.push(`drawn at ${version}, and not on the table: ${id}`);
        else if (piece.component) {
          const name = nameOf(piece.component);
          if (name && titles.some((title) => names(title, name))) faces++;
          else if (name) nameless.push(`${id} at ${version}: ${titles}`);
        } else {
          backs++;
          const own = nameOf(piece.kind);
          const told = [...all].filter((name) => name !== own && titles.some((title) => names(title, name)));
          if (told.length) leaks.push(`drawn at ${version}, face down: ${id} as ${told}`);
        }
        for (const name of secret) if (titles.some((title) => names(title, name))) leaks.push(`drawn at ${version}: ${name}`);
      }
    },
  };
}

/** Return the pieces on a page with every title in their drawings. */
export function titled(page) {
  return page.evaluate(() => {
    const pieces = [...document.querySelectorAll(".boards g[data-id][data-at]")];
    return pieces.map((piece) => ({ id: piece.dataset.id, titles: [...piece.querySelectorAll("title")].map((title) => title.textContent) }));
  });
}

/** Return what a page received of a version although it was hidden then, and how many versions came in each kind of answer. */
export function receivedHidden(hidden, received) {
  const leaks = [];
  const read = { stream: 0, table: 0, moves: 0, replay: 0 };
  for (const entry of received) {
    const kind = /\/(stream|table|moves|replay)(?:\?|$)/.exec(entry.url)?.[1];
    for (const told of kind ? versionsIn(entry) : []) {
      read[kind]++;
      const json = JSON.stringify(told);
      for (const component of hidden.get(told.version) ?? []) if (isValue(component, json)) leaks.push(`received at ${told.version}, ${entry.url}: ${component}`);
    }
  }
  return { leaks, read };
}

/** Return everything with a version in an answer: events, lines, a list of moves, or a document. What is still incomplete is left out. */
function versionsIn({ type, text }) {
  const lines = text.split("\n").slice(0, -1);
  const documents = type.startsWith("text/event-stream")
    ? lines.filter((line) => line.startsWith("data: {")).map((line) => JSON.parse(line.slice("data: ".length)))
    : type.startsWith("application/x-ndjson")
      ? lines.filter(Boolean).map((line) => JSON.parse(line))
      : text === "" ? [] : [JSON.parse(text)];
  return documents.flatMap((one) => one.moves ?? one.steps ?? [one]).filter(({ version }) => version !== undefined);
}

/** Return whether JSON has a text as a value, not as a name. */
function isValue(text, json) {
  return json.replaceAll(`${JSON.stringify(text)}:`, "").includes(JSON.stringify(text));
}
