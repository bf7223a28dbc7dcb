/** A new match: against bots or with whoever is waiting, by one click; or set up in detail. */
import type { GameSummary } from "@foldtable/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { said } from "../api";
import { t } from "../i18n";
import { tableOf } from "../route";
import { asSession } from "./ended_session";
import { GameTiles } from "./game_tiles";
import { keepInvites } from "./invitations";
import { keepName, ownName } from "./own_name";
import { firstPlan, type Plan, requestOf } from "./plan";
import { PlanForm } from "./plan_form";

export function NewMatch({ games }: { games: readonly GameSummary[] }) {
  const [plan, setPlan] = useState<Plan>();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState("");
  const panel = useRef<HTMLDivElement>(null);
  const game = games.find((one) => one.game === plan?.game);
  useEffect(() => panel.current?.focus(), [plan?.game]); // which also scrolls to it

  const create = async (wish: Plan) => {
    const { match, invites } = await asSession((api) => api.createMatch(requestOf(wish)));
    keepInvites(match.match_id, invites);
    location.hash = tableOf(match.match_id);
  };
  const atOnce = async (start: () => Promise<void>) => {
    setBusy(true);
    setRefusal("");
    try {
      await start();
    } catch (error) {
      setRefusal(said(error, t("unreachable")));
      setBusy(false);
    }
  };
  const findOthers = async ({ game: id }: GameSummary) => {
    const { match } = await asSession((api) => api.quickJoin({ game: id, name: ownName(), create_if_none: true }));
    location.hash = tableOf(match.match_id);
  };
  return (
    <section class="new" aria-labelledby="new">
      <h2 id="new">{t("lobbyNew")}</h2>
      <GameTiles
        games={games}
        doing={{
          againstBots: (one) => void atOnce(() => create(firstPlan(one, ownName()))),
          findOthers: (one) => void atOnce(() => findOthers(one)),
          setUp: (one) => setPlan(plan?.game === one.game ? undefined : firstPlan(one, ownName())),
          settingUp: plan?.game,
          isBusy,
        }}
      />
      {refusal && <p class="refusal" role="alert">{refusal}</p>}
      {game && plan && (
        <div class="panel" ref={panel} tabIndex={-1}>
          <h3>{game.title}</h3>
          <PlanForm
            key={game.game}
            game={game}
            plan={plan}
            change={setPlan}
            create={(wish) => {
              keepName(wish.name);
              return create(wish);
            }}
          />
        </div>
      )}
    </section>
  );
}
