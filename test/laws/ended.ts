// A license, what its ledger and its sink hold and what was wanted of it in; nothing out, or a failed assertion: whether a change has ended as if
// nothing had come between.

import { expect } from 'vitest';
import type { Address, Desired, ObjectId, Version } from '../../src/base/model.ts';
import type { Emulator } from '../../src/emulator/index.ts';
import { KINDS } from '../../src/kinds/index.ts';
import type { LedgerEvent } from '../../src/ledger/events.ts';
import { foldLedger } from '../../src/ledger/ledger.ts';
import { recordedIn } from './kinds/index.ts';
import { recordsOf, ruleOrderOf } from './records.ts';

/** What there is, by what a person knows it by: ids are drawn. */
export function namesOn(emulator: Emulator): readonly string[] {
  const records = recordsOf(emulator);
  const { groups, bots, presences, templates, rules, agents, properties } = records;
  const statuses = new Map(presences.map(({ id, status }) => [id, status]));
  return [
    ...groups.map(({ name }) => `group ${name}`),
    ...bots.map(({ id, name }) => `bot ${name} ${statuses.get(id) ?? 'offline'}`),
    ...templates.map(({ name }) => `template ${name}`),
    ...rules.map(({ conditions }) => `rule ${JSON.stringify(conditions)}`),
    ...agents.map(({ id }) => `agent ${id}`),
    ...properties.map(({ namespace, name }) => `property ${namespace}/${name}`),
    ...recordedIn(records).map(({ kind, name }) => `${kind} ${name}`),
  ].sort();
}

export interface Ended {
  readonly version: Version;
  readonly emulator: Emulator;
  readonly desired: Desired;
  readonly events: readonly LedgerEvent[];
  /** Whether the sink has the secret of this very object. */
  readonly holds: (address: Address, id: ObjectId) => Promise<boolean>;
  /** The names after a change that nothing disturbed. */
  readonly reference: readonly string[];
  /** Id of a rule that a person made; none when left out. */
  readonly byHand?: string;
}

/**
 * No duplicate, no orphan, nothing open, rules in order, and a reset offered for exactly the secrets that no sink holds.
 * @returns their addresses
 */
export async function expectEnded(ended: Ended): Promise<readonly Address[]> {
  const { version, emulator, desired, events, holds, reference, byHand } = ended;
  expect(namesOn(emulator)).toEqual(reference);
  const { bindings, secrets, intents } = foldLedger(events);
  expect(intents.size).toBe(0);
  const records = recordsOf(emulator);
  const owned = new Set([...bindings.values()].map(({ id }) => String(id)));
  const drawn = recordedIn(records).filter(({ preset }) => preset !== true);
  const nobodys = [...records.groups, ...records.bots, ...records.templates, ...records.rules, ...drawn].filter(
    ({ id }) => id !== 0 && id !== byHand && !owned.has(String(id)),
  );
  expect(nobodys).toEqual([]);
  expect(ruleOrderOf(records).filter((id) => id !== byHand)).toEqual(
    desired.ruleOrder.map((address) => bindings.get(address)?.id),
  );
  const unknown: Address[] = [];
  for (const { kind, address } of desired.resources) {
    const id = bindings.get(address)?.id;
    const isTold = KINDS[kind].secret?.versions.includes(version) === true;
    if (isTold && (id === undefined || !(await holds(address, id)))) unknown.push(address);
  }
  const offered = [...secrets].filter(([, state]) => state === 'lost').map(([address]) => address);
  expect(offered.sort()).toEqual(unknown.sort());
  return unknown;
}
