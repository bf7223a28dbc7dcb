/**
 * Build the page: `node build.mjs` writes built/, `node build.mjs --to FOLDER` another folder, `--tests` the unit tests.
 *
 * The same sources give the same bytes, so built/ is committed, and a test builds it again and compares.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const CLIENT = join(HERE, "../../clients/typescript/src");
const GAMES = readdirSync(join(HERE, "src/games"), { withFileTypes: true }).filter((one) => one.isDirectory());
const SHARED = {
  absWorkingDir: HERE,
  alias: { "@foldtable/client": join(CLIENT, "index.ts") },
  bundle: true,
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  logLevel: "warning",
  target: "es2022",
  tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } }, // fields that a constructor sets are not declared once more
};

const [option, folder] = process.argv.slice(2);
if (option === "--help") {
  console.log("node build.mjs [--to FOLDER | --tests]: build the page into built/ or FOLDER, or the unit tests into test/built/");
} else if (option === "--tests") {
  const entryPoints = readdirSync(join(HERE, "test")).filter((name) => name.endsWith(".test.ts"));
  await build({
    ...SHARED,
    entryPoints: entryPoints.map((name) => `test/${name}`),
    outdir: "test/built",
    outExtension: { ".js": ".mjs" },
    platform: "node",
  });
} else {
  await buildPage(option === "--to" ? folder : join(HERE, "built"));
}

async function buildPage(to) {
  const games = Object.fromEntries(GAMES.map(({ name }) => [`game-${name}`, `src/games/${name}/index.tsx`]));
  const { metafile, outputFiles } = await build({
    ...SHARED,
    assetNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    entryNames: "[name]-[hash]",
    entryPoints: { main: "src/main.tsx", worker: "src/follow/worker.ts", style: "src/styles/style.css", ...games },
    metafile: true,
    minify: true,
    outdir: to,
    splitting: true,
    write: false,
  });
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  for (const { path, contents } of outputFiles) writeFileSync(join(to, basename(path)), contents);

  const entries = Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]);
  const built = (source) => entries.find(([, { entryPoint }]) => entryPoint === source)[0];
  const names = { main: built("src/main.tsx"), style: built("src/styles/style.css"), worker: built("src/follow/worker.ts") };
  const page = readFileSync(join(HERE, "src/index.html"), "utf8");
  writeFileSync(join(to, "index.html"), page.replace(/\{(\w+)\}/g, (_, name) => names[name]));
  writeFileSync(join(to, "icon.svg"), readFileSync(join(HERE, "src/icon.svg")));
  writeFileSync(join(to, "LICENSES.txt"), licences());
  writeFileSync(join(to, "sources.sha256"), `${digestOfSources()}\n`);
  const manifest = {
    entry: names.main,
    shell: ["index.html", names.style, ...needed(new Map(entries), names.main)].sort(),
    games: Object.fromEntries(GAMES.map(({ name }) => [name, built(`src/games/${name}/index.tsx`)])),
  };
  writeFileSync(join(to, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Return a file and all that it imports before it runs. */
function needed(outputs, name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  const imports = outputs.get(name).imports.filter(({ kind }) => kind === "import-statement");
  for (const { path } of imports) needed(outputs, basename(path), found);
  return found;
}

function licences() {
  const { version } = JSON.parse(readFileSync(join(HERE, "node_modules/preact/package.json"), "utf8"));
  return `These files contain preact ${version}:\n\n${readFileSync(join(HERE, "node_modules/preact/LICENSE"), "utf8")}`;
}

/** Return the digest of everything that built/ is made of. `tests/support/web_sources.py` computes the same. */
function digestOfSources() {
  const sources = [
    ...filesIn(join(HERE, "src")),
    ...filesIn(CLIENT).filter((path) => basename(path) !== "schema.ts"),
    join(HERE, "build.mjs"),
    join(HERE, "package-lock.json"),
  ];
  const digest = createHash("sha256");
  const named = sources.map((path) => [relative(join(HERE, "../.."), path), path]);
  for (const [name, path] of named.sort(([a], [b]) => (a < b ? -1 : 1))) {
    digest.update(`${name}\n${createHash("sha256").update(readFileSync(path)).digest("hex")}\n`);
  }
  return digest.digest("hex");
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath ?? one.path, one.name));
}
