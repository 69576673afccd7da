// Law: undo of any run, whatever ran after it, touches no object that another run bound, and takes back nothing that another run wrote last. The oracle
// reads the license alone: for each fact it knows the run that wrote it last.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/index.ts';
import { IS_FULL, TRIED_VERSIONS, tries } from '../tries.ts';
import { type CarriedOut, carriedOut, histories, type Step } from './histories.ts';
import { recordedIn } from './kinds/index.ts';
import { recordsOf, ruleOrderOf } from './records.ts';
import { NOTHING, type Wanted } from './wanted.ts';

/** Each fact of a license under its own name. An object is named by what no other object ever has. */
type Facts = ReadonlyMap<string, string>;

/** `generation`: how often the property was unregistered. */
function factsOf(emulator: Emulator, generation: number): Facts {
  const records = recordsOf(emulator);
  const facts = new Map<string, string>();
  const put = (name: string, value: unknown): void => void facts.set(name, JSON.stringify(value));
  const account = new Map(records.agents.map(({ id, account_id }) => [id, account_id]));
  const object = (name: string, fields: object): void => {
    put(name, 'exists');
    for (const [field, value] of Object.entries(fields)) put(`${name} ${field}`, value);
  };
  for (const { id, name, language_code } of records.groups) object(`group:${id}`, { name, language_code });
  for (const { id, account_id, name, job_title, suspended } of records.agents)
    object(`agent:${account_id}`, { id, name, job_title, suspended });
  for (const { id, name, max_chats_count } of records.bots) object(`bot:${id}`, { name, max_chats_count });
  for (const { member, group, priority } of records.agentMemberships)
    put(`edge agent:${account.get(member)} group:${group}`, priority);
  for (const { member, group, priority } of records.botMemberships) put(`edge bot:${member} group:${group}`, priority);
  for (const { id, description, groups, conditions } of records.rules)
    object(`rule:${id}`, { description, groups: [...groups].sort(), conditions });
  const order = ruleOrderOf(records);
  for (const [at, one] of order.entries())
    for (const other of order.slice(at + 1)) {
      const [first, second] = one < other ? [one, other] : [other, one];
      put(`order rule:${first} rule:${second}`, one === first);
    }
  for (const { namespace, name, type } of records.properties as readonly Record<string, unknown>[])
    object(`property:${namespace}/${name}#${generation}`, { type });
  for (const { id, owner_client_id, name, max_chats_count } of records.templates)
    object(`template:${id}`, { owner_client_id, name, max_chats_count });
  for (const { kind, id, name, fields, preset } of recordedIn(records)) {
    const { id: _, author_id: __, created_at: ___, updated_at: ____, ...own } = fields;
    // What is always there is no object that a run could make.
    if (preset !== true) object(`${kind}:${id}`, { ...own, name });
  }
  // That there is a list of domains follows from the domains.
  for (const { holder, namespace, name, value } of records.values)
    if (name !== 'whitelist_enabled') put(`value property:${namespace}/${name}#${generation} ${holder}`, value);
  return facts;
}

function isEqual(one: Facts, other: Facts): boolean {
  return one.size === other.size && [...one].every(([fact, value]) => other.get(fact) === value);
}

/** What people call an object: a run may make it again only if it, or what is undone, deleted one of that name. */
function nameOf(facts: Facts, object: string): string {
  const kind = object.slice(0, object.indexOf(':'));
  return `${kind} ${facts.get(`${object} id`) ?? facts.get(`${object} description`) ?? facts.get(`${object} name`) ?? object.split('#')[0]}`;
}

const isObject = (fact: string): boolean => !fact.includes(' ');
const objectsIn = (fact: string): readonly string[] => fact.split(' ').filter((part) => part.includes(':'));

/** One value of a fact. */
interface Written {
  readonly value: string | undefined;
  /** Indexes of the runs that wrote it, each with what it found. An undo that returns a value joins those that wrote it before. */
  readonly writers: ReadonlyMap<number, Written>;
}

const UNWRITTEN: Written = { value: undefined, writers: new Map() };

/** What a fact was before some runs changed it, if they changed it last. */
function foundBy(written: Written, runs: ReadonlySet<number>, value: string | undefined): Written | null {
  for (const [writer, found] of written.writers) {
    if (!runs.has(writer)) continue;
    const former = found.value === value ? found : foundBy(found, runs, value);
    if (former !== null) return former;
  }
  return null;
}

interface Known {
  /** By fact. */
  readonly written: Map<string, Written>;
  /** By object: index of the run in which it first was there. */
  readonly births: Map<string, number>;
  /** By what objects are called: indexes of the runs that deleted one. */
  readonly deleters: Map<string, Set<number>>;
}

/** Whether a rule only lost groups that are gone: the service takes them off, and what others wrote of the rule is theirs as before. */
function goesWithGroups(fact: string, before: Facts, after: Facts): boolean {
  const [was, is] = [before.get(fact), after.get(fact)];
  if (!/^rule:\S+ groups$/.test(fact) || was === undefined || is === undefined) return false;
  const staying = (JSON.parse(was) as readonly number[]).filter((id) => after.has(`group:${id}`));
  return JSON.stringify(staying) === is;
}

/** `undone`: the runs that this one took back. */
function record(
  { written, births, deleters }: Known,
  before: Facts,
  after: Facts,
  index: number,
  undone: ReadonlySet<number>,
): void {
  for (const fact of new Set([...before.keys(), ...after.keys()])) {
    const value = after.get(fact);
    if (before.get(fact) === value) continue;
    const found = written.get(fact) ?? UNWRITTEN;
    const former = goesWithGroups(fact, before, after) ? found : foundBy(found, undone, value);
    written.set(fact, { value, writers: new Map([...(former?.writers ?? []), [index, found]]) });
    if (!isObject(fact)) continue;
    if (after.has(fact)) births.set(fact, index);
    else {
      const name = nameOf(before, fact);
      deleters.set(name, (deleters.get(name) ?? new Set()).add(index));
    }
  }
}

