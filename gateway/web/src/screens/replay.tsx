/** Any match, version by version: with the eyes of whoever it is open to, and live while it is played. */
import type { Match, ReplayedVersion } from "@foldtable/client";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { marksOf } from "../board/marks";
import type { Game, Scene } from "../board/shapes";
import { TableBoards } from "../board/table_boards";
import { useReadable } from "../follow/use_readable";
import { t } from "../i18n";
import { Closed } from "../parts/closed";
import { Debug } from "../parts/debug";
import { Dice } from "../parts/dice";
import { EyesOf } from "../parts/eyes";
import { Fork } from "../parts/fork";
import { Graph } from "../parts/graph";
import { CopyLink } from "../parts/link";
import { Log } from "../parts/log";
import { named, seatName } from "../parts/names";
import { NeverBegan } from "../parts/never_began";
import { Outcome } from "../parts/outcome";
import { Player } from "../parts/player";
import { Scrubber } from "../parts/scrubber";
import { Seats } from "../parts/seats";
import { audienceOf, type Eyes, eyesOf, openEyes, readEyes } from "../replay/eyes";
import { linesOf } from "../replay/points";
import { ownMoves, roundOf, roundsOf, stepped, stopsOf, turnsOf, type Unit } from "../replay/steps";
import { useAutoplay } from "../replay/use_autoplay";
import { useKeys } from "../replay/use_keys";
import { usePlace } from "../replay/use_place";
import { useReplay } from "../replay/use_replay";
import { replayOf, type Route, tableOf } from "../route";
import { useGame } from "../use_game";

export function Replay({ match, query }: Route) {
  const { live, wish, closed } = useReadable(match);
  const [chosen, look] = useState(() => readEyes(query.get("as")));
  const asked = query.get("as");
  useEffect(() => look(readEyes(asked)), [asked]); // somebody has changed the address
  const own = live.table && eyesOf(live.table.audience);
  const open = live.table && own !== undefined ? openEyes(live.table.match, own) : undefined;
  const isClosed = chosen !== undefined && open !== undefined && !open.includes(chosen);
  const eyes = isClosed || chosen === own ? undefined : chosen;
  // Eyes that an address names are used once it is known that they are open.
  const isReady = chosen === undefined || open !== undefined;
  const newest = Math.max(live.table?.version ?? 0, live.moves.at(-1)?.version ?? 0);
  const replayed = useReplay(wish, eyes, isReady ? Math.max(1, newest) : 0);
  const game = useGame(live.table?.match.game);
  if (closed) return <Closed refused={closed} />;
  if (live.table && replayed.refusal) return <p class="message" role="alert">{replayed.refusal}</p>;
  if (live.table && game && live.table.view === null) return <NeverBegan match={live.table.match} game={game} />;
  if (!live.table || !game || own === undefined || replayed.steps.length === 0) {
    return <p class="message" role="status">{live.lost ? t("lost") : t("loading")}</p>;
  }
  return (
    <Versions
      steps={replayed.steps}
      isLoading={replayed.isLoading || replayed.steps.length < newest}
      match={live.table.match}
      game={game}
      own={own}
      eyes={replayed.eyes ?? own}
      open={open!}
      look={look}
      isClosed={isClosed}
      isLost={live.lost}
      said={Number(query.get("at")) || 0}
    />
  );
}

interface Props {
  steps: readonly ReplayedVersion[];
  isLoading: boolean;
  match: Match;
  game: Game;
  /** The eyes of whoever looks. */
  own: Eyes;
  eyes: Eyes;
  open: readonly Eyes[];
  look: (eyes: Eyes) => void;
  /** Whether other eyes were asked for that are not open. */
  isClosed: boolean;
  isLost: boolean;
  /** The version that the address names; 0: none. */
  said: number;
}

