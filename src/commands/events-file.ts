// `--events FILE` in; a file into which what happens is written line by line, while a person reads text. What happens is not stopped by a file that
// cannot be written: it is said once.

import { closeSync, openSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { diskErrorCode, explained } from '../base/disk.ts';
import { UsageError } from '../base/errors.ts';
import { packageVersion } from '../base/version.ts';
import type { TargetSettings } from '../project/settings.ts';
import { diagnosticEvents, type EventLine, failureEvent, versionEvent } from '../render/events.ts';
import { inertJson, plain } from '../render/plain.ts';
import { diagnosticsOf, messageOf, showWarning } from './report.ts';
import { filesOf, isOwned, replaceable } from './report-files.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export interface EventsFlags {
  readonly events?: string;
}

export interface Events {
  /** Lines are made only when somebody reads them. */
  readonly tell: (lines: () => readonly EventLine[]) => void;
}

interface EventsFile extends Events {
  readonly close: () => void;
}

/** A target, and the files that say what it should be. */
interface Subject {
  readonly settings: TargetSettings;
  readonly named?: readonly string[];
}

const NOBODY: EventsFile = { tell: () => {}, close: () => {} };

/**
 * Runs a command that tells what happens. The file is emptied first.
 * @throws UsageError for one that cannot be written, or that the target keeps something in, before anything is done
 */
export async function withEvents(
  command: string,
  subject: Subject,
  flags: EventsFlags,
  terminal: Terminal,
  work: (events: Events) => Promise<ExitCode> | ExitCode,
): Promise<ExitCode> {
  const events = await openEvents(command, subject, flags, terminal);
  try {
    return await work(events);
  } catch (error) {
    events.tell(() => [...diagnosticEvents(diagnosticsOf(error)), failureEvent(messageOf(error))]);
    throw error;
  } finally {
    events.close();
  }
}

async function openEvents(
  command: string,
  { settings, named = [] }: Subject,
  { events: file }: EventsFlags,
  terminal: Terminal,
): Promise<EventsFile> {
  if (file === undefined) return NOBODY;
  const path = await eventsPath(file, [...filesOf(settings, {}), ...named]);
  let handle: number | null = await explained(`--events ${file}: it`, 'written', async () => openSync(path, 'w'));
  /** What is done to the license goes on, whatever the disk says; what is left in the file are whole lines, but for the last. */
  const trying = (work: (open: number) => void): void => {
    if (handle === null) return;
    const open = handle;
    try {
      work(open);
    } catch (error) {
      const why = diskErrorCode(error) ?? String(error);
      showWarning(`no more events are written to ${plain(file)}: ${plain(why)}`, terminal);
      if (handle !== null) close(open);
      handle = null;
    }
  };
  const events: EventsFile = {
    tell: (lines) => {
      const at = new Date(terminal.clock.now()).toISOString();
      const text = lines()
        .map((line) => `${inertJson(JSON.stringify({ ...line, '@timestamp': at }))}\n`)
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

/** After something else has failed: nobody needs to hear of it. */
function close(open: number): void {
  try {
    closeSync(open);
  } catch {
    // The system has let it go all the same.
  }
}

/** Where events go: also into a file of that name that a ledger could have, but only if it has events. */
async function eventsPath(file: string, kept: readonly string[]): Promise<string> {
  const path = await replaceable(`--events ${file}`, file, kept);
  if (isOwned(path) && !(await hasEvents(path)))
    throw new UsageError(
      `--events ${file}: it would be replaced, and has something else than events in it; choose another name`,
    );
  return path;
}

/** Or nothing at all. */
async function hasEvents(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text === '' || text.startsWith('{"@level":');
}
