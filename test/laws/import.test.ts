// Law 2 of the design: import, then plan, is empty. On licenses that chatform made, and on others that it never would; into no files, and into some.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address } from '../../src/base/model.ts';
import type { Seed } from '../../src/emulator/index.ts';
import { memoryLedger } from '../../src/ledger/memory.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { TRIED_VERSIONS, tries } from '../tries.ts';
import { type Files, type Imported, importing } from './importing.ts';
import { CLIENTS, oddity } from './oddities.ts';
import { SEED, scenario, stage, writesOf } from './stage.ts';

const RUNS = tries(500, 8);
/** Of imports into what was imported: each is two. */
const MORE_RUNS = Math.ceil(RUNS / 4);

/** A license with a past, and what nobody would have planned. */
function mixed(odd: Seed): Seed {
  const lists = ['agents', 'groups', 'bots', 'auto_access'] as const;
  const joined = lists.map((name) => [name, [...(SEED[name] ?? []), ...(odd[name] ?? [])]]);
  return { ...SEED, ...odd, ...Object.fromEntries(joined) };
}

/** Everything that a plan with nothing to do has not; adoptions are told apart. */
function changes({ steps, resource_changes, reorder, withheld }: Plan): readonly unknown[] {
  const differing = resource_changes.filter(({ change, fields }) => change.actions[0] !== 'no-op' || fields.length > 0);
  return [...steps, ...differing, ...(reorder === null ? [] : [reorder]), ...withheld];
}

function unsaid({ after, draft }: Imported): readonly unknown[] {
  const said = new Set(draft.imported.leftOut.map(({ type, id }) => `${type} ${id}`));
  return after.unmanaged.filter(({ type, id }) => !said.has(`${type} ${id}`));
}

function present<T>(value: T | null): T {
  if (value === null) throw new Error('there is no plan');
  return value;
}

/** As people keep their files: comments and blank lines wherever they like, none of which means anything. */
function handled(files: Files, noise: readonly number[]): Files {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => {
      const lines = text.split('\n');
      const isCalm = !text.includes('|');
      const noisy = lines.flatMap((line, index) => {
        const kind = noise[index % noise.length];
        if (!isCalm || !/^ {2}\S/.test(line)) return [line];
        if (kind === 1) return ['', line];
        if (kind === 2) return ['  # a remark: with "signs"', line];
        return [kind === 3 && !/["'#]/.test(line) && line.endsWith(':') ? `${line} # at the end` : line];
      });
      return [path, noisy.join('\n')];
    }),
  );
}

/** Lines of `before` that are not in `after`, in their order; a line in braces may have grown. */
function lostLines(before: string, after: string): readonly string[] {
  const later = after.split('\n');
  let next = 0;
  return before.split('\n').filter((line) => {
    const found = later.findIndex((other, index) => index >= next && (other === line || hasGrown(line, other)));
    if (found >= 0) next = found + 1;
    return found < 0;
  });
}

function hasGrown(line: string, other: string): boolean {
  if (!line.endsWith('}') || !other.endsWith('}')) return false;
  const expected = [...line];
  let at = 0;
  for (const character of other) if (character === expected[at]) at += 1;
  return at === expected.length;
}

/** Which fields of which resources differ, but for the places of rules: several sets of moves lead to one order. */
function differences({ resource_changes }: Plan, declared: ReadonlySet<Address>): readonly string[] {
  return resource_changes
    .filter(({ address }) => declared.has(address))
    .filter(({ change, fields, moved }) => (change.actions[0] !== 'no-op' && moved === null) || fields.length > 0)
    .map(({ address, change, fields }) => `${address} ${change.actions} ${fields.map(({ field }) => field)}`)
    .sort();
}

function movesIn({ reorder }: Plan): number {
  return reorder?.moved.length ?? 0;
}

describe.each(TRIED_VERSIONS)('a random license that is imported, in version %s,', (version) => {
  it('is planned without a change, with a ledger or without, and nothing of it is left out unsaid', async () => {
    const split = fc.constantFrom('kind' as const, 'none' as const);
    await fc.assert(
      fc.asyncProperty(scenario(version), oddity, split, fc.boolean(), async (given, odd, split, withIds) => {
        const { world } = await stage(given, { seed: mixed(odd) });
        const stranger = { ...world, ledger: memoryLedger() };
        const made = present(await importing(stranger, { split, clients: CLIENTS, withIds }));
        expect(changes(made.after)).toEqual([]);
        expect(made.after.resource_changes.filter(({ adopting }) => adopting && !withIds)).toEqual([]);
        expect(unsaid(made)).toEqual([]);
        expect(changes(present(made.forgetful))).toEqual([]);
        expect(writesOf(world.emulator)).toEqual({});
      }),
      { numRuns: RUNS },
    );
  });

  it('is imported once more when much has changed, and neither a byte nor a difference of what was declared is lost', async () => {
    let imports = 0;
    await fc.assert(
      fc.asyncProperty(
        scenario(version),
        oddity,
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 9 }),
        fc.boolean(),
        async (given, odd, noise, remembers) => {
          const { world, desired, options } = await stage({ ...given, complete: [] }, { seed: mixed(odd) });
          const mine = memoryLedger();
          const stranger = { ...world, ledger: mine };
          const first = present(await importing(stranger, { clients: CLIENTS }));
          if (remembers) await mine.append(first.events);
          const files = handled(first.files, noise);
          await world.apply(await world.plan(desired, options), desired, { options, propagationTimeout: null });
          const second = await importing(stranger, { files, clients: CLIENTS });
          if (second === null) return;
          imports += 1;
          for (const [path, text] of Object.entries(files))
            expect(lostLines(text, second.files[path] ?? '')).toEqual([]);
          const declared = new Set(first.draft.imported.entries.map(({ address }) => address));
          expect(differences(second.after, declared)).toEqual(differences(second.before, declared));
          const own = new Set(second.draft.imported.entries.map(({ address }) => address));
          expect(differences(second.after, own)).toEqual([]);
          expect(movesIn(second.after)).toBe(movesIn(second.before));
          expect(unsaid(second)).toEqual([]);
        },
      ),
      { numRuns: MORE_RUNS },
    );
    expect(imports).toBeGreaterThan(MORE_RUNS / 3);
  });
});
