// The cache of report answers: a folder next to the ledger with one file for each question. It saves requests, so a file that cannot be read or written
// costs a request and never the run.

import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { digest } from '../base/digest.ts';
import { diskErrorCode, statOrNull, writeWhole } from '../base/disk.ts';
import { jsonIn } from '../base/json.ts';
import { type KeptDays, type KeptQuestion, keptIn, keptText, NOTHING_KEPT } from './kept.ts';

export interface ReportCache {
  /** Days of a question that are kept; none where nothing is known of it. */
  readonly recall: (question: KeptQuestion) => Promise<KeptDays>;
  readonly keep: (question: KeptQuestion, days: KeptDays) => Promise<void>;
}

/** For one run alone: answers about persons, and targets whose ledger has no folder yet. */
export function memoryCache(): ReportCache {
  const kept = new Map<string, KeptDays>();
  return {
    recall: async (question) => kept.get(fileOf(question)) ?? NOTHING_KEPT,
    keep: async (question, days) => {
      kept.set(fileOf(question), days);
    },
  };
}

/** The folder of a ledger's cache: `.chatform/production.reports` of `.chatform/production.ledger.ndjson`. */
export function reportFolder(ledger: string): string {
  return `${ledger.replace(/(\.ledger)?\.ndjson$/, '')}.reports`;
}

/** Keeps answers on disk once the ledger has a folder. */
export async function reportCache(ledger: string): Promise<ReportCache> {
  const above = await statOrNull(dirname(ledger)).catch(() => null);
  return above?.isDirectory() === true ? diskCache(reportFolder(ledger)) : memoryCache();
}

function diskCache(folder: string): ReportCache {
  const pathOf = (question: KeptQuestion): string => join(folder, fileOf(question));
  return {
    recall: async (question) => {
      const path = pathOf(question);
      const isFile = (await statOrNull(path).catch(() => null))?.isFile() === true;
      const text = isFile ? await orNull(() => readFile(path, 'utf8')) : null;
      return text === null ? NOTHING_KEPT : keptIn(jsonIn(text), question);
    },
    keep: async (question, days) => {
      await orNull(async () => {
        await writeWhole(pathOf(question), keptText(question, days), 'owner');
        // Measured numbers are no part of what a team reviews.
        const ignored = join(folder, '.gitignore');
        if ((await stat(ignored).catch(() => null)) === null) await writeWhole(ignored, '*\n');
      });
    },
  };
}

function fileOf(question: KeptQuestion): string {
  return `${digest({ ...question }).slice(0, 32)}.json`;
}

/** Null for an error of the disk. */
async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (diskErrorCode(error) === null) throw error;
    return null;
  }
}
