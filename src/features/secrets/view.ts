// The terminal text of `secrets`: what was reset, issued or rescued, and where the secrets are. It never has a secret.

import type { Address, ObjectId } from '../../base/model.ts';
import type { Paint } from '../../view/paint.ts';
import { plain, time } from '../../view/plain.ts';
import { headedTable } from '../../view/terminal/layout.ts';
import type { Rotations } from './operation.ts';
import type { RotateReport, RotationResult } from './rotate-operation.ts';
import type { HeldSecret, IssuedToken } from './token-operation.ts';

/** What `secrets rotate` would reset, and what that means. */
export function rotateQuestion(
  { resets, renewals }: Rotations,
  { target, sink, installations }: { readonly target: string; readonly sink: string; readonly installations: boolean },
  paint: Paint,
): string {
  const lines = (of: readonly SecretOwner[]): readonly string[] =>
    of.map(({ address, id }) => `  ${plain(address)}  ${plain(String(id))}`);
  return [
    ...(resets.length === 0
      ? []
      : [
          paint('strong', `New secrets on target ${plain(target)} for:`),
          ...lines(resets),
          '',
          `They go to ${plain(sink)}. A client that uses an old secret is refused from then on.`,
        ]),
    ...(renewals.length === 0
      ? []
      : [
          paint('strong', `The next apply on target ${plain(target)} makes these again, with new secrets:`),
          ...lines(renewals),
        ]),
    ...(installations
      ? [
          paint(
            'warning',
            'Bots that were made from a template also get it, on every license that has the application.',
          ),
        ]
      : []),
  ].join('\n');
}

/** Progress while it is not known whether a reset took effect. */
export function pauseLine(address: Address, milliseconds: number, paint: Paint): string {
  return paint(
    'faint',
    `${plain(address)}: no answer to the reset; trying again in ${milliseconds / 1000} s, when the first attempt can no longer take effect`,
  );
}

function resultLine(result: RotationResult, sink: string, paint: Paint): string {
  const address = plain(result.address);
  switch (result.state) {
    case 'kept':
      return `${address}: its new secret is in ${plain(sink)}`;
    case 'rescued':
      return `${address}: ${paint('error', 'its new secret is in the rescue file')} ${plain(result.path)}, because ${plain(result.reason)}`;
    case 'lost':
      return `${address}: ${paint('error', 'its secret is lost')}: ${plain(result.reason)}`;
    case 'refused':
      return `${address}: ${paint('error', 'not reset')}, its old secret stays valid: ${plain(result.failure.message)} (${plain(result.failure.type)})`;
    case 'due':
      return `${address}: the next apply makes it again with a new secret, which goes to ${plain(sink)}`;
    case 'not-sent':
      return `${address}: ${paint('warning', 'not reset')}, its old secret stays valid: ${plain(result.reason)}`;
  }
}

/** `secrets rotate`. */
export function rotatedText({ results, failure }: RotateReport, sink: string, paint: Paint): string {
  const is = (state: RotationResult['state']): boolean => results.some((result) => result.state === state);
  return [
    ...results.map((result) => resultLine(result, sink, paint)),
    ...(failure === null ? [] : [`${paint('error', 'Stopped by an error:')} ${plain(failure.message)}`]),
    ...(is('rescued') ? ['Correct the secrets sink, then run `chatform secrets rescue`.'] : []),
    ...(is('lost') ? ['Rotate it again: until then it cannot be used.'] : []),
    '',
  ].join('\n');
}

/** An object that has a secret. */
export interface SecretOwner {
  readonly address: Address;
  readonly id: ObjectId;
}

/** What `secrets rescue` did. */
export interface RescueDone {
  readonly target: string;
  readonly sink: string;
  readonly files: readonly string[];
  readonly current: readonly SecretOwner[];
  /** Objects that their addresses no longer mean. */
  readonly outdated: readonly SecretOwner[];
}

export function rescuedText({ sink, files, current, outdated }: RescueDone, paint: Paint): string {
  if (files.length === 0) return 'Nothing to rescue.\n';
  return [
    ...current.map(({ address }) => `${plain(address)}: its secret is in ${plain(sink)}`),
    ...outdated.map(
      ({ address, id }) =>
        `${plain(address)}: ${paint('warning', 'dropped')}, the secret belongs to ${plain(String(id))}, which this address no longer means`,
    ),
    `Removed ${files.map(plain).join(', ')}.`,
    '',
  ].join('\n');
}

/** `secrets token`. */
export function issuedText({ address, until, state, reason }: IssuedToken, sink: string, paint: Paint): string {
  if (state === 'kept') return `${plain(address)}: its token is in ${plain(sink)}, and ends ${time(until)}\n`;
  const [what, then] =
    state === 'lost'
      ? ['its token is lost', 'Correct the secrets sink, then run the command again.']
      : ['a token of it may have been issued, and the answer was lost', 'Run the command again.'];
  return [
    `${plain(address)}: ${paint('error', what)}: ${plain(reason ?? '')}`,
    `It is stored nowhere, and ends ${time(until)}. ${then}`,
    '',
  ].join('\n');
}

/** `secrets list`. `now` in milliseconds since the epoch. */
export function heldText(ledger: string, held: readonly HeldSecret[], now: number, paint: Paint): string {
  if (held.length === 0) return `The ledger ${plain(ledger)} owns nothing that has a secret.\n`;
  const rows = held.map(({ address, id, secret, token, unanswered }) => [
    plain(address),
    plain(String(id)),
    SECRETS[secret ?? 'unknown'],
    [tokenText(token, now), ...unanswered.filter((until) => Date.parse(until) > now).map(perhapsText)].join('; '),
  ]);
  return [...headedTable([['ADDRESS', 'ID', 'SECRET', 'TOKEN'], ...rows], paint), ''].join('\n');
}

const SECRETS = {
  kept: 'in the sink',
  missing: 'not in the sink',
  rescued: 'in a rescue file',
  lost: 'lost',
  due: 'the next apply makes a new one',
  unknown: 'not known',
} as const;

function perhapsText(until: string): string {
  return `perhaps one without an answer, until ${time(until)}`;
}

function tokenText(token: HeldSecret['token'], now: number): string {
  if (token === null) return 'none';
  if (Date.parse(token.until) <= now) return `ended ${time(token.until)}`;
  return token.state === 'kept' ? `in the sink, until ${time(token.until)}` : `lost, until ${time(token.until)}`;
}
