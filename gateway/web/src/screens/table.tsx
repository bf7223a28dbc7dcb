/** A match that is played or watched: the boards, what may be done, what happened. */
import type { Schema, Table as TableOf } from "@foldtable/client";
import { useMemo, useState } from "preact/hooks";
import { client, said } from "../api";
import { marksOf } from "../board/marks";
import { message } from "../board/messages";
import type { Game, Scene } from "../board/shapes";
import { type BoardTouching, TableBoards } from "../board/table_boards";
import { aimed, type Chosen, NOTHING, offer as offerOf, type Progress } from "../choose/progress";
import type { Wish } from "../follow/messages";
import { type Live, seenBy } from "../follow/use_match";
import { useReadable } from "../follow/use_readable";
import { t } from "../i18n";
import { endedBy } from "../lobby/ended_session";
import { Actions } from "../parts/actions";
import { Away } from "../parts/away";
import { Closed, EndedSession } from "../parts/closed";
import { Debug } from "../parts/debug";
import { Log } from "../parts/log";
import { NeverBegan } from "../parts/never_began";
import { Outcome } from "../parts/outcome";
import { named, seatName } from "../parts/names";
import { OwnSeats } from "../parts/own_seats";
import { GoOn, pauseInWords } from "../parts/paused";
import { Seats } from "../parts/seats";
import { OpenProposal, Undo } from "../parts/undo";
import { useLog } from "../parts/use_log";
import { replayOf, type Route, tableOf } from "../route";
import { store, stored } from "../stored";
import { useGame } from "../use_game";
import { Join } from "./join";

export function Table({ match, query }: Route) {
  const invite = query.get("invite") ?? "";
  const { live, wish, isGuest, closed, seated } = useReadable(match, invite);
  const game = useGame(live.table?.match.game);
  if (closed) return <Closed refused={closed} invite={invite} />;
  if (!live.table || !game) return <p class="message" role="status">{live.lost ? t("lost") : t("loading")}</p>;
  if (live.table.match.status === "waiting") {
    return <Join table={live.table} game={game} invite={isGuest ? invite : ""} seated={seated} lost={live.lost} />;
  }
  if (live.table.view === null) return <NeverBegan match={live.table.match} game={game} />;
  return <Playing key={match} table={live.table} game={game} live={live} wish={wish} seated={seated} />;
}

/** Return how far the person has come with the open decision. Another decision, or other legal actions, begin anew; moves of others do not. */
function useProgress({ audience, pending, legal }: TableOf): [Progress, (next: Progress) => void] {
  const open = pending.find(({ seat }) => seat === audience.seat)?.id;
  const decision = useMemo(() => `${open} ${JSON.stringify(legal)}`, [open, legal]);
  const [known, setKnown] = useState({ decision, progress: NOTHING });
  return [known.decision === decision ? known.progress : NOTHING, (progress) => setKnown({ decision, progress })];
}

interface PlayingProps {
  table: TableOf;
  game: Game;
  live: Live;
  wish: Wish;
  seated: () => void;
}

