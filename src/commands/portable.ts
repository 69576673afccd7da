// A result as plain JSON, so that a worker can give it to the command that asked for it.

import { InternalError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { Diagnostic, Json } from '../base/model.ts';
import { uncoloured } from '../view/paint.ts';
import type { Result, ResultRow } from './result.ts';
import type { Performed } from './target-results.ts';
import { rowOf } from './target-results.ts';

interface Portable extends Pick<Result, 'code' | 'error'> {
  readonly seconds: number;
  readonly row: Omit<ResultRow, 'shown'>;
  /** What there is to read; null for nothing, and where it is not wanted. */
  readonly shown: string | null;
  readonly document: Json | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** What the command that asked shows of a result. */
export interface Wanted {
  readonly texts: boolean;
  readonly documents: boolean;
}

export function portable({ result, seconds }: Performed, { texts, documents }: Wanted): Json {
  const { shown, ...row } = rowOf(result);
  const carried: Portable = {
    code: result.code,
    ...(result.error === undefined ? {} : { error: result.error }),
    seconds,
    row,
    shown: texts ? (shown?.(uncoloured) ?? null) : null,
    document: documents ? (JSON.parse(result.document?.() ?? 'null') as Json) : null,
    diagnostics: result.diagnostics ?? [],
  };
  return JSON.parse(JSON.stringify(carried)) as Json;
}

export function performedOf(value: Json): Performed {
  if (!isObject(value) || !isObject(value['row'])) throw new InternalError('a worker ended a target without a result');
  const { seconds, row, shown, document, ...result } = value as unknown as Portable;
  return {
    seconds,
    result: {
      ...result,
      document: document === null ? null : () => JSON.stringify(document),
      text: null,
      row: { ...row, shown: shown === null ? null : () => shown },
    },
  };
}
