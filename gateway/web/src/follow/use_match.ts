/** The newest table of a match in a component: one after the other, so that people can follow what others do. */
import type { Table } from "@foldtable/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { calm } from "../motion";
import { follow } from "./following";
import type { Move, Wish } from "./messages";

/** Milliseconds that a table stays before the next one is shown. */
const PACE = 450;
/** With more tables than this waiting, some are left out. */
const MOST_WAITING = 6;

export interface Live {
  /** What is shown; undefined until the first one has come. */
  table?: Table;
  /** The moves that came while the page was open, oldest first. */
  moves: readonly Move[];
  lost: boolean;
  refused?: { reason: string; detail: string };
  /** Show at once what the answer to a move brought; what waited to be shown is older. */
  show: (table: Table) => void;
}

export function useMatch({ match, credential, language }: Wish): Live {
  const [live, setLive] = useState<Omit<Live, "show">>({ moves: [], lost: false });
  const queue = useRef<{ waiting: Table[]; shown?: Table; timer?: ReturnType<typeof setTimeout> | undefined }>({ waiting: [] });

  const epoch = useRef(0); // counts what was wished for, one after the other
  const put = (table: Table) => {
    queue.current.shown = table;
    setLive((known) => ({ ...known, table }));
  };
  const next = () => {
    const { waiting } = queue.current;
    const table = waiting.shift();
    queue.current.timer = table && setTimeout(next, PACE);
    if (table) put(table);
  };
  const shownOf = epoch.current;
  const show = (table: Table) => {
    if (shownOf !== epoch.current) return; // the answer to a move of another seat, or in another language
    if (table.version < (queue.current.shown?.version ?? 0)) return;
    queue.current.waiting = [];
    put(table);
  };
  const enqueue = (table: Table) => {
    const state = queue.current;
    const newest = state.waiting.at(-1) ?? state.shown;
    if (newest !== undefined && table.version < newest.version) return; // the answer to a move was faster
    const isSame = newest?.version === table.version;
    if (state.shown === undefined || isSame || calm() || document.hidden) {
      state.waiting = [];
      return put(table);
    }
    state.waiting.push(table);
    if (state.waiting.length > MOST_WAITING) state.waiting.shift();
    if (state.timer === undefined) next();
  };

  useEffect(() => {
    epoch.current += 1;
    queue.current = { waiting: [] };
    setLive({ moves: [], lost: false });
    const end = follow({ match, credential, language }, (news) => {
      if (news.kind === "table") enqueue(news.table);
      else if (news.kind === "connection") setLive((known) => ({ ...known, lost: news.lost }));
      else if (news.kind === "refused") setLive((known) => ({ ...known, refused: news }));
      else setLive((known) => ({ ...known, moves: [...known.moves, news.move] }));
    });
    return () => {
      end();
      clearTimeout(queue.current.timer);
    };
  }, [match, credential, language]);
  return { ...live, show };
}