function Playing({ table, game, live, wish, seated }: PlayingProps) {
  const { match, audience, legal, version } = table;
  const own = audience.kind === "seat" ? audience.seat! : undefined;
  const [progress, setProgress] = useProgress(table);
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState("");
  const [asks, setAsks] = useState(() => stored("ask", true));
  const [debugs, setDebugs] = useState(false);
  const moves = useLog(wish, seenBy(table), version, live.moves);
  const api = client(match.match_id, wish.credential);
  const marks = useMemo(() => marksOf(game.layout, match.seats.length), [game.layout, match.seats.length]);
  const scene: Scene = { game, table, marks, touched: progress.touched, aimed: legal ? aimed(legal, progress) : undefined };
  const decision = table.pending.find(({ seat }) => seat === own);

  const offer = legal && !isSending ? offerOf(legal, progress) : undefined;
  const choose = (next: Progress) => {
    setRefusal("");
    if (next.chosen && !asks) void make(next.chosen);
    else setProgress(next);
  };
  const sent = async (send: () => Promise<{ table?: TableOf | null }>) => {
    setSending(true);
    setRefusal("");
    try {
      const answer = await send();
      setProgress(NOTHING); // what was refused stays chosen, so that it can be sent again
      if (answer.table) live.show(answer.table); // without one, the stream brings it
    } catch (error) {
      endedBy(error, wish.credential);
      setRefusal(said(error, t("unreachable")));
    } finally {
      setSending(false);
    }
  };
  const make = ({ action }: Chosen) =>
    sent(() => api.move(match.match_id, action, version, own, { includeTable: true, lang: wish.language }));
  const act = (path: string, body: object, decidedOn: { version?: number } = { version }) =>
    void sent(async () => {
      await api.post(`/v1/matches/${match.match_id}/${path}`, { ...body, seat: own }, { ...decidedOn, once: true, query: { lang: wish.language } });
      return {};
    });
  const touching: BoardTouching | undefined = offer && {
    lit: new Map([...offer.lit].map(([id, next]) => [id, () => choose(next)])),
    touched: progress.touched,
    ...(offer.point ? { point: { board: offer.point.board, take: (x, y) => choose(offer.point!.take(x, y)) } } : {}),
  };
  const called = (seat: number) => `${marks[seat]?.sign ?? ""} ${seatName(seat, match.seats, game)}`;
  const names = match.to_act.map((seat) => seatName(seat, match.seats, game)).join(", ");
  const write = useMemo(() => named(match, game), [match.seats, game]);
  const standing = () => pauseInWords(match) ?? (match.status === "running" ? t("pending", { seats: names }) : (message(game, `match.${match.status}`) ?? ""));
  const heading = (decision?.text && write(decision.text.sentence ?? "")) ?? standing();
  const mayPause = match.status === "running" && match.paused_by === null && table.proposal === null;
  const mine = moves.find(({ seat }) => seat === own)?.version;

  return (
    <div class="table" data-version={version} data-game={match.game} aria-busy={isSending}>
      <Seats scene={scene} clocks={table.clocks} own={own} />
      <div class="columns">
        <TableBoards scene={scene} own={own} called={called} touching={touching} />
        <aside>
          <section class={decision ? "panel turn" : "panel"} aria-label={t("yourTurn")}>
            <h1 aria-live="polite">{heading}</h1>
            {live.lost && <p class="notice" role="status">{t("lost")}</p>}
            {refusal && <p class="refusal" role="alert">{refusal}</p>}
            <OwnSeats scene={scene} own={own} seated={seated} />
            <Away table={table} own={own} comeBack={() => act("return", {}, {})} />
            <GoOn match={match} own={own} goOn={() => act("resume", {}, {})} />
            <OpenProposal scene={scene} table={table} act={act} />
            {offer && <Actions scene={scene} offer={offer} progress={progress} choose={choose} confirm={make} write={write} />}
            {(progress.touched.length > 0 || progress.filling || progress.chosen) && !isSending && (
              <button type="button" class="again" onClick={() => setProgress(NOTHING)}>
                ↺ {t("again")}
              </button>
            )}
            {!isSending && !progress.chosen && <Undo scene={scene} table={table} act={act} />}
            {own === undefined && <EndedSession />}
            {own === undefined && match.status === "running" && <p class="quiet">{t("watching")}</p>}
            {own !== undefined && match.status === "running" && (
              <label class="quiet">
                <input
                  type="checkbox"
                  checked={asks}
                  onChange={({ currentTarget }) => {
                    store("ask", currentTarget.checked);
                    setAsks(currentTarget.checked);
                  }}
                />{" "}
                {t("ask")}
              </label>
            )}
            <Ended match={match} own={own} rematch={() => void sent(async () => {
              const next = await api.rematch(match.match_id);
              location.hash = tableOf(next.match.match_id);
              return {};
            })} />
          </section>
          {match.outcome && <Outcome scene={scene} outcome={match.outcome} />}
          <Log moves={moves} marks={marks} since={mine} isLive write={write} go={(to) => (location.hash = replayOf(match.match_id, to))} />
          <p class="quiet">
            <a href={replayOf(match.match_id)}>{t("replay")}</a>{" "}
            <button type="button" class="link" aria-expanded={debugs} onClick={() => setDebugs(!debugs)}>
              {t("debug")}
            </button>{" "}
            {own !== undefined && mayPause && (
              <button type="button" class="link" onClick={() => act("pause", {}, {})}>
                {t("pauseAsk")}
              </button>
            )}{" "}
            {own !== undefined && match.status === "running" && (
              <button type="button" class="link" onClick={() => confirm(t("resignSure")) && act("resign", {}, {})}>
                {t("resign")}
              </button>
            )}
          </p>
          {debugs && <Debug table={table} moves={moves} />}
        </aside>
      </div>
    </div>
  );
}

interface EndedProps {
  match: Schema<"Match">;
  own: number | undefined;
  rematch: () => void;
}

/** What can be done once a match is over. */
function Ended({ match, own, rematch }: EndedProps) {
  if (match.status === "running" || match.status === "waiting") return null;
  return (
    <p class="ended">
      <a class="button" href={replayOf(match.match_id)}>{t("replay")}</a>{" "}
      {match.next_match_id ? (
        <a class="button" href={tableOf(match.next_match_id)}>{t("rematch")}</a>
      ) : (
        own !== undefined && <button type="button" onClick={rematch}>{t("rematch")}</button>
      )}
    </p>
  );
}
