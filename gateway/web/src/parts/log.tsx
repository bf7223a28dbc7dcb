/** What happened, in words. */
import type { Move } from "@foldtable/client";
import { useEffect, useRef } from "preact/hooks";
import { kept } from "../board/kept";
import type { Mark } from "../board/marks";
import { t } from "../i18n";

export type Told = Pick<Move, "version" | "seat"> & { event_texts?: Move["event_texts"] };

interface Props {
  moves: readonly Told[];
  marks: readonly Mark[];
  /** The version that is shown. */
  current?: number;
  /** Go to a version; without it the log cannot be clicked. */
  go?: ((version: number) => void) | undefined;
  /** The own last move: what came after it is marked. */
  since?: number | undefined;
  isLive?: boolean;
  /** Writes a sentence with the names of the players. */
  write: (sentence: string) => string;
}

export function Log({ moves, marks, current, go, since, isLive = false, write }: Props) {
  const scrolled = useRef<HTMLDivElement>(null);
  useEffect(() => showCurrent(scrolled.current!), [current, moves.length]);
  return (
    <section class="log" aria-label={t("log")}>
      <h2>{t("log")}</h2>
      <div ref={scrolled} class="scroll" role={isLive ? "log" : undefined} tabindex={0} aria-label={t("log")}>
        <ol>
          {moves.map((move) => (
            <Entry
              key={move.version}
              move={move}
              mark={move.seat === null ? undefined : marks[move.seat]}
              isCurrent={move.version === current}
              isFresh={since !== undefined && move.version > since}
              go={go}
              write={write}
            />
          ))}
        </ol>
      </div>
    </section>
  );
}

/** Scroll the frame, and not the page, so that the shown move is in view. */
function showCurrent(frame: HTMLElement): void {
  const entry = frame.querySelector<HTMLElement>(".current");
  if (!entry) return;
  const [above, below] = [entry.offsetTop - frame.offsetTop, entry.offsetTop - frame.offsetTop + entry.offsetHeight];
  if (above < frame.scrollTop || below > frame.scrollTop + frame.clientHeight) frame.scrollTop = above - frame.clientHeight / 3;
}

interface EntryProps extends Pick<Props, "go" | "write"> {
  move: Told;
  mark: Mark | undefined;
  isCurrent: boolean;
  isFresh: boolean;
}

const Entry = kept(({ move: { version, event_texts = [] }, mark, isCurrent, isFresh, go, write }: EntryProps) => {
  const lines = event_texts.map((text) => text?.sentence).filter(Boolean);
  const words = lines.map((line, at) => <span key={at}>{write(line!)}</span>);
  return (
    <li class={[isCurrent && "current", isFresh && "fresh"].filter(Boolean).join(" ")} style={{ "border-color": mark?.colour }}>
      {go ? (
        <button type="button" onClick={() => go(version)} aria-current={isCurrent ? "step" : undefined}>
          {words.length > 0 ? words : version}
        </button>
      ) : (
        words
      )}
    </li>
  );
});
