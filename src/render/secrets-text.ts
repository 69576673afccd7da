// What became of secrets in; sentences and documents out. No secret comes here.

import type { Rotated, RotateReport, Rotation } from '../apply/rotate.ts';
import type { Address, ObjectId } from '../base/model.ts';
import { FORMAT_VERSION } from '../base/model.ts';
import type { Paint } from './paint.ts';
import { plain } from './plain.ts';

interface Named {
  readonly address: Address;
  readonly id: ObjectId;
}

function line({ address, id }: Named, more = ''): string {
  return `  ${plain(address)}  ${plain(String(id))}${more}`;
}

/** What is about to be reset, and what that means. */
export function rotateQuestion(
  rotations: readonly Rotation[],
  { target, sink, installations }: { readonly target: string; readonly sink: string; readonly installations: boolean },
  paint: Paint,
): string {
  return [
    paint('strong', `On target ${plain(target)}, another secret for:`),
    ...rotations.map((rotation) => line(rotation)),
    '',
    `It goes to ${plain(sink)}. Whoever uses the old one is refused from then on.`,
    ...(installations
      ? [
          paint(
            'warning',
            'Bots that were made from a template get it as well, on every license that has the application.',
          ),
        ]
      : []),
  ].join('\n');
}

/** While nobody knows whether a reset took effect. */
export function pauseLine(address: Address, milliseconds: number, paint: Paint): string {
  return paint(
    'faint',
    `${plain(address)}: no answer to the reset; resetting it once more in ${milliseconds / 1000} s, when the first can no longer take effect`,
  );
}

function resultLine(result: Rotated, sink: string, paint: Paint): string {
  const address = plain(result.address);
  switch (result.state) {
    case 'kept':
      return `${address}: its new secret is in ${plain(sink)}`;
    case 'rescued':
      return `${address}: ${paint('error', 'its new secret waits in')} ${plain(result.path)}, because ${plain(result.reason)}`;
    case 'lost':
      return `${address}: ${paint('error', 'nobody knows its secret now')}: ${plain(result.reason)}`;
    case 'refused':
      return `${address}: ${paint('error', 'not reset')}, its old secret holds: ${plain(result.failure.message)} (${plain(result.failure.type)})`;
    case 'not-sent':
      return `${address}: ${paint('warning', 'not reset')}, its old secret holds: ${plain(result.reason)}`;
  }
}

/** `secrets rotate`. */
export function rotatedText({ results, failure }: RotateReport, sink: string, paint: Paint): string {
  const is = (state: Rotated['state']): boolean => results.some((result) => result.state === state);
  return [
    ...results.map((result) => resultLine(result, sink, paint)),
    ...(failure === null ? [] : [`${paint('error', 'Stopped by an error:')} ${plain(failure.message)}`]),
    ...(is('rescued') ? ['Set the place for secrets right, then run `chatform secrets rescue`.'] : []),
    ...(is('lost') ? ['Rotate it again: until then nobody can use it.'] : []),
    '',
  ].join('\n');
}

function document(content: { readonly [member: string]: unknown }): string {
  return `${JSON.stringify({ format_version: FORMAT_VERSION, ...content, diagnostics: [] }, null, 2)}\n`;
}

function reasonOf(result: Rotated): string | null {
  switch (result.state) {
    case 'kept':
      return null;
    case 'refused':
      return `${result.failure.type}: ${result.failure.message}`;
    default:
      return result.reason;
  }
}

export function rotateDocument(
  { outcome, results, failure }: RotateReport,
  {
    target,
    sink,
    requests,
  }: {
    readonly target: string;
    readonly sink: string;
    readonly requests: { readonly [action: string]: number };
  },
): string {
  return document({
    errored: outcome !== 'done',
    target,
    sink,
    outcome,
    message: failure?.message ?? null,
    secrets: results.map((result) => ({
      address: result.address,
      id: result.id,
      state: result.state,
      path: result.state === 'rescued' ? result.path : null,
      reason: reasonOf(result),
    })),
    requests_sent: requests,
  });
}

/** What `secrets rescue` did. */
export interface RescueDone {
  readonly target: string;
  readonly sink: string;
  readonly files: readonly string[];
  readonly current: readonly Named[];
  /** Of objects that are not those of their addresses any more. */
  readonly outdated: readonly Named[];
}

export function rescuedText({ sink, files, current, outdated }: RescueDone, paint: Paint): string {
  if (files.length === 0) return 'Nothing to rescue.\n';
  return [
    ...current.map(({ address }) => `${plain(address)}: its secret is in ${plain(sink)}`),
    ...outdated.map(
      ({ address, id }) =>
        `${plain(address)}: ${paint('warning', 'dropped')}, the secret was of ${plain(String(id))}, which it is no longer`,
    ),
    `Removed ${files.map(plain).join(', ')}.`,
    '',
  ].join('\n');
}

export function rescueDocument({ target, sink, files, current, outdated }: RescueDone): string {
  const named = (entries: readonly Named[]) => entries.map(({ address, id }) => ({ address, id }));
  return document({ errored: false, target, sink, secrets: named(current), dropped: named(outdated), removed: files });
}
