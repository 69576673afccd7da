// The rules of a time in the past: law against what a license had after each run of a random history, and what the page says where the ledger does not know.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KindName } from '../../../src/base/model.ts';
import { pastRules } from '../../../src/features/ui/past-rules.ts';
import { type PastRules, sideAt } from '../../../src/features/ui/rules-at.ts';
import { renamed } from '../../../src/ledger/changes.ts';
import type { LedgerEvent } from '../../../src/ledger/events.ts';
import { fold, foldLedger } from '../../../src/ledger/ledger.ts';
import { identify } from '../../../src/plan/binding/identify.ts';
import { addressOf } from '../../../src/plan/reference.ts';
import { explain } from '../../../src/routing/explain.ts';
import { ASSUMED, programOf, type RoutingRule } from '../../../src/routing/rules.ts';
import { type BoundLicense, liveRules } from '../../../src/routing/sources.ts';
import { seen } from '../../../src/routing/visitor.ts';
import { desiredOf } from '../../desired.ts';
import { type CarriedOut, carriedOut, histories, type Step } from '../../laws/histories.ts';
import { recordsOf, ruleOrderOf } from '../../laws/records.ts';
import { IS_FULL, TRIED_VERSIONS, tries } from '../../tries.ts';
import type { World } from '../../world.ts';
import { sideOf } from './asked.ts';

const DAY = 86_400_000;

/** What the license had when a run ended. */
interface Found {
  readonly run: CarriedOut;
  readonly at: number;
  /** Groups are ids. */
  readonly rules: readonly Omit<RoutingRule, 'name'>[];
}

function rulesIn({ emulator }: World): Found['rules'] {
  const records = recordsOf(emulator);
  const byId = new Map(records.rules.map((rule) => [rule.id, rule]));
  return ruleOrderOf(records).flatMap((id) => {
    const rule = byId.get(id);
    return rule === undefined
      ? []
      : [{ groups: rule.groups.map(String), conditions: rule.conditions as RoutingRule['conditions'] }];
  });
}

/** The license as it is, with nothing declared. */
async function licenseNow(made: World, events: readonly LedgerEvent[]): Promise<BoundLicense> {
  const desired = desiredOf([]);
  const { live } = await made.settled(desired, { selects: () => false });
  const { bindings } = identify({ desired, live, known: foldLedger(events), moved: [], stays: () => null });
  return {
    live,
    declaredAs: () => null,
    objectOf: () => null,
    referenceTo: (kind, id) => addressOf(kind as KindName, bindings.referenceTo(kind, id)),
  };
}

/** A group that gets the name of one that is gone has one name with it in the past. */
function isAmbiguous(step: Step): boolean {
  return step.run === 'rename' && /^group\/[ab]$/.test(step.to);
}

const PAGES = ['/r', '/s', '/t', '/r/s', '/t/s/r', '/'];

/** For each page the groups, and how many later rules would match. */
function answers(rules: readonly RoutingRule[], open: readonly string[] = []): readonly string[] {
  const program = programOf(rules, ASSUMED);
  return PAGES.map((page) => {
    const visitor = seen({ url: `https://shop.example${page}` }, ASSUMED);
    if ('wrong' in visitor) throw new Error(visitor.wrong);
    const { groups, also_match: later, asked, depends_on: doubt } = explain(program, visitor, new Set(open));
    return `${page}: ${groups.join(' ')}, ${asked.length} asked, ${later.length} later, ${doubt ?? 'sure'}`;
  });
}

/** A group by its address at the time under its name of today, or by its id. */
function groupsThen(events: readonly LedgerEvent[], at: number): (id: string) => string {
  const past = renamed(events).filter((event) => event.type !== 'unknown' && Date.parse(event.at) <= at);
  const addresses = new Map(
    [...fold(past).bound].map(([address, { id }]) => [`${address.split('/')[0]}/${id}`, address]),
  );
  return (id) => addresses.get(`group/${id}`) ?? id;
}

describe.each(TRIED_VERSIONS)('In version %s', (version) => {
  test('the rules of any time are those that the run before it left, or are not known', async () => {
    let [known, missed] = [0, 0];
    await fc.assert(
      fc.asyncProperty(histories, async (steps) => {
        const found: Found[] = [];
        let last: World | null = null;
        await carriedOut(
          version,
          steps.filter((step) => !isAmbiguous(step)),
          (run, made) => {
            if (run !== null) found.push({ run, at: made.clock.now(), rules: rulesIn(made) });
            last = made;
          },
        );
        if (last === null) return;
        const made: World = last;
        const events = await made.ledger.read();
        const license = await licenseNow(made, events);
        const now = made.clock.now();
        const past: PastRules = JSON.parse(JSON.stringify(pastRules(events, license, ASSUMED, now)));
        const side = sideOf({ rules: liveRules(license).rules, past, readAt: now });
        for (const { run, at, rules } of found) {
          const held = sideAt(side, at + DAY / 2);
          if ('wrong' in held) {
            if (run.isWhole && !run.isKilled && run.outcome === 'done' && rules.length > 0) missed += 1;
            continue;
          }
          known += 1;
          const named = groupsThen(events, at);
          const then = rules.map((rule, place) => ({ ...rule, name: String(place), groups: rule.groups.map(named) }));
          const told = held.side.rules.map((rule) => ({
            ...rule,
            groups: rule.groups.map((group) => /^group\/(\d+)$/.exec(group)?.[1] ?? group),
          }));
          expect([run.id, answers(told, held.side.open)]).toEqual([run.id, answers(then)]);
        }
      }),
      { numRuns: tries(500, 12) },
    );
    // After a run that was cut short, or an undo, the ledger may lack the order.
    if (IS_FULL) expect(missed / known).toBeLessThan(0.05);
  });
});
