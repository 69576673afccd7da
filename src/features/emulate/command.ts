// `chatform emulate`: the service itself on a local port, until it is stopped.

import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Interruptible } from '../../base/disk.ts';
import { delayRange } from '../../base/duration.ts';
import { asError, UsageError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/model.ts';
import { thousands, utf8In } from '../../base/text.ts';
import { parsedUrl } from '../../base/url.ts';
import { collect, command, type FlagsOf, wholeNumber } from '../../command/flags.ts';
import type { Result } from '../../command/result.ts';
import type { Terminal } from '../../command/terminal.ts';
import type { Emulator, EmulatorOptions, Traffic } from '../../emulator/index.ts';
import type { LicenseCopy } from './read-license.ts';

const LONGEST_DELAY = 120_000;

function propagationDelay(value: string): NonNullable<ReturnType<typeof delayRange>> {
  const delay = delayRange(value);
  if (delay !== null && delay.to <= LONGEST_DELAY) return delay;
  throw new InvalidArgumentError('write a duration up to 120s such as 5s, or a range such as 0s..120s');
}

const declare = (program: Command) =>
  program
    .command('emulate')
    .description('serve the service itself on this machine')
    .option('--port <port>', 'port to listen on; 0 takes a free one', wholeNumber(0, 65_535), 8080)
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--state <file>', 'keep the license in this file')
    .option('--seed <file>', 'begin with the license that this JSON file describes, unless the state file has one')
    .addOption(
      new Option(
        '--like <target>',
        'begin as a copy of the license of this target, without secrets, unless the state file has one',
      ).conflicts('seed'),
    )
    .option('--settings <file>', 'where the specification is silent, behave as this JSON file says')
    .option('--faults <file>', 'play the faults of this JSON file: errors, lost connections, stale reads and others')
    .option('--traffic <file>', 'first play the visitors of this YAML file, by default those of the last 28 days')
    .option('--control', 'also serve /_emulator/: statistics, log, reset, seed, snapshot, clock, faults, traffic')
    .option('--control-token-env <name>', 'environment variable with a token that /_emulator/ needs; implies --control')
    .option(
      '--allow-host <name>',
      'also answer requests to this name of this machine, such as that of its container; may be repeated',
      collect,
    )
    .option(
      '--allow-origin <origin>',
      'let web pages of this origin write, such as http://localhost:3000; may be repeated',
      collect,
    )
    .option('--tls-cert <file>', 'serve HTTPS with this certificate, in PEM; needs --tls-key')
    .option('--tls-key <file>', 'private key of the certificate, in PEM')
    .addOption(
      new Option('--propagation-delay <delay>', 'how long readings lag behind writes: 5s, or 0s..120s for a random lag')
        .argParser(propagationDelay)
        .default(propagationDelay('0s'), '0s'),
    );

type Flags = FlagsOf<typeof declare>;

export const emulateCommand = command(declare, emulate);

async function emulate(flags: Flags, terminal: Terminal): Promise<Result> {
  const emulator = await import('../../emulator/index.ts');
  const control = controlOf(flags, terminal.env);
  const { registerFor, requireFree } = await import('../../target/choice.ts');
  const register = await registerFor({}, terminal);
  requireFree(`--state ${flags.state}`, flags.state, register, ({ noun }) => noun === 'license');
  for (const origin of flags.allowOrigin ?? [])
    if (parsedUrl(origin)?.origin !== origin)
      throw new UsageError(`--allow-origin ${origin} is not an origin: write it as browsers do, http://localhost:3000`);
  const tls = await tlsOf(flags, terminal);
  const seed = await readDescription('--seed', flags.seed, emulator.parseSeed, terminal);
  const settings = await readDescription('--settings', flags.settings, emulator.parseSettings, terminal);
  const scenario = await readDescription('--faults', flags.faults, emulator.parseScenario, terminal);
  const traffic = flags.traffic === undefined ? null : await readTraffic(flags.traffic, terminal);
  const copy = await copyOf(flags, terminal);
  const { clock, random, signal } = terminal;
  const options: EmulatorOptions = {
    now: clock.now,
    random,
    sleep: (milliseconds, stop = signal) => clock.sleep(milliseconds, AbortSignal.any([signal, stop])),
    propagationDelay: flags.propagationDelay,
    ...(seed === null ? {} : { seed }),
    ...(copy === null ? {} : { seed: copied(copy.seed, emulator.parseSeed) }),
    settings: { ...settings, ...(copy === null ? {} : { limits: { ...copy.limits, ...settings?.limits } }) },
    ...(scenario === null ? {} : { scenario }),
  };
  const license =
    flags.state === undefined ? emulator.createEmulator(options) : await emulator.openStateFile(flags.state, options);
  await copy?.complete(license.fetch);
  const played = traffic === null ? null : await playTraffic(license, traffic, flags, clock.now());
  const { port, host, allowHost: allowedHosts = [], allowOrigin: allowedOrigins = [] } = flags;
  const where = { port, host, allowedHosts, allowedOrigins, ...(tls === null ? {} : { tls }) };
  const served = control === null ? license : emulator.withControl(license, control);
  const server = await emulator.listen(served, where).catch(async (error: unknown) => {
    const refusal = await addressRefusal(error, flags);
    throw refusal === null ? error : new UsageError(refusal);
  });
  terminal.out(`${server.url}\n`);
  if (played !== null) terminal.err(played);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });
  await server.close();
  return { code: 0, document: null, text: null };
}

