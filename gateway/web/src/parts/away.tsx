/** A way back for somebody whose time was up: until then the server decides for the seat. */
import type { Table } from "@foldtable/client";
import { t } from "../i18n";

interface Props {
  table: Table;
  own: number | undefined;
  /** To be done at any version: the match goes on meanwhile. */
  comeBack: () => void;
}

export function Away({ table: { clocks, match }, own, comeBack }: Props) {
  const isAway = match.status === "running" && clocks?.seats.some(({ seat, away }) => seat === own && away);
  if (!isAway) return null;
  return (
    <div class="away" role="status">
      <p>{t("awayNow")}</p>
      <button type="button" class="primary" onClick={comeBack}>
        {t("awayReturn")}
      </button>
    </div>
  );
}
