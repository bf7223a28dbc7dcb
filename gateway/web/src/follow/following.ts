/** Following a match from a page: through the worker that all tabs share, or by itself where browsers have none. */
import { Groups } from "./groups";
import type { Answer, Ask, News, Wish } from "./messages";

type Tell = (news: News) => void;

/** Follow a match; return what ends that. */
export type Follow = (wish: Wish, tell: Tell) => () => void;

function alone(): Follow {
  const groups = new Groups(location.origin);
  return (wish, tell) => {
    groups.follow(wish, tell);
    return () => groups.forget(wish, tell);
  };
}

interface Asked {
  wish: Wish;
  tell: Tell;
  /** Ends it, once the page follows by itself. */
  end?: () => void;
}

function shared(address: string): Follow {
  const worker = new SharedWorker(address, { type: "module", name: "foldtable" });
  const { port } = worker;
  const asked = new Map<number, Asked>();
  let last = 0;
  let byItself: Follow | undefined;
  port.onmessage = ({ data }: MessageEvent<Answer>) => asked.get(data.key)?.tell(data.news);
  // Its file may be gone, after an upgrade of the server.
  worker.onerror = () => {
    byItself = alone();
    for (const one of asked.values()) one.end = byItself(one.wish, one.tell);
  };
  addEventListener("pagehide", () => port.postMessage("closed"));
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload()); // restored without its connection
  return (wish, tell) => {
    if (byItself) return byItself(wish, tell);
    const key = ++last;
    asked.set(key, { wish, tell });
    port.postMessage({ kind: "follow", key, wish } satisfies Ask);
    return () => {
      asked.get(key)?.end?.();
      asked.delete(key);
      port.postMessage({ kind: "forget", key, wish } satisfies Ask);
    };
  };
}

/** Return where the worker is. The page names it, because its name changes with its contents. */
function workerAddress(): string | undefined {
  return document.querySelector<HTMLMetaElement>("meta[name=worker]")?.content;
}

const address = workerAddress();
export const follow: Follow = typeof SharedWorker === "function" && address !== undefined ? shared(address) : alone();
