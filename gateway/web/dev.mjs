/**
 * Serve the page while it is changed: `node dev.mjs [PORT]` builds it at each load, and passes everything else on to FOLDTABLE_URL.
 *
 * For development only. It listens on loopback; the page in a release is served by the gateway.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { basename, extname, join } from "node:path";

const PORT = Number(process.argv[2] ?? 8090);
const SERVER = new URL(process.env.FOLDTABLE_URL ?? "http://127.0.0.1:8080");
const HERE = import.meta.dirname;
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

createServer((asked, answer) => {
  const { pathname } = new URL(asked.url, "http://localhost");
  const isPage = pathname === "/" && (asked.headers.accept ?? "").includes("text/html");
  if (isPage && !process.env.NO_BUILD) execFileSync("node", [join(HERE, "build.mjs")], { stdio: "inherit" });
  if (isPage || pathname.startsWith("/web/")) {
    const name = isPage ? "index.html" : basename(pathname);
    try {
      const contents = readFileSync(join(HERE, "built", name));
      answer.writeHead(200, { "content-type": TYPES[extname(name)] ?? "text/plain", "content-security-policy": POLICY });
      answer.end(contents);
    } catch {
      answer.writeHead(404).end();
    }
    return;
  }
  const { hostname, port } = SERVER;
  const passed = request({ hostname, port, path: asked.url, method: asked.method, headers: asked.headers }, (from) => {
    answer.writeHead(from.statusCode, from.headers);
    from.pipe(answer);
  });
  passed.on("error", () => answer.headersSent || answer.writeHead(502).end());
  answer.on("close", () => passed.destroy());
  asked.pipe(passed);
}).listen(PORT, "127.0.0.1", () => console.log(`http://127.0.0.1:${PORT}/ shows the page; the server is ${SERVER.origin}`));
