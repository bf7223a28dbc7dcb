/** The random draws of a move, computed again in this browser. */
import type { Match, Verification } from "@foldtable/client";
import { useEffect, useState } from "preact/hooks";
import { client, said } from "../api";
import { t } from "../i18n";
import { type Draw, follows, isPromised } from "../replay/draws";

interface Props {
  match: Pick<Match, "match_id" | "commitment" | "secret">;
  /** The move that is shown. */
  at: number;
}

export function Dice({ match, at }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="panel dice" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t("dice")}</summary>
      {isOpen && <Explained match={match} at={at} />}
    </details>
  );
}

function Explained({ match, at }: Props) {
  if (!match.secret) return <p>{t("diceRunning")}</p>;
  if (!globalThis.isSecureContext) return <p>{t("diceInsecure")}</p>; // browsers compute nothing there
  return <Checked id={match.match_id} secret={match.secret} commitment={match.commitment} at={at} />;
}

interface CheckedProps {
  id: string;
  secret: string;
  commitment: string;
  at: number;
}

function Checked({ id, secret, commitment, at }: CheckedProps) {
  const [draws, setDraws] = useState<readonly Draw[]>();
  const [isKept, setKept] = useState<boolean>();
  const [refusal, setRefusal] = useState("");
  useEffect(() => {
    drawsOf(id).then(setDraws, (error) => setRefusal(said(error, t("unreachable"))));
    void isPromised(secret, commitment).then(setKept);
  }, [id]);
  if (refusal) return <p class="refusal" role="alert">{t("failed", { why: refusal })}</p>;
  if (draws === undefined || isKept === undefined) return <p role="status">{t("loading")}</p>;
  const shown = draws.filter(({ move }) => move === at);
  return (
    <>
      <p>
        {t("diceSecret")} <Verdict agrees={isKept} />
      </p>
      {shown.length === 0 ? <p>{t("diceNone")}</p> : <Draws key={at} draws={shown} secret={secret} />}
      <p class="quiet">{t("diceHow")}</p>
    </>
  );
}

function Draws({ draws, secret }: { draws: readonly Draw[]; secret: string }) {
  const [verdicts, setVerdicts] = useState<readonly boolean[]>([]);
  useEffect(() => void Promise.all(draws.map((draw) => follows(draw, secret))).then(setVerdicts), [draws.length]);
  return (
    <div class="scroll" aria-live="polite">
      <table>
        <thead>
          <tr>
            <th scope="col">#</th>
            <th scope="col">{t("diceValue")}</th>
            <th scope="col">HMAC</th>
            <th />
          </tr>
        </thead>
        <tbody>
          {draws.map(({ number, value, bound, digest }, at) => (
            <tr key={number}>
              <td>{number}</td>
              <td>{t("diceBetween", { value, most: String(BigInt(bound) - 1n) })}</td>
              <td title={digest}>
                <code>{digest.slice(0, 16)}</code>
              </td>
              <td>{verdicts[at] !== undefined && <Verdict agrees={verdicts[at]} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Verdict({ agrees }: { agrees: boolean }) {
  return <b class={agrees ? "agrees" : "differs"}>{agrees ? `✓ ${t("diceAgrees")}` : `✗ ${t("diceDiffers")}`}</b>;
}

const PAGE = 1000;

/** Return all draws of a match that is over. Rejects as the client does. */
async function drawsOf(match: string): Promise<Draw[]> {
  const draws: Draw[] = [];
  let token: string | undefined;
  do {
    const asked = { draws_page_size: PAGE, draws_page_token: token };
    const found = await client(match).get<Verification>(`/v1/matches/${encodeURIComponent(match)}/verify`, asked);
    draws.push(...found.listed_draws);
    token = found.next_draws_page_token;
  } while (token);
  return draws;
}