function Versions({ steps, isLoading, match, game, own, eyes, open, look, isClosed, isLost, said }: Props) {
  const last = steps.length;
  const isLive = match.status === "running";
  const ownSeat = typeof own === "number" ? own : undefined;
  const [unit, setUnit] = useState<Unit>("move");
  const [debugs, setDebugs] = useState(false);
  const place = usePlace({ match: match.match_id, said, eyes: eyes === own ? undefined : eyes, last, isLive, isLoaded: !isLoading });
  const { at } = place;
  const step = steps[at - 1]!;

  const marks = useMemo(() => marksOf(game.layout, match.seats.length), [game.layout, match.seats.length]);
  const turns = useMemo(() => turnsOf(steps), [steps]);
  const rounds = useMemo(() => roundsOf(steps), [steps]);
  const stops = useMemo(() => stopsOf(unit, steps, ownSeat), [unit, steps, ownSeat]);
  const moves = useMemo(() => steps.map(({ move }) => move), [steps]);
  const mine = useMemo(() => ownMoves(steps, ownSeat).at(-1), [steps, ownSeat]);
  const write = useMemo(() => named(match, game), [match.seats, game]);
  const names = useMemo(() => match.seats.map(({ seat }) => seatName(seat, match.seats, game)), [match.seats, game]);
  const sceneOf = ({ table }: ReplayedVersion): Scene => {
    const to_act = [...new Set(table.pending.map(({ seat }) => seat))];
    return { game, marks, table: { ...table, match: { ...match, to_act }, audience: audienceOf(eyes) } };
  };
  const scene = useMemo(() => sceneOf(step), [step, game, marks, match, eyes]);
  const lines = useMemo(() => linesOf(steps, match.seats.length, sceneOf), [steps, game]);

  const autoplay = useAutoplay(at, last, () => place.go(at + 1));
  const halted = (act: () => void) => {
    autoplay.play(false);
    act();
  };
  const go = useStable((version: number) => halted(() => place.go(version)));
  const scrub = useStable((version: number) => halted(() => place.scrub(version)));
  const toggle = () => {
    if (!autoplay.isPlaying && at >= last) place.go(1);
    autoplay.play(!autoplay.isPlaying);
  };
  useKeys({
    step: (isForward, isFar) => go(stepped(isFar ? stopsOf("turn", steps) : stopsOf("move", steps), at, isForward)),
    end: (isLast) => go(isLast ? last : 1),
    toggle,
  });

  const called = useCallback((seat: number) => `${marks[seat]?.sign ?? ""} ${names[seat]}`, [marks, names]);
  const eyesCalled = (one: Eyes) => (one === "public" ? t("eyesPublic") : one === "referee" ? t("eyesReferee") : (names[one] ?? String(one)));
  const words = (step.move.event_texts ?? []).flatMap((text) => (text?.sentence ? [write(text.sentence)] : []));
  const round = roundOf(step);
  const where = [t("moveOf", { at, last }), round === undefined ? "" : t("roundOf", { number: round })].filter(Boolean).join(" · ");
  const units = (["move", "turn", "round", "own"] as const).filter((one) => (one === "round" ? rounds.length > 0 : one !== "own" || mine !== undefined));
  const here = replayOf(match.match_id, at, eyes);

  return (
    <div class="table replay" data-version={at} data-game={match.game} aria-busy={isLoading}>
      <div class="panel controls" role="group" aria-label={t("replay")}>
        <Scrubber at={at} last={last} words={words.join(" ")} turns={turns} rounds={rounds} marks={marks} scrub={scrub} />
        <div class="fields">
          <Player
            at={at}
            last={last}
            unit={unit}
            units={units}
            setUnit={setUnit}
            step={(isForward) => go(stepped(stops, at, isForward))}
            end={(isLast) => go(isLast ? last : 1)}
            autoplay={autoplay}
            toggle={toggle}
          />
          <EyesOf eyes={eyes} open={open} called={eyesCalled} marks={marks} look={look} />
        </div>
      </div>
      <Seats scene={scene} own={ownSeat} />
      <div class="columns">
        <TableBoards scene={scene} own={typeof eyes === "number" ? eyes : undefined} called={called} glides={place.glides} />
        <aside>
          <section class="panel">
            <h1>{where}</h1>
            <div class="happened" aria-live="polite" tabindex={0}>
              {words.map((line, at) => (
                <p key={at}>{line}</p>
              ))}
            </div>
            {isLive && <p class="notice">{t("live")}</p>}
            {isLost && <p class="notice" role="status">{t("lost")}</p>}
            {isClosed && <p class="notice" role="status">{t("eyesLater")}</p>}
            <div class="fields">
              <a class="button" href={tableOf(match.match_id)}>{t("toTable")}</a>
              <CopyLink fragment={here} />
              {mine !== undefined && mine < last && (
                <button
                  type="button"
                  onClick={() => {
                    place.go(mine);
                    autoplay.play(true);
                  }}
                >
                  {t("sinceMine")}
                </button>
              )}
            </div>
            <Fork match={match} at={at} eyes={eyes} called={eyesCalled(eyes)} isOpen={step.table.pending.length > 0} />
          </section>
          {at === last && !isLoading && match.outcome && <Outcome scene={scene} outcome={match.outcome} />}
          <Graph lines={lines} at={at} last={last} marks={marks} names={names} scrub={scrub} />
          <Log moves={moves} marks={marks} current={at} go={go} write={write} />
          <Dice match={match} at={at} />
          <p class="quiet">
            {t("keys")}{" "}
            <button type="button" class="link" aria-expanded={debugs} onClick={() => setDebugs(!debugs)}>
              {t("debug")}
            </button>
          </p>
          {debugs && <Debug table={{ ...scene.table, version: at }} moves={[step.move]} />}
        </aside>
      </div>
    </div>
  );
}

/** Return a function that stays the same and does what the newest one does. */
function useStable<Value>(act: (value: Value) => void): (value: Value) => void {
  const [newest] = useState({ act });
  newest.act = act;
  return useCallback((value: Value) => newest.act(value), []);
}

