// Laws of `plan --demand`: planted traffic comes back, exactly where the reports can tell it apart and never less; and fewer slots never shorten waiting.
// Visitors chat on the emulator, and its reports count them.

import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/model.ts';
import { weekAt } from '../../src/base/week.ts';
import { atOnce, LONGEST_WAIT, waitingFor } from '../../src/demand/erlang.ts';
import { HOURS_OF_WEEK, waitingIn } from '../../src/demand/week.ts';
import { openStateFile } from '../../src/emulator/index.ts';
import type { Impact } from '../../src/plan/impact.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { GroupDemand } from '../../src/planning/impact/carried.ts';
import type { TouchedGroup } from '../../src/planning/impact/touched.ts';
import { groupImpact, type WaitingBasis } from '../../src/planning/impact/waiting.ts';
import type { GroupCover, Piece } from '../../src/routing/staff/coverage.ts';
import { folder } from '../cli/chatform.ts';
import { atTerminal, fakeTerminal } from '../cli/terminal.ts';
import { tries } from '../tries.ts';
import { seededRandom, virtualClock } from '../world.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 2, 18, 9, 30);
const DAYS = 28;

/** Pages that rules look for; a visitor is on one of them. */
const PAGES = 5;

interface Rule {
  readonly key: string;
  readonly pages: readonly number[];
  readonly groups: readonly number[];
}

interface Visit {
  readonly page: number;
  /** Before today. */
  readonly hoursAgo: number;
}

/** A thread as the emulator keeps it. */
interface Thread {
  readonly page: number;
  readonly groups: readonly number[];
  readonly day: string;
}

interface License {
  readonly groups: number;
  readonly before: readonly Rule[];
  readonly after: readonly Rule[];
  readonly visits: readonly Visit[];
}

const some = (most: number, least = 1, size = 2) =>
  fc.uniqueArray(fc.nat(most - 1), { minLength: least, maxLength: Math.min(size, most) });

function ruleOf(key: fc.Arbitrary<string>, groups: number): fc.Arbitrary<Rule> {
  return fc.record({ key, pages: some(PAGES, 1, 3), groups: some(groups) });
}

const license: fc.Arbitrary<License> = fc.integer({ min: 2, max: 4 }).chain((groups) =>
  fc
    .array(ruleOf(fc.constant(''), groups), { minLength: 1, maxLength: 4 })
    .map((rules) => rules.map((rule, index) => ({ ...rule, key: `r${index}` })))
    .chain((before) => {
      const kept = fc
        .shuffledSubarray([...before])
        .chain((rules) =>
          fc.tuple(
            ...rules.map((rule) =>
              fc.oneof({ weight: 3, arbitrary: fc.constant(rule) }, ruleOf(fc.constant(rule.key), groups)),
            ),
          ),
        );
      const added = fc.option(fc.record({ at: fc.nat(4), rule: ruleOf(fc.constant('new'), groups) }));
      return fc.record({
        groups: fc.constant(groups),
        before: fc.constant(before),
        after: fc
          .tuple(kept, added)
          .map(([rules, more]) => (more === null ? rules : rules.toSpliced(more.at, 0, more.rule))),
        visits: fc.array(fc.record({ page: fc.nat(PAGES - 1), hoursAgo: fc.integer({ min: 1, max: DAYS * 24 }) }), {
          maxLength: 12,
        }),
      });
    }),
);

const keyOf = (group: number): string => `g${group}`;
const pageOf = (page: number): string => `https://shop.example/p${page}/`;

/** With a page of its own that no visitor is on, so that no rule is taken for another one. */
const conditionsOf = ({ key, pages }: Rule): JsonObject => ({
  url: { values: [...pages.map((page) => `/p${page}/`), `/only-${key}/`].map((value) => ({ value })) },
});

/** The license before: group 0 comes with it, so that the others begin with 1. */
function seedOf({ groups, before }: License): JsonObject {
  return {
    groups: Array.from({ length: groups }, (_, group) => ({ name: keyOf(group), agent_priorities: {} })),
    auto_access: before.map((rule) => ({
      description: rule.key,
      access: { groups: rule.groups.map((group) => group + 1) },
      conditions: conditionsOf(rule),
    })),
  };
}

