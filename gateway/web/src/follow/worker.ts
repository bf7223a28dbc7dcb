/** A worker that all tabs of the browser share: however many there are, it has one connection for each credential. */
import type { Listener } from "./group";
import { Groups } from "./groups";
import type { Answer, Ask, Wish } from "./messages";

const groups = new Groups(self.location.origin);
const scope = self as unknown as { onconnect: (event: MessageEvent) => void };

scope.onconnect = ({ ports }) => {
  const port = ports[0]!;
  const followed = new Map<number, { wish: Wish; listener: Listener }>();
  const forget = (key: number) => {
    const known = followed.get(key);
    followed.delete(key);
    if (known) groups.forget(known.wish, known.listener);
  };
  port.onmessage = ({ data }: MessageEvent<Ask | "closed">) => {
    if (data === "closed") [...followed.keys()].forEach(forget);
    else if (data.kind === "forget") forget(data.key);
    else {
      const listener: Listener = (news) => port.postMessage({ key: data.key, news } satisfies Answer);
      followed.set(data.key, { wish: data.wish, listener });
      groups.follow(data.wish, listener);
    }
  };
};
