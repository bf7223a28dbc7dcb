/** A field for invitations: whole links, and the tokens that the API gives out. */
import { useState } from "preact/hooks";
import { client, said } from "../api";
import { t } from "../i18n";
import { tableOf } from "../route";
import { readPasted } from "./invitations";

export function Pasting() {
  const [text, setText] = useState("");
  const [refusal, setRefusal] = useState("");
  const open = async () => {
    const pasted = readPasted(text);
    if (pasted === undefined) return setRefusal(t("lobbyPasteWrong"));
    if ("fragment" in pasted) return void (location.hash = pasted.fragment);
    try {
      const { match_id: match } = await client(undefined, pasted.token).credential();
      if (match) location.hash = `${tableOf(match)}?invite=${pasted.token}`;
      else setRefusal(t("lobbyPasteWrong"));
    } catch (error) {
      setRefusal(said(error, t("unreachable")));
    }
  };
  return (
    <form
      class="pasting"
      onSubmit={(event) => {
        event.preventDefault();
        void open();
      }}
    >
      <label class="field">
        <span>{t("lobbyPaste")}</span>
        <input value={text} required autocomplete="off" onInput={({ currentTarget }) => setText(currentTarget.value)} />
      </label>
      <button type="submit">{t("lobbyPasteOpen")}</button>
      {refusal && <p class="refusal" role="alert">{refusal}</p>}
    </form>
  );
}