/** The runs that are one change with a run: those of its purpose that were cut short right before it, if it read everything as declared. */
function changeOf(runs: readonly CarriedOut[], index: number, changes: readonly boolean[]): ReadonlySet<number> {
  const own = new Set([index]);
  const run = runs[index];
  // A run that was cut short belongs to the one that finished it.
  if (run?.isKilled === true) {
    for (let at = index + 1; at < runs.length; at += 1) {
      const next = runs[at];
      if (next === undefined || (next.isKilled && next.purpose === run.purpose) || changes[at] !== true) {
        if (next?.isWhole === true && next.outcome === 'done' && changes[at] !== true) break;
        continue;
      }
      if (next.purpose === run.purpose && next.isWhole && next.outcome === 'done') return changeOf(runs, at, changes);
      break;
    }
  }
  if (run?.isWhole !== true && run?.isKilled !== true) return own;
  for (let at = index - 1; at >= 0; at -= 1) {
    const before = runs[at];
    if (before === undefined) break;
    if (before.isKilled && before.purpose === run.purpose) own.add(at);
    else if (changes[at] === true || (before.isWhole && before.outcome === 'done')) break;
  }
  return own;
}

/** What an undo must not have done, in words. */
function violations(
  { written, births, deleters }: Known,
  { before, after }: { readonly before: Facts; readonly after: Facts },
  allowed: ReadonlySet<number>,
): readonly string[] {
  const newest = Math.max(...allowed);
  const isLater = (object: string): boolean =>
    (births.get(object) ?? -1) > newest && !allowed.has(births.get(object) ?? -1);
  const found: string[] = [];
  for (const fact of new Set([...before.keys(), ...after.keys()])) {
    if (before.get(fact) === after.get(fact)) continue;
    const objects = objectsIn(fact);
    const isNew = objects.some((object) => !before.has(object) && after.has(object));
    if (isNew) {
      const [object = fact] = objects.filter((each) => !before.has(each));
      if (![...(deleters.get(nameOf(after, object)) ?? [])].some((index) => allowed.has(index)))
        found.push(`${fact} is made, and no undone run deleted it`);
      continue;
    }
    // A rule that is gone has no place.
    if (fact.startsWith('order ') && !objects.every((object) => after.has(object))) continue;
    // Rules move around one that a later run made.
    if (fact.startsWith('order ') && objects.some(isLater) && !objects.every(isLater)) continue;
    const writers = [...(written.get(fact) ?? UNWRITTEN).writers.keys()];
    if (!writers.some((writer) => allowed.has(writer)))
      found.push(`${fact}: ${before.get(fact)} -> ${after.get(fact)}, written last by run ${writers.join(' or ')}`);
  }
  return found;
}

test('Undo of a replacement that was cut off makes no second object of what is still there', async () => {
  const wants = (path: string): Wanted => ({ ...NOTHING, webhook: { path, description: '' } });
  for (let at = 0; at < 7; at += 1) {
    const steps: readonly Step[] = [
      { run: 'apply', wanted: wants('closed'), only: null, kill: null },
      { run: 'apply', wanted: wants('ended'), only: null, kill: { at, moment: 'after' } },
      { run: 'undo', which: null, kill: null },
    ];
    let urls: readonly unknown[] = [];
    await carriedOut('3.7', steps, (_, { emulator }) => {
      const hooks = recordedIn(recordsOf(emulator)).filter(({ kind }) => kind === 'webhook');
      urls = hooks.map(({ fields }) => (fields as { readonly url?: unknown }).url);
    });
    expect([at, new Set(urls).size]).toEqual([at, urls.length]);
  }
});

test.each(TRIED_VERSIONS)(
  'Undo of any run, in version %s, whatever ran after it, touches nothing that another run bound or wrote last',
  async (version) => {
    let [undos, changing] = [0, 0];
    await fc.assert(
      fc.asyncProperty(histories, async (steps) => {
        const known: Known = { written: new Map(), births: new Map(), deleters: new Map() };
        const runs: CarriedOut[] = [];
        const changes: boolean[] = [];
        let before: Facts = new Map();
        await carriedOut(version, steps, (run, made) => {
          const after = factsOf(made.emulator, made.emulator.stats()['unregister_property'] ?? 0);
          if (run === null) {
            before = after;
            return;
          }
          const index = runs.push(run) - 1;
          let allowed: ReadonlySet<number> = new Set();
          if (run.request !== null) {
            undos += 1;
            if (run.hasSteps) changing += 1;
            const undone = runs.findIndex(({ id }) => id === run.request?.run.id);
            const begun = runs.flatMap(({ purpose, isKilled }, at) =>
              isKilled && purpose === run.purpose ? [at] : [],
            );
            allowed = new Set([...changeOf(runs.slice(0, index), undone, changes), ...begun]);
            expect({ run: run.id, amiss: violations(known, { before, after }, allowed) }).toEqual({
              run: run.id,
              amiss: [],
            });
          }
          // One that was killed before its first effect parts no change in two.
          changes.push(run.hasSteps && !(run.isKilled && isEqual(before, after)));
          record(known, before, after, index, allowed);
          before = after;
        });
      }),
      { numRuns: tries(500, 15) },
    );
    if (IS_FULL) expect(changing / undos).toBeGreaterThan(0.25);
  },
);