/** The license after. A group that no rule feeds any more is not declared, so that it is deleted. */
function manifestOf({ groups, after }: License): JsonObject {
  const all = Array.from({ length: groups }, (_, group) => group);
  const declared = all.filter((group) => after.some((rule) => rule.groups.includes(group)));
  return {
    version: 1,
    groups: Object.fromEntries(declared.map((group) => [keyOf(group), { name: keyOf(group) }])),
    auto_access: after.map((rule) => ({
      key: rule.key,
      description: rule.key,
      access: { groups: rule.groups.map(keyOf) },
      conditions: conditionsOf(rule),
    })),
  };
}

/** The first rule that matches, which is none of the code under test. */
const decider = (rules: readonly Rule[], page: number): Rule | null =>
  rules.find(({ pages }) => pages.includes(page)) ?? null;

const groupsFor = (rules: readonly Rule[], page: number): string =>
  [...(decider(rules, page)?.groups ?? [])].sort().join();

const PROJECT = `version: 1
manifest: [manifest.yaml]
targets:
  shop:
    base_url: emulator:license.json
    ledger: ledger.ndjson
    prune: { group: all, auto_access: all }
`;

/** The document of a plan of the files in a folder. */
async function planned(cwd: string): Promise<Plan & { readonly impact: Impact }> {
  const { terminal, said } = fakeTerminal(null);
  const printed: string[] = [];
  const seat = { ...terminal, clock: virtualClock(NOW), out: (text: string) => void printed.push(text) };
  const home = process.cwd();
  process.chdir(cwd);
  try {
    const code = await atTerminal(['plan', '--demand', `${DAYS}d`, '--json', '--quiet'], seat);
    const document = printed.join('');
    if (code !== 0) throw new Error(`${code}: ${said()}${document}`);
    return JSON.parse(document);
  } finally {
    process.chdir(home);
  }
}

/** The chats of the visitors, in the order of time; each visitor is another customer. */
async function visit(file: string, visits: readonly Visit[]): Promise<readonly Thread[]> {
  let now = 0;
  const emulator = await openStateFile(file, { now: () => now, random: seededRandom(5), propagationDelay: 0 });
  const today = Math.floor(NOW / DAY) * DAY;
  for (const [index, { page, hoursAgo }] of visits.toSorted((a, b) => b.hoursAgo - a.hoursAgo).entries()) {
    now = today - hoursAgo * HOUR;
    const sent = {
      authorization: `Bearer dal:visitor-${index}`,
      'content-type': 'application/json',
      referer: pageOf(page),
    };
    const url = 'http://emulator/v3.7/customer/action/start_chat?organization_id=o';
    const reply = await emulator.fetch(
      new Request(url, { method: 'POST', headers: sent, body: JSON.stringify({ continuous: true }) }),
    );
    if (reply.status !== 200) throw new Error(await reply.text());
  }
  return threadsIn(emulator.snapshot());
}

