// `chatform secrets rotate`: another secret for a bot or a template, into the sink. The old one ends when the new one begins.

import { rescueBeside, rescuedBeside } from '../../apply/rescue.ts';
import { type RotateReport, rotate as rotateAll } from '../../apply/rotate.ts';
import { UsageError } from '../../base/errors.ts';
import { fileLedger } from '../../ledger/file.ts';
import { foldLedger } from '../../ledger/ledger.ts';
import type { Tenure } from '../../ledger/tenure.ts';
import { failureDocument, rotateDocument } from '../../render/documents.ts';
import { pauseLine, rotatedText, rotateQuestion } from '../../render/text/secrets.ts';
import { confirm } from '../confirm.ts';
import { connect } from '../connect.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { lockOf, lossOf, whileLocked } from '../lock.ts';
import type { ExitCode, Terminal } from '../terminal.ts';
import { type Chosen, choose, rotationsOf } from './chosen.ts';
import { nameOf, type SecretsFlags, type SecretsTarget, secretsTarget } from './target.ts';

export interface RotateFlags extends SecretsFlags {
  /** Other licenses get the new secret as well. */
  readonly existingInstallations?: boolean;
  readonly timeout?: string;
  readonly yes?: boolean;
}

export async function rotate(globs: readonly string[], flags: RotateFlags, terminal: Terminal): Promise<ExitCode> {
  const target = await secretsTarget(flags, terminal);
  const work = { command: 'secrets rotate', json: flags.json === true };
  return whileLocked(lockOf(target.settings, flags), work, terminal, (tenure) =>
    rotateLocked(target, globs, { flags, terminal, tenure }),
  );
}

interface Held {
  readonly flags: RotateFlags;
  readonly terminal: Terminal;
  readonly tenure: Tenure;
}

async function rotateLocked(
  { settings, clients, sink, place }: SecretsTarget,
  globs: readonly string[],
  { flags, terminal, tenure }: Held,
): Promise<ExitCode> {
  const json = flags.json === true;
  const { apiVersion: version, name } = settings;
  const ledger = fileLedger(settings.ledger);
  const state = foldLedger(await ledger.read());
  const chosen = choose(globs, state, version);
  await refuseWaiting(settings.ledger, chosen);
  await sink.probe(chosen.map(({ address }) => address));
  const { client, signal, close } = await connect(settings, terminal, json, { tenure });
  try {
    const installations = flags.existingInstallations === true;
    const rotations = await rotationsOf(chosen, installations, {
      ledger: state,
      credential: settings.accountId === null ? 'bearer' : 'basic',
      clients,
      ask: (action, body, giveUp = signal) => client.call(action, body, { signal: AbortSignal.any([giveUp, signal]) }),
      version,
    });
    const question = rotateQuestion(rotations, { target: name, sink: nameOf(place), installations }, terminal.paintErr);
    const answer = await confirm({ question, word: 'rotate', yes: flags.yes === true }, terminal);
    const stop = answer ?? (await lossOf(tenure, terminal));
    if (stop !== null) {
      if (json) terminal.out(failureDocument(stop.message, []));
      return stop.code;
    }
    const report = await rotateAll({
      rotations,
      client,
      ledger,
      sink,
      rescue: rescueBeside(settings.ledger),
      clock: terminal.clock,
      signal,
      onPause: (address, milliseconds) => terminal.err(`${pauseLine(address, milliseconds, terminal.paintErr)}\n`),
    });
    terminal.out(
      json
        ? rotateDocument(report, { target: name, sink: nameOf(place), requests: client.requests() })
        : rotatedText(report, nameOf(place), terminal.paintOut),
    );
    return exitCode(report, tenure);
  } finally {
    await close();
  }
}

/** What waits would be put into the sink later, in the place of what is newer. */
async function refuseWaiting(ledger: string, chosen: readonly Chosen[]): Promise<void> {
  for (const { path, entries } of await rescuedBeside(ledger)) {
    const waiting = entries.find((entry) =>
      chosen.some(({ id, address }) => entry.id === id || entry.address === address),
    );
    if (waiting !== undefined)
      throw new UsageError(
        `the secret of ${waiting.address} waits in ${path}: run \`chatform secrets rescue\` first, or remove the file if nobody needs it`,
      );
  }
}

/** Whoever lost the lease before anything was sent is as good as locked out. */
function exitCode({ outcome, results, failure }: RotateReport, tenure: Tenure): ExitCode {
  const isUntouched = failure === null && results.every(({ state }) => state === 'not-sent');
  return isUntouched && tenure.refused() !== null ? 4 : EXIT_CODES[outcome];
}
