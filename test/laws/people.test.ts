// The law of people: however a table, a manifest and a license write an address, it is one person. The oracle knows people by their numbers and
// compares no addresses.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { JsonObject } from '../../src/base/model.ts';
import { parseSeed } from '../../src/emulator/index.ts';
import { foldLedger } from '../../src/ledger/ledger.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import { memoryDisk } from '../manifest/memory-disk.ts';
import { tries } from '../tries.ts';
import { type World, world } from '../world.ts';
import { recordsOf } from './records.ts';

/** Different people: tags, dots and accents tell them apart. */
const PEOPLE = [
  'ann@example.com',
  'ann+b@example.com',
  'a.nn@example.com',
  'jos\u00e9@example.com',
  'jose@example.com',
];

/** A spelling of one address: which letters are capitals, and whether accents are characters of their own. */
interface Spelling {
  readonly capitals: number;
  readonly apart: boolean;
}

const spelling: fc.Arbitrary<Spelling> = fc.record({
  capitals: fc.oneof(fc.constant(0), fc.nat(0xffff)),
  apart: fc.boolean(),
});

function spelled(person: number, { capitals, apart }: Spelling): string {
  const letters = Array.from(PEOPLE[person] ?? '');
  const text = letters.map((letter, at) => ((capitals >> (at % 16)) & 1 ? letter.toUpperCase() : letter)).join('');
  return text.normalize(apart ? 'NFD' : 'NFC');
}

/** How one state of the files has a person. */
interface Declared {
  readonly as: 'row' | 'marked' | 'entry' | 'absent';
  readonly key: Spelling;
  /** White space around the address in the table. */
  readonly blank: string;
  /** In the group `sales`, which names its members in spellings of its own; null for the group of nobody. */
  readonly member: Spelling | null;
}

const declared: fc.Arbitrary<Declared> = fc.record({
  as: fc.constantFrom('row', 'row', 'marked', 'entry', 'absent'),
  key: spelling,
  blank: fc.constantFrom('', '', ' ', '\t', '  '),
  member: fc.option(spelling),
});

interface Files {
  readonly people: readonly Declared[];
  readonly leavers: 'release' | 'suspend';
}

const files: fc.Arbitrary<Files> = fc.record({
  people: fc.tuple(...PEOPLE.map(() => declared)),
  leavers: fc.constantFrom('release', 'suspend'),
});

function isActive({ as }: Declared): boolean {
  return as === 'row' || as === 'entry';
}

async function read({ people, leavers }: Files) {
  const rows = people.flatMap(({ as, key, blank }, person) =>
    as === 'row' || as === 'marked'
      ? [`${blank}${spelled(person, key)}${blank},P${person},${as === 'marked' ? 'left' : ''}`]
      : [],
  );
  const entries = people.flatMap(({ as, key }, person) =>
    as === 'entry' ? [[spelled(person, key), { name: `P${person}`, suspended: false }] as const] : [],
  );
  const members = people.flatMap((each, person): readonly (readonly [string, string])[] =>
    each.member !== null && isActive(each) ? [[spelled(person, each.member), 'normal']] : [],
  );
  const manifest = {
    version: 1,
    agents_from: { csv: 'people.csv', columns: { name: 'name' }, left: { column: 'state', value: 'left' }, leavers },
    agents: { 'boss@example.com': { external: { id: 'BOSS@Example.com' } }, ...Object.fromEntries(entries) },
    groups: {
      sales: { name: 'Sales', agent_priorities: { 'Boss@example.com': 'first', ...Object.fromEntries(members) } },
    },
  };
  const table = ['email,name,state', 'zoe@example.com,Zoe,', ...rows].join('\n');
  const io = memoryDisk({ 'manifest.yaml': stringify(manifest), 'people.csv': table });
  return loadManifest({ files: ['manifest.yaml'], env: {}, version: '3.6', io });
}

/** Accounts that a license has before: of few people two. */
const accounts = fc.tuple(
  ...PEOPLE.map(() =>
    fc.oneof(
      { weight: 12, arbitrary: fc.array(spelling, { maxLength: 1 }) },
      { weight: 1, arbitrary: fc.array(spelling, { minLength: 2, maxLength: 2 }) },
    ),
  ),
);