function threadsIn(state: object): readonly Thread[] {
  // A snapshot has all that a record was; the last is what it is.
  const { tables } = state as {
    readonly tables: { readonly threads: readonly (readonly { readonly value: Stored }[])[] };
  };
  return tables.threads.flatMap((versions): readonly Thread[] => {
    const value = versions.at(-1)?.value;
    if (value === undefined) return [];
    const page = Number(/\/p(\d+)\//.exec(value.properties.routing.start_url)?.[1]);
    return [{ page, groups: value.group_ids, day: new Date(value.created_at).toISOString().slice(0, 10) }];
  });
}

interface Stored {
  readonly created_at: number;
  readonly group_ids: readonly number[];
  readonly properties: { readonly routing: { readonly start_url: string } };
}

/** The document of the plan, and the groups of every thread that the emulator has. */
async function measured(made: License) {
  const cwd = await folder({
    'chatform.yaml': PROJECT,
    'license.json': JSON.stringify(seedOf(made)),
    'manifest.yaml': JSON.stringify(manifestOf(made)),
  });
  const threads = await visit(join(cwd, 'license.json'), made.visits);
  return { ...(await planned(cwd)), threads };
}

describe('Planted traffic', () => {
  it('comes back exactly where one rule alone feeds its group, and never less where it says "at most"', {
    timeout: 1_800_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(license, async (made) => {
        const { before, after, visits } = made;
        const { impact, threads, resource_changes: planned } = await measured(made);
        expect([impact.missing, threads.length]).toEqual([[], visits.length]);
        // Rules and groups are called by their keys.
        const names = new Map(planned.map(({ address, name }) => [address, name]));
        for (const { address, what, chats, exact, last } of impact.changes) {
          const key = names.get(address);
          if (what === 'rule') {
            const rule = before.find((each) => each.key === key);
            const truth = threads.filter(({ page }) => decider(before, page)?.key === key).length;
            const feeding = (group: number) => before.filter(({ groups }) => groups.includes(group)).length;
            expect([address, exact]).toEqual([
              address,
              rule === undefined || rule.groups.some((group) => feeding(group) === 1),
            ]);
            if (exact) expect([address, chats]).toEqual([address, truth]);
            else expect(chats).toBeGreaterThanOrEqual(truth);
          }
          if (what === 'destroyed-group') {
            const own = threads.filter(({ groups }) => groups.some((group) => keyOf(group - 1) === key));
            expect([chats, last]).toEqual([
              own.length,
              own
                .map(({ day }) => day)
                .sort()
                .at(-1) ?? null,
            ]);
          }
        }
        const moved = threads.filter(({ page }) => groupsFor(before, page) !== groupsFor(after, page)).length;
        expect(impact.moved).toBeGreaterThanOrEqual(moved);
        expect(impact.chats).toBeGreaterThanOrEqual(impact.moved ?? Number.NaN);
        expect(impact.not_taken).toBeLessThanOrEqual(impact.chats ?? Number.NaN);
        expect((impact.moved_per_week ?? Number.NaN) * (DAYS / 7)).toBeGreaterThanOrEqual(impact.moved ?? Number.NaN);
        const { length } = impact.groups;
        const sent = impact.requests_sent;
        expect(sent['chats/total_chats'] ?? 0).toBe(length);
        // No agent serves two groups, so only the default group is asked about as well, and once whether any visitor waited.
        expect([2 * length, 2 * length + 1]).toContain(sent['chats/duration'] ?? 0);
        expect(sent['chats/queued_visitors'] ?? 0).toBeLessThanOrEqual(1);
      }),
      { numRuns: tries(500, 5) },
    );
  });
});

const WEEK = weekAt('UTC', NOW);
const GROUP: TouchedGroup = { address: 'group/g', id: 1, name: 'G', touchedBy: [], changed: [], gains: [] };
const NO_CHATS: GroupDemand = {
  chats: 0,
  notTaken: 0,
  last: null,
  hours: Array.from({ length: HOURS_OF_WEEK }, () => ({ chats: 0, times: 4, perHour: 0 })),
  length: null,
};

function coverOf(pieces: readonly Piece[]): GroupCover {
  const [none, no] = [
    { low: 0, high: 0 },
    { people: 0, slots: 0 },
  ];
  const group = { reference: 'group/g', name: 'G', builtin: false, isDeclared: true, isWhole: true, members: [] };
  const numbers = { people: none, agents: none, bots: none, slots: none, anytime: no, unsized: 0 };
  return { group, pieces, ...numbers, uncovered: [], botsOnly: [], unwatched: [] };
}

/** The group alone on so many slots. */
function basisOf(before: number, after: number): WaitingBasis {
  const team = (count: number) => [{ groups: [GROUP.address], lent: [], slots: count }];
  const teams = (count: number) =>
    NO_CHATS.hours.map(() => [
      { share: 1, piece: { from: WEEK.from, to: WEEK.to, teams: count === 0 ? [] : team(count) } },
    ]);
  return {
    week: WEEK,
    teams: { before: teams(before), after: teams(after) },
    served: new Map(),
    queueIn: () => null,
    patienceIn: () => null,
  };
}

const load = fc.double({ min: 0, max: 60, noNaN: true });
const slots = fc.nat(80);
const length = fc.double({ min: 1, max: 7200, noNaN: true });
const patience = fc.option(fc.double({ min: 0.1, max: 100_000, noNaN: true }));

