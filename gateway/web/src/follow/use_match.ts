/** The newest table of a match in a component: one after the other, so that people can follow what others do. */
import type { Table } from "@foldtable/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { calm } from "../motion";
import { follow } from "./following";
import type { Move, Wish } from "./messages";
import { TablesInTurn } from "./tables_in_turn";

export interface Refused {
  credential: string;
  status: number;
  reason: string;
  detail: string;
}

export interface Live {
  /** With what this was read; undefined: with nothing yet. */
  credential?: string;
  /** What is shown; undefined until the first one has come. */
  table?: Table;
  /** The moves that came while the page was open, seen with the eyes of the table, oldest first. */
  moves: readonly Move[];
  lost: boolean;
  /** Why the match may not be read with a credential. */
  refused?: Refused;
  /** Show at once what the answer to a move brought; newer tables that the stream has brought follow. */
  show: (table: Table) => void;
}

/** Return with whose eyes a table is seen; they change when its player takes a seat, or gives it up. */
export const seenBy = ({ audience }: Pick<Table, "audience">): string => `${audience.kind} ${audience.seat ?? ""}`;

export function useMatch({ match, credential, language, player }: Wish): Live {
  const [live, setLive] = useState<Omit<Live, "show">>({ moves: [], lost: false });
  const tables = useRef<TablesInTurn<Table> | undefined>(undefined); // another one for each wish
  const shownOf = tables.current;
  const show = (table: Table) => {
    if (shownOf === tables.current) shownOf?.show(table); // else the answer to a move of another seat, or in another language
  };

  useEffect(() => {
    const put = (table: Table) =>
      setLive((known) => ({ ...known, table, moves: known.table && seenBy(known.table) === seenBy(table) ? known.moves : [] }));
    const inTurn = new TablesInTurn<Table>(put, () => calm() || document.hidden);
    tables.current = inTurn;
    setLive({ credential, moves: [], lost: false });
    const end = follow({ match, credential, language, player }, (news) => {
      if (news.kind === "table") inTurn.enqueue(news.table);
      else if (news.kind === "connection") setLive((known) => ({ ...known, lost: news.lost }));
      else if (news.kind === "refused") setLive((known) => ({ ...known, refused: { ...news, credential } }));
      else setLive((known) => ({ ...known, moves: [...known.moves, news.move] }));
    });
    return () => {
      end();
      inTurn.end();
    };
  }, [match, credential, language, player]);
  return { ...live, show };
}