interface Account {
  readonly id: string;
  readonly suspended: boolean;
  readonly isMember: boolean;
}

/** The accounts of each person, by the name that every account of this test has. */
function accountsOf({ emulator }: World): readonly (readonly Account[])[] {
  const { agents, agentMemberships } = recordsOf(emulator);
  const inSales = new Set(agentMemberships.map(({ member }) => member));
  return PEOPLE.map((_, person) =>
    agents
      .filter(({ name }) => name === `P${person}`)
      .map(({ id, suspended }) => ({ id, suspended: suspended === true, isMember: inSales.has(id) })),
  );
}

const LAW = 'people in any spelling: never a second account, never a leaver who stays active in silence';

test(
  LAW,
  async () => {
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(accounts, fc.array(files, { minLength: 1, maxLength: 3 }), async (before, states) => {
        const seeded = before.map((each, person) => [...new Set(each.map((how) => spelled(person, how)))]);
        const agents = seeded.flatMap((ids, person) => ids.map((id) => ({ id, name: `P${person}` })));
        const seed = { agents: [...agents, { id: 'boss@example.com', name: 'Boss' }] };
        const license = world({ seed: parseSeed(seed as JsonObject) });
        const owned = PEOPLE.map(() => false);
        for (const state of states) {
          const { desired, diagnostics } = await read(state);
          expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
          if (desired === null) return;
          const then = accountsOf(license);
          const { plan, problems } = await license.planned(desired);
          if (plan === null) {
            // Only a person with two accounts may stop a plan.
            expect(problems.map(({ code }) => code)).toEqual(problems.map(() => 'ambiguous-match'));
            expect(then.some((each) => each.length > 1)).toBe(true);
            return;
          }
          const told = JSON.stringify([plan.notes, plan.unmanaged]);
          expect((await license.apply(plan, desired)).outcome).toBe('done');
          applied += 1;
          const now = accountsOf(license);
          for (const [person, each] of state.people.entries()) {
            const [was, is] = [then[person] ?? [], now[person] ?? []];
            const active = isActive(each);
            expect(is.map(({ id }) => id).sort()).toEqual(
              was.length > 0 || !active ? was.map(({ id }) => id).sort() : [spelled(person, each.key).normalize('NFC')],
            );
            const rest = is.filter(({ suspended }) => !suspended);
            const leaves = each.as === 'marked' || (each.as === 'absent' && owned[person] === true);
            // A leaver has no active account, or the plan names each that stays.
            if (leaves) for (const { id } of rest) expect(told).toContain(JSON.stringify(id).slice(1, -1));
            if (leaves && (each.as === 'marked' || state.leavers === 'suspend') && was.length === 1)
              expect(rest).toEqual([]);
            if (active) expect(rest.length).toBeGreaterThan(0);
            // Nobody is suspended without leaving, and no second account is taken for the person.
            const suspended = is.filter(
              ({ id, suspended: off }) => off && was.some((old) => old.id === id && !old.suspended),
            );
            expect(suspended.length).toBeLessThanOrEqual(leaves ? 1 : 0);
            if (active && is.length === 1) expect(is[0]?.isMember).toBe(each.member !== null);
            if (active && is.length > 1) expect(told).toContain('differs only in case');
            owned[person] ||= is.length > 0 && each.as !== 'absent';
          }
          const next = await license.planned(desired);
          expect([next.plan?.steps, next.plan?.bindings.move, next.plan?.bindings.adopt]).toEqual([[], [], []]);
          const { bindings } = foldLedger(await license.ledger.read());
          const ids = [...bindings.values()].map(({ id }) => id);
          expect(new Set(ids).size).toBe(ids.length);
        }
      }),
      { numRuns: tries(5000, 20) },
    );
    expect(applied).toBeGreaterThan(tries(5000, 20) / 2);
  },
  tries(3_600_000, 60_000),
);

