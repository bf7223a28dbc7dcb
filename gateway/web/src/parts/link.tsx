/** A button that copies the address of the shown moment. */
import { useState } from "preact/hooks";
import { t } from "../i18n";

export function CopyLink({ fragment }: { fragment: string }) {
  const [copied, setCopied] = useState("");
  const address = `${location.origin}${location.pathname}${fragment}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
    } catch {
      prompt(t("copyLink"), address); // pages without https have no clipboard
    }
    setCopied(fragment);
  };
  return (
    <button type="button" onClick={() => void copy()}>
      {t("copyLink")}
      <span role="status">{copied === fragment ? ` ✓ ${t("copied")}` : ""}</span>
    </button>
  );
}
