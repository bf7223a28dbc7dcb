/** The choice with whose eyes a match is seen. */
import type { Mark } from "../board/marks";
import { t } from "../i18n";
import { type Eyes, readEyes } from "../replay/eyes";

interface Props {
  eyes: Eyes;
  open: readonly Eyes[];
  /** Return what the eyes are called. */
  called: (eyes: Eyes) => string;
  marks: readonly Mark[];
  look: (eyes: Eyes) => void;
}

export function EyesOf({ eyes, open, called, marks, look }: Props) {
  const sign = (one: Eyes) => (typeof one === "number" ? `${marks[one]?.sign ?? ""} ` : "");
  return (
    <label>
      {t("eyes")}{" "}
      <select value={String(eyes)} onChange={({ currentTarget }) => look(readEyes(currentTarget.value) ?? "public")}>
        {open.map((one) => (
          <option key={one} value={String(one)}>
            {sign(one)}
            {called(one)}
          </option>
        ))}
      </select>
    </label>
  );
}
