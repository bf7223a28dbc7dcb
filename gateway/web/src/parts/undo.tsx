/** Taking back, proposals of others, leaving. Each says what it does before it is done. */
import type { Table } from "@foldtable/client";
import type { Scene } from "../board/shapes";
import { t } from "../i18n";
import { seatName } from "./names";

type Act = (path: string, body: object) => void;

const PROPOSED = {
  undo: "proposalUndo",
  abort: "proposalAbort",
  pause: "proposalPause",
  replace: "proposalReplace",
} as const;

interface Props {
  scene: Scene;
  table: Table;
  act: Act;
}

export function Undo({ table, act }: Props) {
  const { undo, version } = table;
  if (!undo || undo.refusal || table.match.paused_by) return null; // nothing is taken back during a pause
  const isFree = undo.free_to < version;
  const asks = !isFree && undo.earliest < version && table.proposal === null;
  return (
    <div class="undo">
      {isFree && (
        <button type="button" onClick={() => act("undo", { to: undo.free_to })} title={t("undoFree", { to: undo.free_to })}>
          ↶ {t("undo")}
        </button>
      )}
      {asks && (
        <button type="button" onClick={() => act("undo", { to: version - 1 })} title={t("undoNeeds")}>
          ↶ {t("undoAsk")}
        </button>
      )}
      {undo.redo && (
        <button type="button" onClick={() => act("redo", {})}>
          ↷ {t("redo")}
        </button>
      )}
      <small>{isFree ? t("undoFree", { to: undo.free_to }) : asks ? t("undoNeeds") : ""}</small>
    </div>
  );
}

/** An open proposal, and the answer of the own seat. */
export function OpenProposal({ scene, table, act }: Props) {
  const { proposal, audience } = table;
  if (!proposal) return null;
  const seat = seatName(proposal.seat, table.match.seats, scene.game);
  const answer = (accept: boolean) => act(`${proposal.kind}/answer`, { accept });
  return (
    <div class="proposal" role="status">
      <p>{t(PROPOSED[proposal.kind], { seat, to: proposal.to ?? "" })}</p>
      {audience.kind === "seat" && proposal.waiting.includes(audience.seat!) && (
        <>
          <button type="button" onClick={() => answer(true)}>
            {t("offer")}
          </button>
          <button type="button" onClick={() => answer(false)}>
            {t("offerDecline")}
          </button>
        </>
      )}
    </div>
  );
}
