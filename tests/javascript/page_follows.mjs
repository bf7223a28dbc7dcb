// Runs the script of docs/examples/table.html (given on standard input) without a browser, against a server that is away when
// the page looks for the first time. Prints the requests it made and what it showed.
import { readFileSync } from "node:fs";

const script = /<script type="module">\n(.*)<\/script>/s.exec(readFileSync(0, "utf8"))[1];
const asked = [];
const away = () => Response.json({ status: 503, reason: "LOG_UNAVAILABLE", detail: "later" }, { status: 503 });
const answers = {
  stream: [() => new Response('id: 7\nevent: snapshot\ndata: {"version": 7}\n\n'), away, () => new Response(null, { status: 204 })],
  view: [away, () => Response.json({ view: {}, version: 7, audience: { seat: 0 } })],
  "legal-actions": [
    () => Response.json({ version: 7, pending: { decision: "program", rule: "5" }, actions: [], templates: [], samples: [] }),
  ],
};
globalThis.fetch = async (url, { headers }) => {
  const name = new URL(url).pathname.split("/").at(-1);
  asked.push(headers["Last-Event-ID"] ? `${name} after ${headers["Last-Event-ID"]}` : name);
  const [answer] = answers[name].length > 1 ? answers[name].splice(0, 1) : answers[name];
  return answer();
};

class Element {
  children = [];
  textContent = "";
  append(...more) {
    this.children.push(...more);
  }
  prepend(...more) {
    this.children.unshift(...more);
  }
  replaceChildren(...more) {
    this.children = more;
  }
  get shown() {
    return [this.textContent, ...this.children.map((child) => child.shown ?? String(child))].join(" ").trim();
  }
}
const page = {};
globalThis.location = { hash: "#api=http://table.test&match=m&token=t" };
globalThis.document = {
  getElementById: (id) => (page[id] ??= new Element()),
  createElement: () => new Element(),
  createTextNode: (text) => text,
};
const truly = globalThis.setTimeout;
globalThis.setTimeout = (wake) => truly(wake, 1); // pauses take no time here
await import(`data:text/javascript,${encodeURIComponent(script)}`);
for (let turn = 0; turn < 200 && !page.story?.shown; turn++) await new Promise((wake) => truly(wake, 10));
const [title, actions, story, refusal] = ["title", "actions", "story", "refusal"].map((id) => page[id]?.shown ?? "");
console.log(JSON.stringify({ asked, title, actions, story, refusal }));
