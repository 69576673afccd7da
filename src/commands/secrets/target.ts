// Flags in; the target they mean, its ledger and its sink, out. Asks neither the manifest nor the license: a secret that leaked is changed while both
// are broken.

import type { SecretsSink } from '../../apply/secrets.ts';
import { UsageError } from '../../base/errors.ts';
import type { SecretsPlace, TargetSettings } from '../../project/settings.ts';
import { fromProject, overridden } from '../prepare.ts';
import type { Terminal } from '../terminal.ts';
import { sinkOf } from './sink.ts';

/** Flags of every command about secrets. */
export interface SecretsFlags {
  readonly target?: string;
  readonly secretsFile?: string;
  readonly json?: boolean;
}

export interface SecretsTarget {
  readonly settings: TargetSettings;
  /** Owner clients that chatform.yaml names. */
  readonly clients: readonly string[];
  readonly sink: SecretsSink;
  readonly place: SecretsPlace;
}

/** @throws UsageError when chatform.yaml has errors, or the target no place for secrets */
export async function secretsTarget(flags: SecretsFlags, terminal: Terminal): Promise<SecretsTarget> {
  const found = await fromProject(flags, terminal);
  if (found.settings === null) throw new UsageError('the files have errors', found.diagnostics);
  const settings = overridden(found.settings, flags);
  const { secrets: place } = settings;
  const sink = sinkOf(settings, terminal);
  if (sink === null || place === null)
    throw new UsageError(
      `target ${settings.name} has no place for secrets: add \`secrets: { file: FILE }\` to it in chatform.yaml, or --secrets-file FILE`,
    );
  return { settings, clients: found.clients, sink, place };
}

/** As in `the secret goes to ...`. Arguments of a command may say more than a document should. */
export function nameOf(place: SecretsPlace): string {
  return place.type === 'command' ? `the command ${place.argv[0]}` : place.path;
}
