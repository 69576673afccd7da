// Random licenses whose service keeps texts in another form: an apply ends done, and neither a plan nor a drift finds anything after it.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Spec } from '../../src/base/model.ts';
import { TRIED_VERSIONS, tries } from '../tries.ts';
import type { CannedWish } from './kinds/canned-response.ts';
import { leftOver } from './left-over.ts';
import { scenario, stage, writesOf } from './stage.ts';

/** A text that the service keeps without its HTML. */
function inHtml<T extends { readonly spec: Spec }>(response: T): T {
  return { ...response, spec: { ...response.spec, text: `<b>${response.spec['text']}</b><br/> ` } };
}

describe.each(TRIED_VERSIONS)('a random license that keeps small letters and no blanks, in version %s,', (version) => {
  it('is applied to the end, and stays as it is', async () => {
    await fc.assert(
      fc.asyncProperty(scenario(version), async (given) => {
        const settings = { ...given.settings, keptForms: ['small', 'trimmed', 'joined-blanks'] } as const;
        // A past that was not verified taught the ledger no form.
        const { drawn } = given.wish;
        const canned = (drawn['canned_response'] ?? []) as CannedWish;
        const inForm = { ...drawn, canned_response: canned.map((text) => text && inHtml(text)) };
        const wish = { ...given.wish, drawn: version === '3.7' ? inForm : drawn };
        const { world, desired, options } = await stage({ ...given, wish, before: null, settings });
        const report = await world.apply(await world.plan(desired, options), desired, { options });
        expect([report.outcome, report.unsettled]).toEqual(['done', []]);
        expect(leftOver(await world.plan(desired, options))).toEqual([]);
        const told = await world.differences(desired, options);
        expect(
          told.filter(({ status, kind }) => kind === 'changed' && status !== 'unknown' && status !== 'pending'),
        ).toEqual([]);
        world.emulator.resetStats();
        const again = await world.apply(await world.plan(desired, options), desired, { options });
        expect([again.outcome, again.forms, writesOf(world.emulator)]).toEqual(['done', [], {}]);
      }),
      { numRuns: tries(25) },
    );
  });
});
