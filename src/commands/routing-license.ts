// A target in; as much of its license as routing asks about, read once, out. Sends nothing but reads.

import type { KindName, LedgerState, Live } from '../base/model.ts';
import { ORDERED, ROUTED } from '../kinds/index.ts';
import { fetchLive } from '../reading/live.ts';
import { type View, viewOf } from '../reading/view.ts';
import { readsOnly } from '../service/client.ts';
import { connect } from './connect.ts';
import type { TargetFlags } from './prepare.ts';
import type { Declared } from './routes.ts';
import type { Terminal } from './terminal.ts';

/** By kind, the fields that somebody wants to know. */
export type Wished = ReadonlyMap<KindName, ReadonlySet<string>>;

/** The rules, and the groups that tell which of them are declared. */
const RULES: Wished = new Map([
  [ORDERED.name, new Set(Object.keys(ORDERED.fields))],
  [ROUTED.name, new Set<string>()],
]);

function viewFor(wished: Wished, { desired, settings }: Declared, known: LedgerState): View {
  const usual = viewOf(desired, known, settings.apiVersion);
  const all: Wished = new Map([...RULES, ...wished]);
  return {
    kinds: new Set(all.keys()),
    fields: all,
    wanted: usual.wanted,
    namespaces: usual.namespaces,
    losing: new Set(),
    complete: new Set(),
  };
}

/** `wished` says what else is to be read beside rules and groups. */
export async function readRules(
  declared: Declared,
  known: LedgerState,
  flags: TargetFlags,
  terminal: Terminal,
  wished: Wished = new Map(),
): Promise<{ readonly live: Live; readonly requests: { readonly [action: string]: number } }> {
  const { settings } = declared;
  const { client, signal, close } = await connect(settings, terminal, flags.quiet === true);
  try {
    const reader = readsOnly(client);
    const live = await fetchLive(
      (action, body, giveUp = signal) => reader.call(action, body, { signal: AbortSignal.any([giveUp, signal]) }),
      viewFor(wished, declared, known),
      settings.apiVersion,
    );
    return { live, requests: client.requests() };
  } finally {
    await close();
  }
}
