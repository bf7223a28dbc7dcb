/** Where everything begins: matches that wait for me, a new match, my matches, public tables. */
import type { GameSummary, Match } from "@foldtable/client";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { seatingOf, session } from "../account";
import { said } from "../api";
import { language, t } from "../i18n";
import { GameTiles } from "../lobby/game_tiles";
import { MatchCard } from "../lobby/match_card";
import { NewMatch } from "../lobby/new_match";
import { Pasting } from "../lobby/pasting";
import { SignedOut } from "../lobby/signed_out";
import { useGames } from "../lobby/use_games";
import { useOwnMatches, usePublicMatches, useSeatedMatches } from "../lobby/use_matches";
import { inOrder, isMyTurn, joinableFirst } from "../lobby/whose";
import { useObserved } from "../observed";

const SHOWN_FIRST = 6;

export function Lobby() {
  const who = useObserved(session);
  useObserved(language);
  const games = useGames();
  const own = useOwnMatches();
  const seated = useSeatedMatches();
  const open = usePublicMatches();

  const looker = (id: string) => ({ player: who?.player, seat: seatingOf(id)?.seat });
  const mine = inOrder(unique([...(own.matches ?? []), ...(seated.matches ?? [])]));
  const turns = mine.filter((match) => isMyTurn(match, looker(match.match_id)));
  const others = mine.filter((match) => !turns.includes(match));
  const ids = new Set(mine.map(({ match_id: id }) => id));
  const tables = joinableFirst(open.matches ?? []).filter(({ match_id: id }) => !ids.has(id));
  const trouble = own.trouble ?? seated.trouble ?? open.trouble;
  const isLoaded = who ? own.matches !== undefined : seated.matches !== undefined;
  useTurnsInTitle(turns.length);
  useEffect(() => void (isLoaded && import("./table")), [isLoaded]); // most visitors go there next

  return (
    <div class="lobby">
      {trouble !== undefined && <p class="refusal" role="alert">{said(trouble, t("unreachable"))}</p>}
      {who ? <h1 class="unseen">{t("home")}</h1> : <SignedOut />}
      <Matches id="turns" heading={t("lobbyTurn")} matches={turns} games={games} myTurn />
      {who ? (
        <NewMatch games={games} />
      ) : (
        <section aria-labelledby="games">
          <h2 id="games">{t("lobbyGames")}</h2>
          <GameTiles games={games} />
        </section>
      )}
      <div class="lists">
        {(who || others.length + seated.more > 0) && (
          <Matches id="mine" heading={t("lobbyMine")} matches={others} games={games} empty={isLoaded ? t("lobbyNoMine") : t("loading")}>
            {seated.more > 0 && (
              <button type="button" class="link" onClick={seated.showAll}>
                {t("lobbyAllSeats", { number: seated.more })}
              </button>
            )}
          </Matches>
        )}
        {who && (
          <Matches id="tables" heading={t("lobbyPublic")} matches={tables} games={games} empty={open.matches ? t("lobbyNoPublic") : t("loading")} />
        )}
      </div>
      {who && <Pasting />}
    </div>
  );
}

interface MatchesProps {
  id: string;
  heading: string;
  matches: readonly Match[];
  games: readonly GameSummary[];
  myTurn?: boolean;
  /** Said when there are none; without it the whole section is left out. */
  empty?: string;
  /** What follows the list. */
  children?: ComponentChildren;
}

function Matches({ id, heading, matches, games, myTurn = false, empty, children }: MatchesProps) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? matches : matches.slice(0, SHOWN_FIRST);
  if (matches.length === 0 && empty === undefined) return null;
  return (
    <section class={myTurn ? "my-turns" : ""} aria-labelledby={id}>
      <h2 id={id}>
        {heading} {myTurn && <span class="count">{matches.length}</span>}
      </h2>
      {matches.length === 0 && <p class="quiet">{empty}</p>}
      <ul class="cards">
        {shown.map((match) => (
          <MatchCard key={match.match_id} match={match} games={games} myTurn={myTurn} />
        ))}
      </ul>
      {shown.length < matches.length && (
        <button type="button" class="link" onClick={() => setShowsAll(true)}>
          {t("lobbyMany", { number: matches.length - shown.length })}
        </button>
      )}
      {children}
    </section>
  );
}

function unique(matches: readonly Match[]): Match[] {
  return [...new Map(matches.map((match) => [match.match_id, match])).values()];
}

/** Show in the browser's tab how many matches wait, while the lobby is open. */
function useTurnsInTitle(turns: number): void {
  useEffect(() => {
    const plain = document.title;
    document.title = turns > 0 ? `(${turns}) ${plain}` : plain;
    return () => void (document.title = plain);
  }, [turns]);
}
