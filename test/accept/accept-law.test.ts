// The law of taking over: whatever people did to a license, the files say it afterwards, and no line of them changes on which nothing of it stands.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accept } from '../../src/commands/drift/accept.ts';
import { differencesOf } from '../../src/drift/differences.ts';
import type { Difference, DriftItem } from '../../src/drift/report.ts';
import { foldLedger } from '../../src/ledger/ledger.ts';
import { type LoadedManifest, loadManifest, type ManifestInput } from '../../src/manifest/load.ts';
import { VERSIONS } from '../../src/model.ts';
import { compare } from '../../src/plan/compare.ts';
import { type Edit, editByHand, edits } from '../laws/edits.ts';
import { manifestOf } from '../laws/manifest.ts';
import { fearless, SEED, settingOf } from '../laws/stage.ts';
import { wishFor } from '../laws/version.ts';
import { wish } from '../laws/wish.ts';
import { memoryDisk } from '../manifest/memory-disk.ts';
import { EVERYTHING, world } from '../world.ts';
import { choices, choosing, filesOf, manifestValue } from './declared.ts';

const RUNS = Number(process.env['RUNS'] ?? 200);
const DAY = 86_400_000;

function asItem(difference: Difference): DriftItem {
  return {
    ...difference,
    fingerprint: '',
    severity: 'error',
    first_seen: '',
    seen_count: 1,
    returned: 0,
    fight: false,
    ignored: null,
  };
}

const isMoved = ({ status }: Difference): boolean => status === 'drift' || status === 'conflict';
const labelOf = ({ kind, address, path }: Difference): string => [kind, address, ...path].join(' ');

describe.each(VERSIONS)('taking over, in version %s,', (version) => {
  it('what was changed by hand leaves no drift', async () => {
    const tally = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(wish, edits, choices, async (given, byHand: readonly Edit[], stream) => {
        const made = world({ version, seed: SEED });
        const choose = choosing(stream);
        const wanted = manifestOf(wishFor(version, given), await settingOf(made));
        let files = filesOf(manifestValue(wanted), choose);
        const input = (): ManifestInput => ({
          files: ['manifest.yaml'],
          overlays: ['overlay.yaml'],
          env: {},
          version,
          clients: ['client-1', 'client-2'],
          io: memoryDisk(files),
        });
        const loaded = async () => {
          const { desired, diagnostics, ...manifest } = await loadManifest(input());
          const errors = diagnostics.filter(({ severity }) => severity === 'error');
          if (desired === null)
            throw new Error(
              `${errors.map(({ message, place }) => `${place.file}:${place.line} ${message}`).join('; ')}\n${Object.values(files).join('\n=====\n')}`,
            );
          return { ...manifest, desired, diagnostics };
        };
        // A random wish need not be one that this version can be asked for.
        fc.pre((await loadManifest(input())).desired !== null);
        const { desired } = await loaded();
        const options = fearless([desired]);
        const report = await made.apply(await made.plan(desired, options), desired, { options });
        fc.pre(report.outcome === 'done');
        await made.clock.sleep(DAY);
        await editByHand(made.emulator, byHand);
        await made.clock.sleep(DAY);

        const { live, recovery } = await made.settled(desired, options);
        const ledger = foldLedger(await made.ledger.read());
        const again = (manifest: Pick<LoadedManifest, 'desired' | 'moved'>): readonly Difference[] => {
          if (manifest.desired === null) return [];
          const all = { ...EVERYTHING, ...options };
          const compared = compare({
            desired: manifest.desired,
            live,
            ledger,
            moved: manifest.moved,
            recovery,
            options: all,
          });
          return differencesOf(compared, all.selects);
        };
        const before = files;
        const items = again({ desired, moved: [] }).map(asItem);
        const outcome = await accept(items, [], {
          input: input(),
          live,
          again,
          declaring: () => ({ reason: 'not declared', mark: null }),
          put: async (texts) => {
            for (const { path, text } of texts) files = { ...files, [path]: text };
          },
        });
        const left = new Set(outcome.left.map(({ item }) => labelOf(item)));
        for (const { item, reason } of outcome.left) {
          const name = `${item.kind}: ${reason}`;
          tally.set(name, (tally.get(name) ?? 0) + 1);
          if (process.env['SHOW'] !== undefined && new RegExp(process.env['SHOW']).test(name))
            console.log(name, JSON.stringify(item), Object.values(before).join('=====\n'));
        }
        tally.set('taken', (tally.get('taken') ?? 0) + outcome.taken.length);
        const now = await made.differences((await loaded()).desired, options);
        const open = now.filter(isMoved).filter((item) => !left.has(labelOf(item)));
        if (open.length > 0)
          throw new Error(
            `${JSON.stringify(open)}\n${Object.values(before).join('=====\n')}\n--- becomes\n${Object.values(files).join('=====\n')}`,
          );
      }),
      { numRuns: RUNS },
    );
    console.log(tally);
    expect(tally.size).toBeGreaterThan(0);
  }, 300_000);
});
