/** An address to pass on: shown, selected by a touch, copied by a button. */
import { useRef, useState } from "preact/hooks";
import { t } from "../i18n";

export function Copying({ label, text }: { label: string; text: string }) {
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // without https or permission there is no clipboard: the text is selected, to be copied by hand
    }
  };
  return (
    <div class="copying">
      <label class="field">
        <span>{label}</span>
        <input ref={field} value={text} readOnly onFocus={({ currentTarget }) => currentTarget.select()} />
      </label>
      <button type="button" onClick={() => void copy()} aria-label={`${t("joinCopy")}: ${label}`}>
        {t("joinCopy")}
      </button>
      <span class="copied" role="status">{isCopied ? t("joinCopied") : ""}</span>
    </div>
  );
}
