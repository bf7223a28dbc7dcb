/** For developers: what the server sent, what happened, and the last requests. */
import type { Table } from "@foldtable/client";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { requests } from "../api";
import { t } from "../i18n";
import { useObserved } from "../observed";

interface Props {
  table?: Pick<Table, "version" | "audience" | "view" | "pieces" | "pending"> & Partial<Pick<Table, "legal">> | undefined;
  moves: readonly unknown[];
}

export function Debug({ table, moves }: Props) {
  const last = useObserved(requests);
  const json = (value: unknown) => <pre tabindex={0}>{JSON.stringify(value, null, 1)}</pre>;
  return (
    <section class="debug" aria-label={t("debug")}>
      <details>
        <summary>requests</summary>
        <table>
          <tbody>
            {last.map(({ method, path, status, milliseconds }, at) => (
              <tr key={at}>
                <td>{method}</td>
                <td>{path}</td>
                <td>{status || "–"}</td>
                <td>{Math.round(milliseconds)} ms</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
      <Lazy name={`view (version ${table?.version ?? "–"})`} show={() => json(table?.view)} />
      <Lazy name="pieces" show={() => json(table?.pieces)} />
      <Lazy name="pending, legal" show={() => json({ pending: table?.pending, legal: table?.legal })} />
      <Lazy name="events" show={() => json(moves.slice(0, 20))} />
    </section>
  );
}

/** Long texts are written only while they are open. */
function Lazy({ name, show }: { name: string; show: () => ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{name}</summary>
      {isOpen && show()}
    </details>
  );
}
