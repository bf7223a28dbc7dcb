/** All that is followed: a group for each credential and language. */
import { Group, type Listener } from "./group";
import type { Wish } from "./messages";

export class Groups {
  private readonly groups = new Map<string, Group>();

  constructor(private readonly address: string) {}

  follow({ match, credential, language, player }: Wish, listener: Listener): void {
    const key = `${language} ${credential}`;
    let group = this.groups.get(key);
    if (group === undefined) this.groups.set(key, (group = new Group(this.address, credential, language, player)));
    group.add(match, listener);
  }

  forget({ match, credential, language }: Wish, listener: Listener): void {
    const key = `${language} ${credential}`;
    const group = this.groups.get(key);
    group?.remove(match, listener);
    if (group?.isEmpty) this.groups.delete(key);
  }
}
