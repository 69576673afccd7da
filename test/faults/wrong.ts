// What is wrong after a run that something harmed: each license must be as after one that nothing harmed.

import { isDeepStrictEqual } from 'node:util';
import { LEDGER } from '../../src/ledger/file.ts';
import { foldedNames } from '../ledger/postgres/left.ts';
import { ask, holesIn } from '../ledger/postgres/migrated.ts';
import { type Fleet, NAMES } from './fleet.ts';
import { runLog, until } from './state.ts';

/** What a license, its ledger and its requests are like after a run. */
export interface License {
  readonly objects: readonly string[];
  readonly ledger: unknown;
  /** Requests that made an object. */
  readonly created: number;
}

export async function licensesOf(fleet: Fleet): Promise<ReadonlyMap<string, License>> {
  const [objects, asked, rows] = await Promise.all([
    fleet.licenses.objects(),
    fleet.licenses.asked(),
    ask(
      fleet.url(),
      `select l.name, e.body::text as body from chatform.log l join chatform.event e on e.log = l.id
        where l.kind = 'ledger' order by l.name, e.seq`,
    ),
  ]);
  const licenseOf = (name: string): License => {
    const lines = rows.filter((row) => row['name'] === name).map(({ body }) => `${body}\n`);
    const isCreation = (action: string, status: number | null): boolean =>
      /^(?:create|add|register)_/.test(action) && status !== null && status < 300;
    return {
      objects: objects.get(name) ?? [],
      ledger: foldedNames(LEDGER.read(name, Buffer.from(lines.join('')))),
      created: asked.filter(({ license, action, status }) => license === name && isCreation(action, status)).length,
    };
  };
  return new Map(NAMES.map((name) => [name, licenseOf(name)]));
}

/** Seconds that work which a dead worker had claimed may stay claimed after the end of the run. */
const CLAIMED = 30;

/** @param reference - A license after a run that nothing harmed. @returns a line for each thing that is wrong */
export async function wrongIn(fleet: Fleet, run: string, reference: License): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const [name, license] of await licensesOf(fleet))
    for (const part of ['objects', 'ledger', 'created'] as const)
      if (!isDeepStrictEqual(license[part], reference[part]))
        wrong.push(`${name}: ${part}: ${shortened(license[part])}, not ${shortened(reference[part])}`);
  const log = await runLog(fleet, run);
  for (const name of NAMES) {
    const ends = log.filter(({ event }) => event.type === 'ended' && event.target === name && event.state === 'done');
    if (ends.length !== 1) wrong.push(`${name} was done ${ends.length} times`);
  }
  const holes = await holesIn(fleet.url());
  if (holes.length > 0) wrong.push(`holes: ${JSON.stringify(holes)}`);
  // The fence: once another run was there, no earlier one writes.
  const mixed = await ask(
    fleet.url(),
    `select l.name, e.seq from chatform.log l join chatform.event e on e.log = l.id
      where exists (select from chatform.event a join chatform.event b on a.log = b.log and a.seq < b.seq
                     where a.log = l.id and a.run = e.run and b.seq < e.seq and b.run <> e.run)`,
  );
  if (mixed.length > 0) wrong.push(`runs are mixed: ${JSON.stringify(mixed)}`);
  await until(CLAIMED, async () => {
    const [row] = await ask(
      fleet.url(),
      "select count(*)::int as left from dbos.workflow_status where status not in ('SUCCESS', 'ERROR', 'CANCELLED')",
    );
    return row?.['left'] === 0 ? true : null;
  }).catch(() => wrong.push('work is stranded'));
  const plan = await fleet.run('plan', '--all', '--detailed-exitcode');
  if (plan.code !== 0) wrong.push(`plan: ${plan.code}: ${plan.stdout.slice(0, SHOWN)}${plan.stderr.slice(0, SHOWN)}`);
  return wrong;
}

/** Characters of what is shown of a wrong thing. */
const SHOWN = 1_000;

const shortened = (value: unknown): string => JSON.stringify(value).slice(0, SHOWN);
