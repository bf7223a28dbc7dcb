/** The conditions of a match in words. */
import type { Match } from "@foldtable/client";
import { t } from "../i18n";

export function visibilityInWords(visibility: Match["visibility"]): string {
  return { private: t("lobbyPrivate"), unlisted: t("lobbyUnlisted"), public: t("lobbyEverybody") }[visibility];
}

export function undoInWords(rule: Match["undo"]): string {
  return { none: t("lobbyUndoNone"), free: t("lobbyUndoFree"), consent: t("lobbyUndoConsent") }[rule];
}
