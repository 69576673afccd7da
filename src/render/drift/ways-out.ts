// A resource that differs in; the commands that end it, ready to be pasted into a shell, out. Whoever can name an object must not be able to run one.

import type { DriftItem, WayOut } from '../../tasks/drift/report.ts';
import { plain } from '../plain.ts';

const HARMLESS = /^[\w@%+=:,./-]+$/;

/** One word of a POSIX shell, whatever the text is. */
export function quoted(text: string): string {
  const shown = plain(text);
  return HARMLESS.test(shown) ? shown : `'${shown.replaceAll("'", String.raw`'\''`)}'`;
}

const COMMANDS: { readonly [way in WayOut]: ((target: string, address: string) => string) | null } = {
  apply: (target, address) => `repository wins:  chatform apply -t ${target} --only ${address}`,
  accept: (target, address) => `license wins:     chatform drift -t ${target} --accept ${address}`,
  import: (target, address) => `license wins:     chatform import -t ${target} --only ${address}`,
  ignore: null,
};

/** For each way that a command goes: whose word it takes, and the command. */
export function waysOut(target: string, address: string, items: readonly DriftItem[]): readonly string[] {
  return (Object.keys(COMMANDS) as WayOut[]).flatMap((way) => {
    const command = COMMANDS[way];
    if (command === null || !items.some((item) => item.ways_out.includes(way))) return [];
    return [command(quoted(target), quoted(address))];
  });
}

export function canBeIgnored(items: readonly DriftItem[]): boolean {
  return items.some((item) => item.ways_out.includes('ignore'));
}
