// The cache of report answers: a folder next to the ledger with one file for each question. It saves requests, so a file that cannot be read or written
// costs a request and never the run.

import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { digest } from '../base/digest.ts';
import { diskErrorCode, statOrNull, writeWhole } from '../base/disk.ts';
import { jsonIn } from '../base/json.ts';
import {
  type FilterQuestion,
  type FilterSupport,
  type KeptDays,
  type KeptQuestion,
  keptIn,
  keptText,
  NOTHING_KEPT,
  supportIn,
  supportText,
} from './kept.ts';

export interface ReportCache {
  /** Days of a question that are kept; none where nothing is known of it. */
  readonly recall: (question: KeptQuestion) => Promise<KeptDays>;
  readonly keep: (question: KeptQuestion, days: KeptDays) => Promise<void>;
  /** What the license was found to do with a filter; null where that is not known. */
  readonly support: (question: FilterQuestion) => Promise<FilterSupport | null>;
  readonly keepSupport: (question: FilterQuestion, support: FilterSupport) => Promise<void>;
}

/** For one run alone: answers about persons, and targets whose ledger has no folder yet. */
export function memoryCache(): ReportCache {
  const kept = new Map<string, KeptDays>();
  const supports = new Map<string, FilterSupport>();
  return {
    recall: async (question) => kept.get(fileOf(question)) ?? NOTHING_KEPT,
    keep: async (question, days) => {
      kept.set(fileOf(question), days);
    },
    support: async (question) => supports.get(fileOf(question)) ?? null,
    keepSupport: async (question, support) => {
      supports.set(fileOf(question), support);
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
  const textOf = async (question: KeptQuestion | FilterQuestion): Promise<string | null> => {
    const path = join(folder, fileOf(question));
    const isFile = (await statOrNull(path).catch(() => null))?.isFile() === true;
    return isFile ? orNull(() => readFile(path, 'utf8')) : null;
  };
  const write = async (question: KeptQuestion | FilterQuestion, text: string): Promise<void> => {
    await orNull(async () => {
      await writeWhole(join(folder, fileOf(question)), text, 'owner');
      // Measured numbers are no part of what a team reviews.
      const ignored = join(folder, '.gitignore');
      if ((await stat(ignored).catch(() => null)) === null) await writeWhole(ignored, '*\n');
    });
  };
  return {
    recall: async (question) => {
      const text = await textOf(question);
      return text === null ? NOTHING_KEPT : keptIn(jsonIn(text), question);
    },
    keep: (question, days) => write(question, keptText(question, days)),
    support: async (question) => {
      const text = await textOf(question);
      return text === null ? null : supportIn(jsonIn(text), question);
    },
    keepSupport: (question, support) => write(question, supportText(question, support)),
  };
}

function fileOf(question: KeptQuestion | FilterQuestion): string {
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
