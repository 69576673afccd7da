// Agreement of a target with the one that writes the webhooks of a client: an overlay or a value of one target may say something else of them.

import type { Desired, Diagnostic } from '../base/model.ts';
import { oncePer } from '../base/once-per.ts';
import { disagreements, sharedIn } from '../manifest/agreement.ts';
import { type LoadedManifest, loadManifest, type ManifestInput } from '../manifest/load.ts';
import type { TargetSettings } from '../project/settings.ts';
import { sorted } from '../yaml/diagnostics.ts';
import type { FileSystem } from '../yaml/read.ts';

/** What is read for a target, and what its run says instead of chatform.yaml. */
type Read = ManifestInput & { readonly io: FileSystem };

/** What targets declare, by what is read for them: each target of a fleet asks for the same writer. */
const loadedFrom = oncePer((_: FileSystem) => new Map<string, Promise<Desired | null>>());

/** What another target of the project declares, read as `input` is; null where it has errors, which its own run tells. */
function desiredOf(other: TargetSettings, { varsAt: _, isContested: __, ...input }: Read): Promise<Desired | null> {
  const known = loadedFrom(input.io);
  const key = JSON.stringify([other.name, input.files, input.varFiles, input.flags]);
  const loaded =
    known.get(key) ??
    loadManifest({
      ...input,
      overlays: other.overlays,
      vars: other.vars,
      version: other.apiVersion,
      credential: other.accountId === null ? 'bearer' : 'basic',
      limits: other.limits,
      complete: [],
    }).then(({ desired }) => desired);
  known.set(key, loaded);
  return loaded;
}

/** Every value of a webhook that the target which writes it declares in another way. */
export async function disagreementsWithWriters(
  { desired, markOf }: LoadedManifest,
  settings: Pick<TargetSettings, 'name' | 'webhooksOf'>,
  others: readonly TargetSettings[],
  input: Read,
): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const shared of desired === null ? [] : sharedIn(desired)) {
    const name = settings.webhooksOf.get(shared.client);
    const writer = name === settings.name ? undefined : others.find((other) => other.name === name);
    const theirs = writer === undefined ? null : await desiredOf(writer, input);
    if (writer !== undefined && theirs !== null)
      found.push(...disagreements(shared, markOf, { name: writer.name, desired: theirs }));
  }
  return sorted(found);
}