describe('Fewer slots', () => {
  it('never shorten waiting, nor does more demand', () => {
    fc.assert(
      fc.property(load, load, slots, length, patience, (one, more, count, seconds, until) => {
        const now = waitingFor(one, count + 1, seconds, until);
        for (const worse of [
          waitingFor(one, count, seconds, until),
          waitingFor(one + more, count + 1, seconds, until),
        ]) {
          expect(worse.share).toBeGreaterThanOrEqual(now.share - 1e-9);
          expect(worse.seconds).toBeGreaterThanOrEqual(now.seconds - 1e-6);
          expect(worse.leaves ?? 1).toBeGreaterThanOrEqual((now.leaves ?? 1) - 1e-9);
        }
        // With a patience no chat waits longer, nor do more.
        const endless = waitingFor(one, count + 1, seconds, null);
        expect(now.share).toBeLessThanOrEqual(endless.share + 1e-9);
        expect(now.seconds).toBeLessThanOrEqual(endless.seconds + 1e-6);
        expect(now.share).toBeGreaterThanOrEqual(0);
        expect(now.share).toBeLessThanOrEqual(1 + 1e-9);
        expect(now.seconds).toBeLessThanOrEqual(LONGEST_WAIT);
      }),
      { numRuns: tries(2000, 200) },
    );
  });

  it('make every hour worse whose chats wait noticeably longer, also one that is full already', () => {
    const parts = (count: number) => coverOf([{ from: WEEK.from, to: WEEK.to, people: 1, bots: 0, slots: count }]);
    fc.assert(
      fc.property(
        load,
        fc.integer({ min: 1, max: 80 }),
        fc.integer({ min: 1, max: 80 }),
        length,
        (perHour, had, gone, seconds) => {
          fc.pre(perHour > 0.5 && gone <= had);
          const demand = {
            ...NO_CHATS,
            length: seconds,
            hours: NO_CHATS.hours.map(() => ({ chats: 1, times: 1, perHour })),
          };
          const { worse } = groupImpact(
            GROUP,
            demand,
            new Map(),
            { before: parts(had), after: parts(had - gone) },
            basisOf(had, had - gone),
          );
          const [was, is] = [had, had - gone].map((count) =>
            waitingFor(atOnce(perHour, seconds), count, seconds, null),
          );
          const isFull = atOnce(perHour, seconds) >= had;
          const grows = (is?.share ?? 0) - (was?.share ?? 0) >= 0.01 || (is?.seconds ?? 0) - (was?.seconds ?? 0) >= 10;
          if (isFull || grows) expect(worse).toHaveLength(HOURS_OF_WEEK);
          // More slots make no hour worse.
          expect(
            groupImpact(
              GROUP,
              demand,
              new Map(),
              { before: parts(had - gone), after: parts(had) },
              basisOf(had - gone, had),
            ).worse,
          ).toEqual([]);
        },
      ),
      { numRuns: tries(500, 30) },
    );
  });

  it('of a part of an hour count for that part', () => {
    const part = fc.record({ share: fc.constant(0.5), load, slots });
    fc.assert(
      fc.property(part, part, length, patience, (one, other, seconds, until) => {
        const both = waitingIn([one, other], seconds, until);
        const [first, second] = [one, other].map((each) => waitingFor(each.load, each.slots, seconds, until));
        expect(both.share).toBeCloseTo(((first?.share ?? 0) + (second?.share ?? 0)) / 2, 9);
        expect(both.seconds).toBeCloseTo(((first?.seconds ?? 0) + (second?.seconds ?? 0)) / 2, 6);
      }),
      { numRuns: tries(500, 100) },
    );
  });

  it('wait as the closed form of Erlang C says, where that can be computed', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 30, noNaN: true }), fc.integer({ min: 1, max: 40 }), (a, count) => {
        fc.pre(a < count);
        const term = (n: number): number => Array.from({ length: n }, (_, k) => a / (k + 1)).reduce((p, q) => p * q, 1);
        const top = (term(count) * count) / (count - a);
        const below = Array.from({ length: count }, (_, n) => term(n)).reduce((sum, each) => sum + each, 0);
        expect(waitingFor(a, count, 60, null).share).toBeCloseTo(top / (below + top), 9);
      }),
      { numRuns: tries(500, 100) },
    );
  });
});
