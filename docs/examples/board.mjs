// Draws the boards of any game as SVG: what its layout says, with the pieces of a table.
const SYMBOLS = { circle: "●", square: "■", triangle: "▲", diamond: "◆", star: "★", cross: "✚" };

/** Return an element, of SVG or of HTML. Words are set as text, never as HTML: names come from other players. */
function element(space, tag, attributes, ...children) {
  const made = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
export const html = element.bind(null, "http://www.w3.org/1999/xhtml");
const svg = element.bind(null, "http://www.w3.org/2000/svg");

/** Return how each seat is marked with so many players: a colour, and a symbol for those who cannot tell colours apart. */
export function marksOf(layout, players) {
  const marks = layout.seats_with.find((with_) => with_.players === players)?.marks ?? layout.seats;
  return marks.map(({ colour, symbol }) => ({ colour, sign: SYMBOLS[symbol] }));
}

/** Return the boards that a match uses, its own mat first. The place `hand` of a mat is `hand@2` at seat 2. */
export function boardsOf({ boards, mats }, { options, seats }, own) {
  const fits = (board) => Object.entries(board.options).every(([name, value]) => options[name] === value);
  const used = boards.filter((board) => fits(board) && (!board.seats.length || board.seats.includes(seats.length)));
  const before = (seat) =>
    mats.map(({ places, paths, ...mat }) => ({
      ...mat,
      seat,
      places: places.map((place) => ({ ...place, id: `${place.id}@${seat}` })),
      paths: paths.map(({ a, b }) => ({ a: `${a}@${seat}`, b: `${b}@${seat}` })),
    }));
  const others = [...seats.keys()].filter((seat) => seat !== own);
  return [...(own === undefined ? [] : before(own)), ...used, ...others.flatMap(before)];
}

/** Return a picture of a board. `nameOf` gives the name of a place or a component, or nothing. */
export function picture(board, pieces, marks, nameOf) {
  const { x, y, width, height } = board.view_box;
  const places = new Map(board.places.map((place) => [place.id, place]));
  const lying = new Map(board.places.map((place) => [place.id, []]));
  for (const [id, piece] of Object.entries(pieces)) lying.get(piece.place)?.push({ ...piece, id });
  const drawn = svg("svg", { viewBox: `${x} ${y} ${width} ${height}`, "data-board": board.id });
  for (const { a, b } of board.paths) {
    const [from, to] = [places.get(a), places.get(b)];
    drawn.append(svg("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y, stroke: "#cdbf9f", "stroke-width": width / 200 }));
  }
  const hues = new Map(board.groups.map(({ id }, at) => [id, (at * 360) / board.groups.length + 25]));
  const exact = [];
  for (const place of board.places) {
    const inside = lying.get(place.id);
    const called = nameOf(place.id.split("@")[0]);
    const shown = marked({ "data-id": place.id, "data-name": called || place.label || place.id }, outline(place, hues.get(place.group)));
    const room = { x: place.x - place.width / 2, y: place.y - place.height / 2, width: place.width, height: place.height };
    if (called && !place.label && !inside.length && place.shape !== "polygon") shown.append(words(room, called, width, "opacity: .6"));
    const loose = inside.filter((piece) => piece.x === undefined);
    drawn.append(shown, ...cells(room, loose.length).map((cell, number) => tile(loose[number], cell, width, marks, nameOf)));
    exact.push(...inside.filter((piece) => piece.x !== undefined));
    const size = Math.min(place.height * 0.28, width / 42);
    if (place.label) drawn.append(svg("text", { class: "label", x: room.x + size / 3, y: room.y + size / 3, "font-size": size }, place.label));
  }
  const long = exact.filter((piece) => piece.x2 !== undefined);
  drawn.append(...[...long, ...exact.filter((piece) => piece.x2 === undefined)].map((piece) => token(piece, width, marks, nameOf)));
  return drawn;
}

function marked({ "data-name": name, ...attributes }, ...children) {
  return svg("g", { ...attributes, "data-name": name }, ...children, svg("title", {}, name));
}

function outline({ shape, x, y, width, height, corners, kind }, hue) {
  const look = { class: "outline", fill: tint(kind, 89, hue), stroke: tint(kind, 60, hue) };
  if (shape === "circle") return svg("circle", { ...look, cx: x, cy: y, r: width / 2 });
  if (shape === "polygon") return svg("polygon", { ...look, points: corners.map((corner) => `${corner.x},${corner.y}`).join(" ") });
  return svg("rect", { ...look, x: x - width / 2, y: y - height / 2, width, height, rx: Math.min(width, height) / 8 });
}

/** Return the name of a piece and how many there are. */
function said({ component, kind, count }, nameOf) {
  const name = nameOf(component || kind) || (component ? component : "?");
  return count > 1 ? `${count} × ${name}` : name;
}

/** A piece that lies somewhere in its place: a tile or card with its name, and the mark of its seat. */
function tile(piece, { x, y, width, height }, whole, marks, nameOf) {
  const mark = marks[piece.seat], text = said(piece, nameOf), isHidden = !piece.component;
  const isSmall = Math.min(width, height) < whole / 24;
  const fill = isHidden ? tint(piece.kind, 55) : !mark ? tint(piece.kind, 80) : isSmall ? mark.colour : "#fffdf8";
  const edge = mark ? { stroke: mark.colour, style: "stroke-width: 3" } : { stroke: tint(piece.kind, 45) };
  const drawn = marked(
    { "data-id": piece.id, "data-place": piece.place, "data-name": text },
    svg("rect", { class: "outline", x, y, width, height, rx: Math.min(width, height) / 7, fill, ...edge }),
  );
  const top = mark && !isSmall ? height * 0.3 : 0;
  if (mark && isSmall) drawn.append(sign({ ...mark, colour: "#fff" }, x + width / 2, y + height / 2, Math.min(width, height) * 0.8));
  if (mark && !isSmall) drawn.append(sign(mark, x + width / 2, y + top * 0.6, top));
  if (!mark || !isSmall) drawn.append(words({ x, y: y + top, width, height: height - top }, text, whole, isHidden ? "color: #fff" : ""));
  return drawn;
}

/** A piece that lies exactly somewhere: round, or as long as from one point to another. */
function token(piece, whole, marks, nameOf) {
  const { x, y, x2, y2, width = whole / 40, seat, kind } = piece, mark = marks[seat];
  const attributes = { "data-id": piece.id, "data-place": piece.place, "data-name": said(piece, nameOf) };
  const colour = mark?.colour ?? tint(kind, 60);
  if (x2 === undefined) {
    const drawn = marked(attributes, svg("circle", { class: "outline", cx: x, cy: y, r: width / 2, fill: colour, stroke: "#222" }));
    if (mark) drawn.append(sign({ ...mark, colour: "#fff" }, x, y, width * 0.7));
    return drawn;
  }
  const length = Math.hypot(x2 - x, y2 - y), turn = (Math.atan2(y2 - y, x2 - x) * 180) / Math.PI;
  const look = { class: "outline", fill: colour, stroke: "#222", transform: `rotate(${turn} ${x} ${y})` };
  const bar = svg("rect", { ...look, x, y: y - width / 2, width: length, height: width, rx: width / 4 });
  return marked(attributes, bar, ...(mark ? [sign({ ...mark, colour: "#fff" }, (x + x2) / 2, (y + y2) / 2, width * 0.8)] : []));
}

const sign = ({ sign, colour }, x, y, size) => svg("text", { class: "mark", x, y, "font-size": size, fill: colour }, sign);

/** Words as large as they fit into a box; initials where that would be too small to read. */
function words({ x, y, width, height }, text, whole, style = "") {
  const longest = (text) => Math.max(...text.split(/[\s-]/).map((word) => word.length));
  const fitting = (text) => Math.min(height * 0.4, (width * 1.55) / longest(text), Math.sqrt((width * height) / text.length) * 0.92, whole / 38);
  const isLegible = fitting(text) > whole / 130;
  const shown = isLegible ? text : text.split(" ").map((word) => word[0]).join("");
  return svg("foreignObject", { x, y, width, height }, html("div", { class: "words", style: `font-size: ${fitting(shown)}px; ${style}` }, shown));
}

/** Return a grid of equal cells within a box, none longer than twice its width. */
function cells({ x, y, width, height }, number) {
  const across = [...Array(number)].map((_, at) => at + 1).reduce((best, columns) => (smaller(columns) > smaller(best) ? columns : best), 1);
  function smaller(columns) {
    return Math.min(width / columns, height / Math.ceil(number / columns));
  }
  const [wide, high] = [width / across, height / Math.ceil(number / across)];
  const [w, h] = [Math.min(wide * 0.9, high * 1.8), Math.min(high * 0.9, wide * 1.4)];
  const middle = (at) => [x + wide * ((at % across) + 0.5), y + high * (Math.floor(at / across) + 0.5)];
  return [...Array(number)].map((_, at) => ({ x: middle(at)[0] - w / 2, y: middle(at)[1] - h / 2, width: w, height: h }));
}

/** Return a colour for a kind of thing, always the same, or of a hue. */
function tint(kind, lightness, hue) {
  const ofKind = () => [...kind].reduce((sum, letter) => (sum * 11 + letter.codePointAt(0) * 72) % 360, 50);
  return `hsl(${hue ?? ofKind()} 42% ${lightness}%)`;
}
