// Sink of secrets that the setting `secrets` names, and what can be learned of it without writing.

import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import type { SecretsPlace, TargetSettings } from '../../project/settings.ts';
import type { RunContext } from '../context.ts';
import { gitIn } from '../git.ts';
import { commandSink, inspectCommand, type SecretsCommand } from './command.ts';
import { envFileSink, hasOtherLines, inspectEnvFile } from './env-file.ts';
import { fileSink, inspectFile } from './file.ts';
import type { TokenSink } from './secrets.ts';

type Environment = Pick<RunContext, 'env'>;

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
      return untracked(secrets.path, environment);
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
      await requireUntracked(place.path, environment);
      return inspectEnvFile(place.path);
    case 'command':
      await inspectCommand(commandOf(place, settings, environment));
      return null;
  }
}

function untracked(path: string, environment: Environment): TokenSink {
  const sink = envFileSink(path);
  const checked = async <T>(work: () => Promise<T>): Promise<T> => {
    await requireUntracked(path, environment);
    return work();
  };
  return {
    ...sink,
    probe: (addresses) => checked(() => sink.probe(addresses)),
    probeToken: (bot) => checked(() => sink.probeToken(bot)),
  };
}

/** @throws UsageError for a file of variables in version control: a secret would be committed with them */
async function requireUntracked(path: string, environment: Environment): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => '');
  if (!hasOtherLines(text)) return;
  const found = await gitIn(
    dirname(path),
    '',
    environment,
  )(['ls-files', '--error-unmatch', '--', basename(path)]).catch(() => null);
  if (found?.code === 0)
    throw new UsageError(
      `the env file ${path} is in version control with other lines, and a secret would be committed with them: name another file, and have git ignore it`,
    );
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
