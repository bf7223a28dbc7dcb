/** A match that waits for players: what is played, who is there, and a seat to take. */
import type { Match, Table } from "@foldtable/client";
import { useEffect, useMemo, useState } from "preact/hooks";
import { credentialFor, forgetSeat, seatingOf, session } from "../account";
import { client, said } from "../api";
import { marksOf } from "../board/marks";
import type { Game } from "../board/shapes";
import { t } from "../i18n";
import { clockInWords } from "../lobby/clocks";
import { Copying } from "../lobby/copying";
import { colourOf, EmblemOf } from "../lobby/emblems";
import { invitesOf } from "../lobby/invitations";
import { optionsInWords } from "../lobby/options";
import { keepName, MAX_NAME, ownName } from "../lobby/own_name";
import { isOffered, take } from "../lobby/taking";
import { undoInWords, visibilityInWords } from "../lobby/terms";
import { useGames } from "../lobby/use_games";
import { WaitingSeats } from "../lobby/waiting_seats";
import { ownSeats } from "../lobby/whose";
import { useObserved } from "../observed";
import { invitation, replaceAddress, tableOf } from "../route";

interface Props {
  table: Table;
  game: Game;
  /** The invite with which the page was opened; empty: none. */
  invite: string;
  /** To be called when a seat was taken in this browser. */
  seated: () => void;
  lost: boolean;
}

export function Join({ table, game, invite, seated, lost }: Props) {
  const { match, audience } = table;
  const { match_id: id, seats } = match;
  const who = useObserved(session);
  const known = useGames().find((one) => one.game === match.game);
  const [name, setName] = useState(ownName);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState("");
  const invited = useSeatOf(invite);
  const seating = seatingOf(id);
  const [mine] = ownSeats(match, { player: who?.player, seat: seating?.seat });
  const own = audience.kind === "seat" ? audience.seat! : mine?.seat; // a link or an invitation may have been opened to look
  const marks = useMemo(() => marksOf(game.layout, seats.length), [game.layout, seats.length]);
  const api = client(id, audience.kind === "seat" ? credentialFor(id) : (seating?.token ?? who?.token ?? ""));

  const attempt = async (act: () => Promise<unknown>) => {
    setBusy(true);
    setRefusal("");
    try {
      await act();
    } catch (error) {
      setRefusal(said(error, t("unreachable")));
    } finally {
      setBusy(false);
    }
  };
  const sit = (seat: Match["seats"][number]) =>
    void attempt(async () => {
      await take(match, seat, name, invite);
      keepName(name);
      replaceAddress(tableOf(id)); // the invite is used up
      seated();
    });
  const leave = () =>
    void attempt(async () => {
      await api.leave(id, own);
      forgetSeat(id);
      location.hash = "#/";
    });
  const offered = (seat: Match["seats"][number]) => (own === undefined || invited !== undefined) && isOffered(seat, match, who?.player, invited);
  const mayTake = seats.some(offered);
  const present = seats.filter(({ taken }) => taken);
  const mayStart = known?.seat_counts.includes(present.length) ?? true;
  const isReady = own !== undefined && seats[own]!.ready;
  const onDemand = match.start === "on_demand";
  const invites = invitesOf(id).filter(({ seat }) => seats[seat]?.state === "invited");

  return (
    <div class="join panel" style={{ "border-color": colourOf(match.game) }} data-match={id}>
      <header>
        <EmblemOf game={match.game} />
        <div>
          <h1>{known?.title ?? match.game}</h1>
          {match.title && <p class="title">{match.title}</p>}
          <p class="quiet" role="status">{lost ? t("lost") : t("joinWaiting")}</p>
        </div>
      </header>
      {refusal && <p class="refusal" role="alert">{refusal}</p>}
      <WaitingSeats match={match} game={game} marks={marks} own={own} isOffered={offered} take={sit} isBusy={isBusy} />
      {mayTake && (
        <label class="field">
          <span>{t("lobbyName")}</span>
          <input value={name} maxLength={MAX_NAME} autocomplete="nickname" onInput={({ currentTarget }) => setName(currentTarget.value)} />
        </label>
      )}
      {own !== undefined && <p class="notice">{t("joinSits", { number: own + 1 })}</p>}
      {own === undefined && !mayTake && <p class="notice">{who ? t("joinNone") : t("joinNeeds")}</p>}
      {own !== undefined && (
        <p class="doing">
          {onDemand && (
            <button type="button" class="primary" disabled={isBusy || !mayStart} onClick={() => void attempt(() => api.start(id))}>
              {t("joinStart")}
            </button>
          )}
          {onDemand && (
            <button
              type="button"
              disabled={isBusy}
              aria-pressed={isReady}
              onClick={() => void attempt(() => api.updateSeat(id, own, { ready: !isReady }))}
            >
              {isReady && "✓ "}
              {t("joinReady")}
            </button>
          )}
          <button type="button" disabled={isBusy} onClick={leave}>
            {t("joinLeave")}
          </button>
        </p>
      )}
      {own !== undefined && invites.length > 0 && (
        <section aria-labelledby="invites">
          <h2 id="invites">{t("joinInvites")}</h2>
          <p class="quiet">{t("joinInvitesHint")}</p>
          {invites.map(({ seat, token }) => (
            <Copying key={seat} label={t("joinInvite", { number: seat + 1 })} text={invitation(id, token)} />
          ))}
        </section>
      )}
      {match.visibility !== "private" && <Copying label={t("joinLink")} text={`${location.origin}/${tableOf(id)}`} />}
      <Terms match={match} game={game} />
    </div>
  );
}

/** Under which conditions the match will be played. */
function Terms({ match, game }: { match: Match; game: Game }) {
  const rows = [
    ...optionsInWords(game, match.options),
    { name: t("lobbyStart"), value: match.start === "on_demand" ? t("lobbyOnDemand") : t("lobbyWhenFull") },
    { name: t("lobbyClock"), value: clockInWords(match.clock) },
    { name: t("lobbyUndo"), value: undoInWords(match.undo) },
    { name: t("lobbyVisibility"), value: visibilityInWords(match.visibility) },
  ];
  return (
    <dl class="terms">
      {rows.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Return the seat of an invite; undefined while it is not known, or without one. */
function useSeatOf(invite: string): number | undefined {
  const [seat, setSeat] = useState<number>();
  useEffect(() => {
    setSeat(undefined);
    if (invite === "") return;
    client(undefined, invite)
      .credential()
      .then(({ seat: found }) => setSeat(found ?? undefined), () => undefined); // the table says what is wrong
  }, [invite]);
  return seat;
}
