// The law of accepting: after any changes on a license, the files declare them, and no other line of the files changes.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AcceptDestination, ANYWHERE, accept } from '../../../../src/features/drift/accept/write-accept.ts';
import type { DriftItem } from '../../../../src/features/drift/schema.ts';
import { foldLedger } from '../../../../src/ledger/ledger.ts';
import { type LoadedManifest, loadManifest, type ManifestInput } from '../../../../src/manifest/load.ts';
import { compare } from '../../../../src/plan/compare.ts';
import type { Difference } from '../../../../src/plan/differences/difference.ts';
import { differencesOf } from '../../../../src/plan/differences/differences.ts';
import { parseTree } from '../../../../src/yaml/thorough/parse.ts';
import { differingPaths, lostLines } from '../../../authoring/edit/touched.ts';
import { type Edit, editByHand, edits } from '../../../laws/edits.ts';
import { manifestOf } from '../../../laws/manifest.ts';
import { fearless, SEED, settingOf } from '../../../laws/stage.ts';
import { wishFor } from '../../../laws/version.ts';
import { wish } from '../../../laws/wish.ts';
import { memoryDisk } from '../../../manifest/memory-disk.ts';
import { TRIED_VERSIONS, tries } from '../../../tries.ts';
import { EVERYTHING, world } from '../../../world.ts';
import { choices, choosing, filesOf, manifestValue } from './declared.ts';

/** Of each version. At least two edits by hand are done in a run, over all of them. */
const RUNS = tries(48, 2);
const EDITS = RUNS * 4;
const DAY = 86_400_000;

/** The files below the overlay are shared with other targets. */
const OVERLAY: AcceptDestination = {
  mayChange: (file) => file === 'overlay.yaml',
  overlay: 'overlay.yaml',
  refusal: null,
};

/** What no file can say, or only by saying something else. */
const KNOWN = [
  /made by a bot template/,
  /the files would have an error: /,
  /are from several files, or from operations/,
];

function asItem(difference: Difference): DriftItem {
  const seen = {
    fingerprint: '',
    severity: 'error',
    first_seen: '',
  } as const;
  // What is usual is accepted by its address only.
  return { ...difference, ...seen, usual: false, ignored: null };
}

const isMoved = ({ status }: Difference): boolean => status === 'drift' || status === 'conflict';
const labelOf = ({ kind, address, path }: Difference): string => [kind, address, ...path].join(' ');

/** What people did to all licenses, without what the service refused. */
let edited = 0;

describe.each(TRIED_VERSIONS)('taking over, in version %s,', (version) => {
  it('what was changed by hand leaves no drift, and every other line as it was', { timeout: 600_000 }, async () => {
    let taken = 0;
    let left = 0;
    await fc.assert(
      fc.asyncProperty(wish, edits, choices, async (given, byHand: readonly Edit[], stream) => {
        const made = world({ version, seed: SEED });
        const wanted = manifestOf(wishFor(version, given), await settingOf(made));
        const choose = choosing(stream);
        const written = filesOf(manifestValue(wanted), choose);
        const isOverlayAlone = choose(2) === 0;
        const texts = new Map(Object.entries(written).map(([file, { text }]) => [file, text]));
        const input = (): ManifestInput => ({
          files: ['manifest.yaml'],
          overlays: ['overlay.yaml'],
          env: {},
          version,
          clients: ['client-1', 'client-2'],
          io: memoryDisk(Object.fromEntries(texts)),
        });
        const { desired, values } = await loadManifest(input());
        // A random wish need not be one that this version can be asked for.
        if (desired === null) return fc.pre(false);
        const options = fearless([desired]);
        const report = await made.apply(await made.plan(desired, options), desired, { options });
        fc.pre(report.outcome === 'done');
        await made.clock.sleep(DAY);
        edited += await editByHand(made.emulator, byHand);
        await made.clock.sleep(DAY);

        const { live, recovery } = await made.settled(desired, options);
        const ledger = foldLedger(await made.ledger.read());
        const all = { ...EVERYTHING, ...options };
        const again = (manifest: LoadedManifest): readonly Difference[] => {
          if (manifest.desired === null) return [];
          const { moved } = manifest;
          const compared = compare({ desired: manifest.desired, live, ledger, moved, recovery, options: all });
          return differencesOf(compared, all.selects);
        };
        const items = (await made.differences(desired, options)).map(asItem);
        const outcome = await accept(items, [], {
          input: input(),
          into: isOverlayAlone ? OVERLAY : ANYWHERE,
          variables: values,
          license: { desired, live, ledger, recovery, options: all },
          again,
          newError: () => null,
          put: async (changed) => {
            for (const { path, text } of changed) texts.set(path, text);
          },
        });
        const show = (): string =>
          [...texts].map(([file, text]) => `${written[file]?.text}\n--- becomes\n${text}`).join('\n=====\n');
        taken += outcome.taken.length;
        left += outcome.left.filter(({ item }) => item.kind !== 'unmanaged').length;
        // What cannot be declared is for an import to say.
        const surprising = outcome.left
          .filter(({ item }) => item.kind !== 'unmanaged')
          .filter(({ reason }) => !KNOWN.some((known) => known.test(reason)));
        if (surprising.length > 0) throw new Error(`${JSON.stringify(surprising)}\n${show()}`);

        const { desired: now } = await loadManifest(input());
        const known = new Set(outcome.left.map(({ item }) => labelOf(item)));
        const found = now === null ? items : await made.differences(now, options);
        const open = found.filter(isMoved).filter((item) => !known.has(labelOf(item)));
        if (open.length > 0) throw new Error(`${JSON.stringify(open)}\n${show()}`);

        if (isOverlayAlone) expect(texts.get('manifest.yaml')).toBe(written['manifest.yaml']?.text);
        for (const [file, text] of texts) {
          const { text: before = '', lines = [] } = written[file] ?? {};
          const [one, other] = [before, text].map((each) => parseTree(file, each).value);
          const lost = lostLines(before, text, lines, differingPaths(one, other));
          if (lost.length > 0) throw new Error(`lost ${lost.join('|')}\n${show()}`);
        }
      }),
      { numRuns: RUNS },
    );
    expect(taken).toBeGreaterThan(left * 3);
  });
});

it(`that were ${EDITS} random edits at least`, () => {
  expect(edited).toBeGreaterThanOrEqual(EDITS);
});
