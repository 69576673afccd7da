// A license and the files of a manifest in; the files after an import, a ledger that knows it, and the plan that follows, out. No disk.

import type { Externals } from '../../src/authoring/candidates.ts';
import { draftImport, type ImportDraft, unlike } from '../../src/authoring/draft.ts';
import { withBindings } from '../../src/authoring/settle.ts';
import type { Address, LedgerState, Live } from '../../src/base/model.ts';
import type { LedgerEvent } from '../../src/ledger/events.ts';
import { foldLedger } from '../../src/ledger/ledger.ts';
import { fetchLive } from '../../src/license/reading/live.ts';
import { wholeView } from '../../src/license/reading/view.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import { makePlan } from '../../src/plan/assemble.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { readsOnly } from '../../src/service/client.ts';
import { parseTree } from '../../src/yaml/thorough/parse.ts';
import { memoryDisk } from '../manifest/memory-disk.ts';
import { EVERYTHING, type World } from '../world.ts';

const NOW = '2026-01-05T09:00:00.000Z';

export type Files = { readonly [path: string]: string };

export interface How {
  readonly files?: Files;
  readonly split?: 'kind' | 'none';
  readonly withIds?: boolean;
  readonly externals?: Externals;
  readonly clients?: readonly string[];
  readonly selects?: (address: Address) => boolean;
}

export interface Imported {
  readonly draft: ImportDraft;
  readonly files: Files;
  readonly before: Plan;
  /** What the ledger would be told. */
  readonly events: readonly LedgerEvent[];
  readonly after: Plan;
  /** What `after` would be without the ledger. */
  readonly forgetful: Plan | null;
  readonly live: Live;
}

/** Null when the files as they are could not be planned, so that nobody could import either. */
export async function importing(
  world: Pick<World, 'version' | 'client' | 'ledger'>,
  how: How = {},
): Promise<Imported | null> {
  const { files = {}, split = 'kind', withIds = false, clients = [], selects = () => true, externals = 'left' } = how;
  const { version } = world;
  const load = (texts: Files) =>
    loadManifest({ files: Object.keys(texts), env: {}, version, clients, io: memoryDisk(texts) });
  const loaded = await load(files);
  if (loaded.desired === null) throw new Error(JSON.stringify(loaded.diagnostics));
  const { desired } = loaded;
  const ledger = foldLedger(await world.ledger.read());
  const reader = readsOnly(world.client);
  const live = await fetchLive(
    (action, body) => reader.call(action, body),
    wholeView(desired, ledger, version),
    version,
  );
  const license = { desired, live, ledger, options: EVERYTHING };
  const before = makePlan(license).plan;
  if (before === null) return null;
  const draft = draftImport({
    license,
    choice: { selects, externals, withIds, maker: { version, credential: 'bearer' } },
    files: Object.entries(files).map(([path, text]) => ({ path, text, value: parseTree(path, text).value })),
    home: split === 'kind' ? { split, folder: 'manifest' } : { split, file: 'manifest.yaml' },
    headingOf: () => ({ schema: 'manifest.schema.json', comments: [] }),
  });
  const written = { ...files, ...Object.fromEntries(draft.files.map(({ path, text }) => [path, text])) };
  const again = await load(written);
  if (again.desired === null)
    throw new Error(`${JSON.stringify(again.diagnostics, null, 1)}\n${JSON.stringify(written)}`);
  const wrong = unlike(draft.desired, again.desired);
  if (wrong.length > 0) throw new Error(`read otherwise: ${wrong.join(', ')}\n${Object.values(written).join('\n')}`);
  const planned = (state: LedgerState): Plan | null =>
    makePlan({ desired: again.desired ?? desired, live, ledger: state, options: EVERYTHING }).plan;
  const after = planned(withIds ? ledger : withBindings(ledger, draft.imported.entries));
  if (after === null) throw new Error('no plan');
  const events = draft.imported.entries.map(
    ({ address, id }): LedgerEvent => ({ v: 1, run: 'r', at: NOW, type: 'bound', address, id, origin: 'imported' }),
  );
  return { draft, files: written, before, after, forgetful: planned(foldLedger([])), events, live };
}
