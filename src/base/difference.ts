// What drift calls its differences: the status (which side changed), the kind (what differs), and what follows from both: word, sign, tone, severity, ways out.

import type { Severity } from './model.ts';

/**
 * Which side changed since the last apply. `drift`: the license. `pending`: the manifest. `conflict`: both, to different values. `converged`: both,
 * to the same value. `unknown`: the service does not show the value.
 */
export type Status = 'drift' | 'conflict' | 'pending' | 'converged' | 'unknown';

/**
 * What is different. `changed`: a value. `missing`: a declared object does not exist. `unmanaged`: an object exists that nothing declares.
 * `reordered`: the order of a list. `unreadable`: perhaps a value, which cannot be read. `pending-approval`: an agent waits for approval. `due`:
 * hours of a day that has come since the last apply.
 */
export type DriftKind = 'changed' | 'missing' | 'unmanaged' | 'reordered' | 'unreadable' | 'pending-approval' | 'due';

/** A way to end a difference: apply the manifest, copy the license into it, import the object again, or ignore the difference. */
export const WAYS_OUT = ['apply', 'accept', 'import', 'ignore'] as const;
export type WayOut = (typeof WAYS_OUT)[number];

/** What a status means: which side changed, how severe that is, and the ways out where the API can write the value. */
export const STATUS: {
  readonly [status in Status]: {
    readonly moved: string;
    readonly severity: Severity;
    readonly waysOut: readonly WayOut[];
  };
} = {
  drift: { moved: 'changed on the license', severity: 'error', waysOut: ['apply', 'accept', 'ignore'] },
  conflict: { moved: 'changed differently on both sides', severity: 'error', waysOut: ['apply', 'accept', 'ignore'] },
  pending: { moved: 'changed in the manifest', severity: 'warning', waysOut: ['apply', 'ignore'] },
  converged: { moved: 'changed to the same value on both sides', severity: 'info', waysOut: [] },
  unknown: { moved: 'it is not known which side changed', severity: 'info', waysOut: ['apply', 'ignore'] },
};

interface KindOfDifference {
  readonly sign: string;
  readonly tone: 'add' | 'change' | 'destroy' | 'move' | 'calm';
  /** What it says of an object. */
  readonly differs: string;
  /** For a page and a comment, by which side changed. */
  readonly word: { readonly [status in Status]: string };
  /** Where it is not that of the status. */
  readonly severity?: Severity;
}

export const KIND: { readonly [kind in DriftKind]: KindOfDifference } = {
  changed: {
    sign: '~',
    tone: 'change',
    differs: 'differs',
    word: {
      drift: 'changed on the license',
      conflict: 'changed on both sides',
      pending: 'changed in the manifest',
      converged: 'same on both sides',
      unknown: 'not known',
    },
  },
  missing: {
    sign: '-',
    tone: 'destroy',
    differs: 'is not on the license',
    word: {
      drift: 'missing on the license',
      conflict: 'missing on the license, changed in the manifest',
      pending: 'new in the manifest',
      converged: 'gone on both sides',
      unknown: 'missing',
    },
  },
  unmanaged: {
    sign: '+',
    tone: 'add',
    differs: 'is on the license, and the manifest does not declare it',
    word: {
      drift: 'unmanaged',
      conflict: 'no longer declared, changed on the license',
      pending: 'no longer declared',
      converged: 'unmanaged',
      unknown: 'unmanaged',
    },
    severity: 'warning',
  },
  reordered: {
    sign: '^',
    tone: 'move',
    differs: 'is in another order',
    word: {
      drift: 'reordered on the license',
      conflict: 'reordered on both sides',
      pending: 'reordered in the manifest',
      converged: 'same order on both sides',
      unknown: 'reordered',
    },
  },
  unreadable: {
    sign: '?',
    tone: 'calm',
    differs: 'cannot be read back',
    word: always('cannot be read'),
  },
  'pending-approval': { sign: '?', tone: 'calm', differs: 'waits for approval', word: always('waits') },
  // A date has passed, and a scheduled apply follows it.
  due: { sign: '~', tone: 'calm', differs: 'has other hours from this date on', word: always('due'), severity: 'info' },
};

function always(word: string): KindOfDifference['word'] {
  return { drift: word, conflict: word, pending: word, converged: word, unknown: word };
}

export const STATUSES = Object.keys(STATUS) as readonly Status[];
export const DRIFT_KINDS = Object.keys(KIND) as readonly DriftKind[];
