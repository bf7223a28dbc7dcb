/** Shows that something went wrong in a screen, in place of nothing at all. */
import { Component, type ComponentChildren } from "preact";
import { t } from "./i18n";

interface Props {
  children: ComponentChildren;
}

export class Boundary extends Component<Props, { error?: unknown }> {
  override componentDidCatch(error: unknown): void {
    console.error(error);
    this.setState({ error });
  }

  render({ children }: Props) {
    if (this.state.error === undefined) return children;
    return (
      <p class="message" role="alert">
        {t("failed", { why: String(this.state.error) })}{" "}
        <button type="button" onClick={() => location.reload()}>
          {t("tryAgain")}
        </button>
      </p>
    );
  }
}
