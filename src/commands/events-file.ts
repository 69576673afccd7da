// `--events FILE` in; a file into which what happens is written line by line, while a person reads text. What happens is not stopped by a file that
// cannot be written: it is said once.

import { closeSync, openSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { UsageError } from '../errors.ts';
import { diskErrorCode } from '../ledger/disk.ts';
import type { TargetSettings } from '../project/settings.ts';
import { type EventLine, failureEvent, versionEvent } from '../render/events.ts';
import { packageVersion } from '../version.ts';
import { showWarning } from './report.ts';
import { filesOf, isOurs, replaceable } from './report-files.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export interface EventsFlags {
  readonly events?: string;
}

export interface Events {
  readonly tell: (...lines: readonly EventLine[]) => void;
}

interface EventsFile extends Events {
  readonly close: () => void;
}

const NOBODY: EventsFile = { tell: () => {}, close: () => {} };

/**
 * Runs a command that tells what happens. The file is emptied first.
 * @throws UsageError for one that cannot be written, or that the target keeps something in, before anything is done
 */
export async function withEvents(
  command: string,
  settings: TargetSettings,
  flags: EventsFlags,
  terminal: Terminal,
  work: (events: Events) => Promise<ExitCode> | ExitCode,
): Promise<ExitCode> {
  const events = await openEvents(command, settings, flags, terminal);
  try {
    return await work(events);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    events.tell(failureEvent(message));
    throw error;
  } finally {
    events.close();
  }
}

async function openEvents(
  command: string,
  settings: TargetSettings,
  { events: file }: EventsFlags,
  terminal: Terminal,
): Promise<EventsFile> {
  if (file === undefined) return NOBODY;
  const path = await eventsPath(file, filesOf(settings, {}));
  const handle = openSync(path, 'w');
  let isOpen = true;
  const events: EventsFile = {
    tell: (...lines) => {
      if (!isOpen || lines.length === 0) return;
      const at = new Date(terminal.clock.now()).toISOString();
      const text = lines.map((line) => `${JSON.stringify({ ...line, '@timestamp': at })}\n`).join('');
      try {
        writeSync(handle, text);
      } catch (error) {
        isOpen = false;
        closeSync(handle);
        showWarning(`no more events are written to ${file}: ${diskErrorCode(error) ?? String(error)}`, terminal);
      }
    },
    close: () => {
      if (isOpen) closeSync(handle);
      isOpen = false;
    },
  };
  events.tell(versionEvent(command, packageVersion(), settings.name, settings.apiVersion));
  return events;
}

/** Where events go: also into a file of that name that a ledger could have, but only if it has events. */
async function eventsPath(file: string, kept: readonly string[]): Promise<string> {
  const path = await replaceable(`--events ${file}`, file, kept);
  if (isOurs(path) && !(await hasEvents(path)))
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
