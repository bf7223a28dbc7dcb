/** How a match ended, with every line of the scores. */
import type { Table } from "@foldtable/client";
import type { Scene } from "../board/shapes";
import { t } from "../i18n";
import { named, seatName } from "./names";

export function Outcome({ scene, outcome }: { scene: Scene; outcome: NonNullable<Table["match"]["outcome"]> }) {
  const { text, results, winners } = outcome;
  const reasons = new Map(results.flatMap(({ breakdown }) => breakdown.map((line) => [line.reason, line.text?.sentence ?? line.reason])));
  const points = (result: (typeof results)[number], reason: string) =>
    result.breakdown.find((line) => line.reason === reason)?.points;
  return (
    <section class="outcome" aria-label={t("score")}>
      <h2>{named(scene.table.match, scene.game)(text?.sentence ?? outcome.reason)}</h2>
      {results.length > 0 && (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <td />
                {results.map(({ seat }) => (
                  <th key={seat} scope="col" class={winners.includes(seat) ? "winner" : ""} style={{ "border-color": scene.marks[seat]?.colour }}>
                    {scene.marks[seat]?.sign} {seatName(seat, scene.table.match.seats, scene.game)}
                  </th>
                ))}
              </tr>
              <Line name="#" values={results.map(({ rank }) => rank)} />
            </thead>
            <tbody>
              {[...reasons].map(([reason, name]) => (
                <Line key={reason} name={name} values={results.map((result) => points(result, reason) ?? "–")} />
              ))}
            </tbody>
            <tfoot>
              <Line name={t("total")} values={results.map(({ score }) => score ?? "–")} />
            </tfoot>
          </table>
        </div>
      )}
    </section>
  );
}

function Line({ name, values }: { name: string; values: readonly (string | number)[] }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {values.map((value, at) => (
        <td key={at}>{value}</td>
      ))}
    </tr>
  );
}
