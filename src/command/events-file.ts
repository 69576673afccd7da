// File of events (`--events FILE`): what happens, one JSON object a line, while a person reads text. A file that cannot be written stops no run.

import { closeSync, openSync, writeFileSync } from 'node:fs';
import { diskErrorCode, explained } from '../base/disk.ts';
import { packageVersion } from '../base/version.ts';
import { diagnosticsOf, messageOf } from '../many/failure.ts';
import { type Keeping, writablePlace } from '../outlets/report-files.ts';
import { readableSettings, type TargetChoice } from '../target/choice.ts';
import { diagnosticEvents, failureEvent, planEvents, versionEvent } from '../view/events.ts';
import type { EventLine } from '../view/events-schema.ts';
import { inert, plain } from '../view/plain.ts';
import type { OnOne } from './operate.ts';
import { type Result, showWarning } from './result.ts';
import type { Terminal } from './terminal.ts';

export interface Events {
  /** The lines are made only when there is a file. */
  readonly tell: (lines: () => readonly EventLine[]) => void;
}

interface EventsFile extends Events {
  readonly close: () => void;
}

const NO_EVENTS: EventsFile = { tell: () => {}, close: () => {} };

/** Flags of a command that tells what happens. */
type EventsFlags = Keeping['choice'] & TargetChoice & { readonly events?: string };

/**
 * Runs a command that tells what happens, its failure included. The file is emptied first; for a target that has errors there is none.
 * @throws UsageError for a file that cannot be written, or that the target keeps something in, before anything is done
 */
export async function withEvents(
  command: string,
  flags: EventsFlags,
  terminal: Terminal,
  work: (events: Events) => Promise<Result>,
): Promise<Result> {
  const events = await openEvents(command, flags, terminal);
  try {
    return await work(events);
  } catch (error) {
    events.tell(() => [...diagnosticEvents(diagnosticsOf(error)), failureEvent(messageOf(error))]);
    throw error;
  } finally {
    events.close();
  }
}

/** What a plan and its apply tell of themselves. */
export function eventsOfPlan({ tell }: Events): Required<Pick<OnOne<unknown>, 'report' | 'onEnded'>> {
  return {
    report: (event) => {
      if (event.type === 'planned') tell(() => [...diagnosticEvents(event.diagnostics), ...planEvents(event.plan)]);
    },
    onEnded: (outcome) => {
      if (outcome.state === 'known') return;
      const { diagnostics, message } = outcome;
      tell(() => (diagnostics.length > 0 ? diagnosticEvents(diagnostics) : [failureEvent(message)]));
    },
  };
}

async function openEvents(command: string, flags: EventsFlags, terminal: Terminal): Promise<EventsFile> {
  const { events: file } = flags;
  if (file === undefined) return NO_EVENTS;
  const settings = await readableSettings(flags, terminal);
  if (settings === null) return NO_EVENTS;
  const path = await writablePlace(`--events ${file}`, file, { choice: flags, environment: terminal }, OWN);
  let handle: number | null = await explained(`--events ${file}: it`, 'written', async () => openSync(path, 'w'));
  /** A disk that refuses stops the events, and never the run. The lines in the file are whole, except perhaps the last. */
  const trying = (work: (open: number) => void): void => {
    if (handle === null) return;
    const open = handle;
    try {
      work(open);
    } catch (error) {
      const why = diskErrorCode(error) ?? String(error);
      showWarning(plain(`no more events are written to ${file}: ${why}`), terminal);
      if (handle !== null) close(open);
      handle = null;
    }
  };
  const events: EventsFile = {
    tell: (lines) => {
      const at = new Date(terminal.clock.now()).toISOString();
      const text = lines()
        .map((line) => `${inert(JSON.stringify({ ...line, '@timestamp': at }))}\n`)
        .join('');
      trying((open) => writeFileSync(open, text));
    },
    close: () =>
      trying((open) => {
        handle = null;
        closeSync(open);
      }),
  };
  events.tell(() => [versionEvent(command, packageVersion(), settings.name, settings.apiVersion)]);
  return events;
}

/** Closes the file after a failure that was reported already. */
function close(open: number): void {
  try {
    closeSync(open);
  } catch {
    // The system closed it anyway.
  }
}

/** Files of events, which may have the name of a ledger. The lines of Terraform begin with a level as well. */
const OWN = {
  begins: /^\{"@level":"info","@message":"chatform /,
  named: /\.ndjson$/i,
};
