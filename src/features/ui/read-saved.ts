// Reads the files of a target again once one of them is saved. What a reading opens is what is watched: the manifest, its tables, and chatform.yaml.

import { statSync } from 'node:fs';
import { isInDatabase } from '../../ledger/place.ts';
import { openProjectOn, PROJECT_FILE, type TargetChoice } from '../../target/choice.ts';
import type { RunContext } from '../../target/context.ts';
import { type NoTarget, type PreparedFiles, prepare } from '../../target/prepare.ts';
import { disk, type FileSystem } from '../../yaml/read.ts';

export interface SavedFiles {
  readonly prepare: () => Promise<PreparedFiles | NoTarget>;
  /** Whether a file was saved, made or removed since they were prepared, and none has changed since the last question: a program that saves is done. */
  readonly areSaved: () => boolean;
}

export function savedFiles(choice: TargetChoice, context: RunContext): SavedFiles {
  let seen = new Map<string, string>();
  let last = '';

  /** Before a file is read, so that a save in the middle of the reading is not missed. */
  function watching(system: FileSystem, stamps: Map<string, string>): FileSystem {
    const noting = <Args extends readonly unknown[], T>(work: (path: string, ...args: Args) => Promise<T>) => {
      return (path: string, ...args: Args): Promise<T> => {
        if (!stamps.has(path)) stamps.set(path, stampOf(path));
        return work(path, ...args);
      };
    };
    return {
      ...system,
      isDirectory: noting(system.isDirectory),
      list: noting(system.list),
      read: noting(system.read),
    };
  }

  return {
    prepare: async () => {
      const stamps = new Map<string, string>();
      seen = stamps;
      const system = watching(disk([PROJECT_FILE, ...(choice.varFile ?? [])], context), stamps);
      const prepared = await prepare({ ...choice, opened: await openProjectOn(system, context) }, context);
      const ledger = prepared.settings?.ledger;
      if (ledger !== undefined && !isInDatabase(ledger)) stamps.set(ledger, stampOf(ledger));
      return prepared;
    },
    areSaved: () => {
      const before = last;
      last = [...seen.keys()].map(stampOf).join('\n');
      return last === before && last !== [...seen.values()].join('\n');
    },
  };
}

function stampOf(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return 'none';
  }
}
