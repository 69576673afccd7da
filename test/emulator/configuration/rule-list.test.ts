import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { State } from '../../../src/emulator/index.ts';
import { tries } from '../../tries.ts';
import { createCaller } from '../caller.ts';

/** `which` and `next` pick a rule by position, modulo the length of the list. */
type Step =
  | { readonly kind: 'add'; readonly next: number | null }
  | { readonly kind: 'move'; readonly which: number; readonly next: number | null }
  | { readonly kind: 'touch'; readonly which: number }
  | { readonly kind: 'delete'; readonly which: number };

const position = fc.nat({ max: 20 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), next: fc.option(position) }),
  fc.record({ kind: fc.constant('move' as const), which: position, next: fc.option(position) }),
  fc.record({ kind: fc.constant('touch' as const), which: position }),
  fc.record({ kind: fc.constant('delete' as const), which: position }),
);

const RULE = { access: { groups: [0] }, conditions: { url: { values: [{ value: 'x' }] } } };
const pick = (ids: readonly string[], at: number | null): string =>
  at === null || ids.length === 0 ? '' : (ids[at % ids.length] ?? '');

function insertBefore(ids: readonly string[], id: string, next: string): readonly string[] {
  const rest = ids.filter((other) => other !== id);
  const at = next === '' ? rest.length : rest.indexOf(next);
  return [...rest.slice(0, at), id, ...rest.slice(at)];
}

test('Any sequence of adds, moves and deletes leaves the list that a plain array has', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { call, fail, emulator } = createCaller();
      let model: readonly string[] = [];
      for (const step of steps) {
        const which = step.kind === 'add' ? '' : pick(model, step.which);
        if (step.kind !== 'add' && which === '') continue;
        switch (step.kind) {
          case 'add': {
            const next = pick(model, step.next);
            const { id } = await call('add_auto_access', { ...RULE, next_id: next });
            model = insertBefore(model, id, next);
            break;
          }
          case 'move': {
            const next = pick(model, step.next);
            const body = { id: which, next_id: next };
            if (next === which) expect(await fail('update_auto_access', body)).toBe('validation');
            else {
              await call('update_auto_access', body);
              model = insertBefore(model, which, next);
            }
            break;
          }
          case 'touch':
            await call('update_auto_access', { id: which, description: 'touched' });
            break;
          case 'delete':
            await call('delete_auto_access', { id: which });
            model = model.filter((id) => id !== which);
        }
        const listed: { id: string; next_id: string }[] = await call('list_auto_accesses');
        expect(listed.map(({ id }) => id)).toEqual(model);
        expect(listed.map(({ next_id }) => next_id)).toEqual(model.map((_, at) => model[at + 1] ?? ''));
        expect(backwards(emulator.snapshot().tables)).toEqual(model.toReversed());
      }
    }),
    { numRuns: tries(500) },
  );
});

/** The list from its end, along the pointers that no reply shows. */
function backwards(tables: State['tables']): string[] {
  const previous = new Map(tables.rules.map(([row]) => [row?.value?.id, row?.value?.previous]));
  const found: string[] = [];
  let id = tables.ruleEnds[0]?.[0]?.value?.last ?? '';
  while (id !== '') {
    found.push(id);
    id = previous.get(id) ?? '';
  }
  return found;
}
