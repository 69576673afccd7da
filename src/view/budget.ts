// Budgets: which pieces of a document are written in full, which as a line, and which are only counted, so that the whole has at most so many bytes.

import { groupedBy } from '../base/grouped.ts';

/** A piece that can be shortened or left out. */
export interface BudgetPart<T> {
  /** What a budget spares first. */
  readonly weight: number;
  /** What can be written of it, the shortest first: a line, which may use what room there is, and in full. */
  readonly levels: readonly [(room: number) => T, (() => T)?];
}

/** Pieces that stand together, and what they may take of the room that is left while others wait. */
export interface Batch<T> {
  readonly parts: readonly BudgetPart<T>[];
  readonly share: number;
  /** They get the room that all others leave. */
  readonly isFolded?: boolean;
}

export interface BlockMeasure<T> {
  readonly sizeOf: (written: T) => number;
  /** Pieces with two levels that are written in full. */
  readonly mostInFull?: number;
}

/**
 * What is written of each part; null for what is left out. Parts become a line, the heaviest first; with the room that is left, lines become full, the
 * heaviest first: within the shares, then without them. Folded ones come after all others. Parts of one weight end at the first that does not fit, so
 * that what is left out is a tail.
 */
export function shareOut<T>(
  batches: readonly Batch<T>[],
  room: number,
  { sizeOf, mostInFull = Number.POSITIVE_INFINITY }: BlockMeasure<T>,
): readonly (readonly (T | null)[])[] {
  const states = batches.map(({ parts }) => parts.map((part): State<T> => ({ part, line: null, full: null })));
  const turns = batches
    .flatMap(({ share, isFolded = false }, index) =>
      Array.from(
        groupedBy(states[index] ?? [], ({ part }) => part.weight),
        ([weight, those]) => ({ weight, share, isFolded, those }),
      ),
    )
    .toSorted((one, other) => other.weight - one.weight);
  let left = room;
  let inFull = 0;

  function takeLines(of: typeof turns, isCapped: boolean): void {
    for (const { share, those } of of) {
      let own = isCapped ? left * share : left;
      for (const state of those) {
        if (state.line !== null) continue;
        const written = state.part.levels[0](own);
        const size = sizeOf(written);
        if (size > own) break;
        state.line = { written, size };
        own -= size;
        left -= size;
      }
    }
  }

  function takeFull(of: typeof turns, isCapped: boolean): void {
    for (const { share, those } of of) {
      let own = isCapped ? left * share : left;
      for (const state of those) {
        const [, full] = state.part.levels;
        if (full === undefined || state.full !== null) continue;
        if (state.line === null || inFull >= mostInFull) break;
        const written = full();
        const cost = sizeOf(written) - state.line.size;
        if (cost > own) break;
        state.full = written;
        inFull += 1;
        own -= cost;
        left -= cost;
      }
    }
  }

  for (const folded of [false, true]) {
    const of = turns.filter(({ isFolded }) => isFolded === folded);
    for (const isCapped of [true, false]) {
      takeLines(of, isCapped);
      takeFull(of, isCapped);
    }
  }
  return states.map((those) => those.map(({ line, full }) => full ?? line?.written ?? null));
}

interface State<T> {
  readonly part: BudgetPart<T>;
  line: { readonly written: T; readonly size: number } | null;
  full: T | null;
}

/** Writes the parts of a batch that fit, and `more` for the number of the others. */
export type Fit<T> = (batch: Batch<T>, more: (left: number) => T) => readonly T[];

/** `write` is called twice and must ask for the same batches in the same order: the first time everything is left out, which gives the size of the frame. */
export function withinBudget<T>(budget: number, measure: BlockMeasure<T>, write: (fit: Fit<T>) => T): T {
  const batches: Batch<T>[] = [];
  const frame = write((batch, more) => {
    batches.push(batch);
    return batch.parts.length === 0 ? [] : [more(batch.parts.length)];
  });
  const shares = shareOut(batches, budget - measure.sizeOf(frame), measure)[Symbol.iterator]();
  return write((batch, more) => {
    const written = (shares.next().value ?? []).filter((each) => each !== null);
    const left = batch.parts.length - written.length;
    return left === 0 ? written : [...written, more(left)];
  });
}