/** Ways to write an address that no service takes for the plain one. */
const disguise: fc.Arbitrary<(email: string) => string> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('\u200b', '\ufeff', '\u00a0', '\u00ad', '\u202e', '\u2069', ' ', '\u2003'),
      fc.integer({ min: 1, max: 9 }),
    )
    .map(
      ([character, at]) =>
        (email: string) =>
          email.slice(0, at) + character + email.slice(at),
    ),
  fc.constantFrom<((email: string) => string)[]>(
    (email) => `mailto:${email}`,
    (email) => `Bob Ore <${email}>`,
    (email) => `<${email}>`,
    (email) => `\u201c${email}\u201d`,
    (email) => `\u2018${email}\u2019`,
    (email) => `\u00ab${email}\u00bb`,
    (email) => `Bob <mailto:${email}>`,
  ),
);

const PLACES = ['row', 'key', 'id', 'member', 'external', 'moved'] as const;

test('an address in another form is an error at its place, with the address that it must mean', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...PLACES), disguise, spelling, async (place, disguised, how) => {
      const email = spelled(0, { ...how, apart: false });
      const wrong = disguised(email);
      const entries = {
        key: { [wrong]: { name: 'Ann' } },
        id: { ann: { id: wrong, name: 'Ann' } },
        external: { ann: { external: { id: wrong } } },
      };
      const manifest = {
        agents: { [email]: { name: 'Ann' }, ...(place in entries ? entries[place as keyof typeof entries] : {}) },
        ...(place === 'row'
          ? { agents: undefined, agents_from: { csv: 'people.csv', columns: { name: 'name' } } }
          : {}),
        ...(place === 'member'
          ? { groups: { sales: { name: 'Sales', agent_priorities: { [wrong]: 'normal' } } } }
          : {}),
        ...(place === 'moved' ? { moved: [{ from: `agent/${wrong}`, to: `agent/${email}` }] } : {}),
      };
      const io = memoryDisk({
        'manifest.yaml': `version: 1\n${stringify(manifest)}`,
        'people.csv': `email,name\n"${wrong}",Ann\n`,
      });
      const { diagnostics } = await loadManifest({ files: ['manifest.yaml'], env: {}, version: '3.6', io });
      const errors = diagnostics.filter(({ code }) => code === 'bad-format');
      expect(errors.map(({ remedy }) => remedy)).toEqual([`write \`${email}\``]);
      expect(errors[0]?.place.file).toBe(place === 'row' ? 'people.csv' : 'manifest.yaml');
      expect(errors[0]?.excerpt).toContain(wrong.slice(0, 1));
    }),
    { numRuns: tries(5000, 60) },
  );
}, 120_000);

test('two declarations of one person are an error with both places', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('rows', 'row and entry', 'entries', 'members', 'overlay'),
      spelling,
      spelling,
      async (place, one, other) => {
        const [first, second] = [spelled(3, one), spelled(3, other)];
        fc.pre(first !== second);
        const table = { csv: 'people.csv', columns: { name: 'name' } };
        const entry = (email: string) => ({ [email]: { name: 'P' } });
        const rows = place === 'rows' ? [first, second] : place === 'row and entry' ? [first] : [];
        const manifest = {
          version: 1,
          ...(rows.length > 0 ? { agents_from: table } : {}),
          ...(place === 'row and entry' ? { agents: entry(second) } : {}),
          ...(place === 'entries' ? { agents: { ...entry(first), ...entry(second) } } : {}),
          ...(place === 'overlay' || place === 'members' ? { agents: entry(first) } : {}),
          ...(place === 'members'
            ? { groups: { sales: { name: 'S', agent_priorities: { [first]: 'first', [second]: 'normal' } } } }
            : {}),
        };
        const io = memoryDisk({
          'manifest.yaml': stringify(manifest),
          'people.csv': ['email,name', ...rows.map((email) => `${email},P`)].join('\n'),
          'overlay.yaml': stringify({ agents: { [second]: { max_chats_count: 3 } } }),
        });
        const overlays = place === 'overlay' ? ['overlay.yaml'] : [];
        const { desired, diagnostics } = await loadManifest({
          files: ['manifest.yaml'],
          overlays,
          env: {},
          version: '3.6',
          io,
        });
        const errors = diagnostics.filter(({ severity }) => severity === 'error');
        expect(desired).toBeNull();
        expect(errors.length).toBeGreaterThan(0);
        expect(errors.filter(({ related }) => related.length !== 1)).toEqual([]);
      },
    ),
    { numRuns: tries(5000, 60) },
  );
}, 120_000);
