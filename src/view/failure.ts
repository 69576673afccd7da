// The view of an operation that came to no result.

import type { Text, View } from './blocks.ts';
import { time } from './plain.ts';

export interface Failure {
  /** Such as `Drift of production`. */
  readonly title: Text;
  /** Such as `the check failed`. */
  readonly word: string;
  readonly message: string;
  /** What is not known because of it. */
  readonly unknown: string;
  /** RFC 3339. */
  readonly at: string;
}

export function failureView({ title, word, message, unknown, at }: Failure): View {
  return {
    title,
    mark: { sign: '!', word, tone: 'error' },
    result: [{ text: 'Error:', tone: 'error' }, ' ', message],
    about: [[`${unknown} Tried `, { text: time(at), as: 'time' }, '.']],
    body: [],
  };
}