/** Null where none is asked for, or the state file has a license. @throws what `readLicense` throws */
async function copyOf({ like, state }: Flags, terminal: Terminal): Promise<LicenseCopy | null> {
  if (like === undefined) return null;
  if (state !== undefined && existsSync(state)) return null;
  const { readLicense } = await import('./read-license.ts');
  return readLicense(like, terminal);
}

/** @throws UsageError for a license that an emulator cannot begin with */
function copied<Seed>(seed: JsonObject, parse: (json: unknown) => Seed): Seed {
  try {
    return parse(seed);
  } catch (error) {
    throw new UsageError(`--like: the emulator does not take what was read: ${asError(error).message}`);
  }
}

const LEAST_TOKEN = 16;

/** How the control API is served; null when it is not. @throws UsageError for a token that is none */
function controlOf(
  { control, controlTokenEnv: name }: Flags,
  env: Terminal['env'],
): { readonly token?: string } | null {
  if (name !== undefined) {
    const token = env[name] ?? '';
    if (!/^[!-~]+$/.test(token) || token.length < LEAST_TOKEN)
      throw new UsageError(
        `--control-token-env: the environment variable ${name} must hold a token of at least ${LEAST_TOKEN} characters, without blanks`,
      );
    return { token };
  }
  return control === true ? {} : null;
}

/**
 * Plays visitors until now, unless their file says when. Returns what was played, for a person.
 * @throws UsageError for what the license does not have
 */
async function playTraffic(license: Emulator, traffic: Traffic, flags: Flags, now: number): Promise<string> {
  const isDated = traffic.from !== undefined || traffic.to !== undefined;
  const until = { ...traffic, to: new Date(now).toISOString() };
  const { from, to, chats, taken } = await license.play(isDated ? traffic : until).catch(async (error: unknown) => {
    const { diskErrorCode } = await import('../../base/disk.ts');
    if (diskErrorCode(error) !== null || !(error instanceof Error)) throw error;
    throw new UsageError(`--traffic ${flags.traffic}: ${error.message}`);
  });
  const [begin, end] = [from, to].map((time) => `${time.slice(0, 16)}Z`);
  if (begin === end) return `Traffic: nothing new; the license was played until ${end}.\n`;
  const [all, served] = [chats, taken].map(thousands);
  return `Traffic: ${all} chats from ${begin} to ${end}, ${served} of them with an agent.\n`;
}

/** Null where HTTP is served. @throws UsageError for files that are not a certificate and its key */
async function tlsOf({ tlsCert, tlsKey }: Flags, interruptible: Interruptible) {
  if (tlsCert === undefined && tlsKey === undefined) return null;
  if (tlsKey === undefined) throw new UsageError('--tls-cert needs --tls-key: name the file with its private key');
  if (tlsCert === undefined) throw new UsageError('--tls-key needs --tls-cert: name the file with the certificate');
  const { readTls } = await import('./read-tls.ts');
  return readTls(tlsCert, tlsKey, interruptible);
}

/** Why the address cannot be used, for a person; null for anything else. */
async function addressRefusal(error: unknown, { port, host }: Pick<Flags, 'port' | 'host'>): Promise<string | null> {
  const [{ diskErrorCode }, { CONTROL_OPEN }] = await Promise.all([
    import('../../base/disk.ts'),
    import('../../emulator/index.ts'),
  ]);
  switch (diskErrorCode(error)) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is taken: --port names another, and 0 takes a free one`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `--host ${host} is not an address of this machine: 127.0.0.1 is, and 0.0.0.0 stands for all of them`;
    case CONTROL_OPEN:
      return `--control on ${host} would let other machines change everything: name the variable with a token in --control-token-env`;
    case 'EACCES':
      return `port ${port} may not be taken: --port names another, and 0 takes a free one`;
    default:
      return null;
  }
}

/** @throws UsageError with everything that is wrong in the file */
async function readTraffic(path: string, interruptible: Interruptible): Promise<Traffic> {
  const [{ loadTraffic }, { disk }] = await Promise.all([import('./traffic/load.ts'), import('../../yaml/read.ts')]);
  return loadTraffic(path, disk([path], interruptible));
}

/** @throws UsageError that names the file and, where it is JSON, the member which is wrong */
async function readDescription<T>(
  flag: string,
  path: string | undefined,
  parse: (json: unknown) => T,
  interruptible: Interruptible,
): Promise<T | null> {
  if (path === undefined) return null;
  const { bytesAt } = await import('../../base/disk.ts');
  try {
    const text = utf8In(await bytesAt(path, interruptible));
    if (text === null) throw new UsageError('it is not text in UTF-8: save it as UTF-8');
    return parse(JSON.parse(text));
  } catch (error) {
    throw new UsageError(`${flag} ${path}: ${await whyUnusable(error)}`);
  }
}

async function whyUnusable(error: unknown): Promise<string> {
  const { diskErrorCode } = await import('../../base/disk.ts');
  const code = diskErrorCode(error);
  if (code !== null) return `it cannot be read: ${code}`;
  const message = asError(error).message;
  return error instanceof SyntaxError ? `it is not JSON: ${message}` : message;
}
