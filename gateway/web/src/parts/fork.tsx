/** Playing on from the shown moment, in a new match. It says what it does before it is done. */
import type { Match } from "@foldtable/client";
import { useState } from "preact/hooks";
import { credentialFor, keepSeats } from "../account";
import { client, said } from "../api";
import { t } from "../i18n";
import { audienceOf, type Eyes } from "../replay/eyes";
import { tableOf } from "../route";

interface Props {
  match: Pick<Match, "match_id">;
  at: number;
  eyes: Eyes;
  /** What the eyes are called. */
  called: string;
  /** Whether somebody has to decide something at this moment. */
  isOpen: boolean;
}

export function Fork({ match: { match_id }, at, eyes, called, isOpen }: Props) {
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState("");
  const begin = async () => {
    setSending(true);
    setRefusal("");
    try {
      const { kind, seat } = audienceOf(eyes);
      const made = await client(match_id).fork(match_id, { version: at, audience: kind, ...(seat === null ? {} : { seat }) });
      const to = made.match.to_act[0];
      const [first = made.seat_tokens[0]] = made.seat_tokens.filter((one) => one.seat === to);
      if (first) keepSeats(made.match.match_id, first, made.seat_tokens);
      location.hash = tableOf(made.match.match_id);
    } catch (error) {
      setRefusal(said(error, t("unreachable")));
      setSending(false);
    }
  };
  const what = eyes === "referee" ? t("forkWhole") : eyes === "public" ? t("forkWithout") : t("forkWhat", { eyes: called });
  const why = credentialFor(match_id) === "" ? t("forkSignIn") : isOpen ? "" : t("forkNobody");
  return (
    <details class="fork">
      <summary>{t("fork")}</summary>
      <p>{why || what}</p>
      {refusal && <p class="refusal" role="alert">{t("failed", { why: refusal })}</p>}
      {!why && (
        <button type="button" class="primary" disabled={isSending} onClick={() => void begin()}>
          {t("forkBegin")}
        </button>
      )}
    </details>
  );
}
