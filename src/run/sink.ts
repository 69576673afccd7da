// Sink of secrets that the setting `secrets` names, and what can be learned of it without writing.

import type { TokenSink } from '../apply/secrets.ts';
import { commandSink, inspectCommand, type SecretsCommand } from '../apply/sinks/command.ts';
import { envFileSink, inspectEnvFile } from '../apply/sinks/env-file.ts';
import { fileSink, inspectFile } from '../apply/sinks/file.ts';
import type { SecretsPlace, TargetSettings } from '../project/settings.ts';
import type { Surroundings } from './surroundings.ts';

type Environment = Pick<Surroundings, 'env'>;

type SinkTarget = Pick<TargetSettings, 'name' | 'tokenEnv'>;

/** Null when the target has none. */
export function sinkOf(
  settings: SinkTarget & Pick<TargetSettings, 'secrets'>,
  environment: Environment,
): TokenSink | null {
  const { secrets } = settings;
  switch (secrets?.type) {
    case undefined:
      return null;
    case 'file':
      return fileSink(secrets.path);
    case 'env-file':
      return envFileSink(secrets.path);
    case 'command':
      return commandSink(commandOf(secrets, settings, environment));
  }
}

/** The rights of the file, null when there is none. @throws UsageError when nothing could be kept there */
export async function inspect(
  place: SecretsPlace,
  settings: SinkTarget,
  environment: Environment,
): Promise<number | null> {
  switch (place.type) {
    case 'file':
      return inspectFile(place.path);
    case 'env-file':
      return inspectEnvFile(place.path);
    case 'command':
      await inspectCommand(commandOf(place, settings, environment));
      return null;
  }
}

/** The environment of chatform, which need not give its own token away. */
function commandOf(
  { argv, folder }: Extract<SecretsPlace, { readonly type: 'command' }>,
  { name, tokenEnv }: SinkTarget,
  { env }: Environment,
): SecretsCommand {
  const { [tokenEnv]: _, ...rest } = env;
  return { argv, folder, env: { ...rest, CHATFORM_TARGET: name } };
}
