/** Components that are drawn again only when what they are drawn from has changed. */
import { Component, type ComponentChild, type ComponentType, h } from "preact";
import { Read } from "./reads";
import type { Scene } from "./shapes";

/** Return whether two sets of properties have the same values; those named in `but` may differ. */
function isSame<Props extends object>(known: Props, next: Props, but?: keyof Props): boolean {
  const names = Object.keys(next) as (keyof Props)[];
  if (names.length !== Object.keys(known).length) return false;
  return names.every((name) => name === but || Object.is(known[name], next[name]) || areListed(known[name], next[name]));
}

/** Return whether two lists have the same items. */
function areListed(known: unknown, next: unknown): boolean {
  if (!Array.isArray(known) || !Array.isArray(next) || known.length !== next.length) return false;
  return next.every((item, at) => Object.is(item, known[at]));
}

/** Return a component that draws as `Draw` does, and again only if a property is another one. Lists of the same items are the same. */
export function kept<Props extends object>(Draw: (props: Props) => ComponentChild): ComponentType<Props> {
  return class Kept extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      return !isSame(this.props, next);
    }
    render(): ComponentChild {
      return h(Draw, this.props);
    }
  };
}

/**
 * Return a component that draws as `Draw` does, and again only if a property other than the scene is another one, or if what
 * `Draw` has read of the scene's table would now be read differently.
 */
export function watching<Props extends { scene: Scene }>(Draw: (props: Props) => ComponentChild): ComponentType<Props> {
  return class Watching extends Component<Props> {
    private read: Read | undefined;
    override shouldComponentUpdate(next: Props): boolean {
      const { game, marks } = this.props.scene;
      const isKept = isSame(this.props, next, "scene") && game === next.scene.game && marks === next.scene.marks;
      return !isKept || !this.read!.agrees(next.scene.table);
    }
    render(): ComponentChild {
      const { scene } = this.props;
      this.read = new Read(scene.table);
      return h(Draw, { ...this.props, scene: { ...scene, table: this.read.proxy as Scene["table"] } });
    }
  };
}
