// Selections of addresses by glob: `*` stands for any text, a bare kind for all of the kind.

import { AbsentError } from '../base/errors.ts';
import { globPattern } from '../base/glob.ts';
import type { Address, KindName } from '../base/model.ts';
import { nearest, slip } from '../base/nearest.ts';
import { personOf } from '../base/person.ts';
import { isKind, isPersonal, KIND_NAMES, subjectOf } from './index.ts';

export type Selects = (address: Address) => boolean;

function pattern(glob: string): RegExp {
  const whole = isKind(glob) ? `${glob}/*` : glob;
  return globPattern(whole);
}

/** People are covered in any capitals. */
export function covers(globs: readonly string[]): Selects {
  const patterns = globs.map(pattern);
  const ofPeople = globs.map((glob) => pattern(personOf(glob)));
  return (address) =>
    isPersonal(address)
      ? ofPeople.some((one) => one.test(subjectOf(address)))
      : patterns.some((one) => one.test(address));
}

/** Whether the globs may cover an object of a kind. */
export function coversKind(globs: readonly string[]): (kind: KindName) => boolean {
  // A `*` stands for a slash as well.
  const patterns = globs.map((glob) => globPattern(/^[^/*]*\*?/.exec(glob)?.[0] ?? ''));
  return (kind) => patterns.some((one) => one.test(kind));
}

/** What `--only` and `--except` select: everything that the first covers, or all without it, less what the second covers. */
export function selection(only: readonly string[], except: readonly string[]): Selects {
  const included = only.length === 0 ? () => true : covers(only);
  const excluded = covers(except);
  return (address) => included(address) && !excluded(address);
}

/** Throws UsageError for a glob that covers nothing: it would plan nothing and look like success. */
export function requireHits(flag: string, globs: readonly string[], addresses: readonly Address[]): void {
  const idle = globs.filter((glob) => !addresses.some(covers([glob])));
  if (idle.length === 0) return;
  const meant = idle.flatMap((glob) => meantBy(glob, addresses) ?? []);
  const parts = idle.flatMap((glob) => (glob.includes(',') ? glob.split(',').map((part) => part.trim()) : []));
  const areJoined = parts.length > 0 && parts.every((part) => addresses.some(covers([part])));
  const remedy = areJoined
    ? `give each address a flag of its own: ${parts.map((part) => `${flag} ${part}`).join(' ')}`
    : meant.length > 0
      ? `did you mean ${meant.join(', ')}?`
      : `addresses look like group/sales or agent/*, and a bare kind (${KIND_NAMES.join(', ')}) is all of it`;
  throw new AbsentError(`${flag} ${idle.join(', ')} covers nothing; ${remedy}`);
}

/** Throws AbsentError for a selection that leaves nothing of what its globs cover: its plan would look like that of a license without a difference. */
export function requireSelected(
  only: readonly string[],
  except: readonly string[],
  addresses: readonly Address[],
): void {
  if (except.length === 0 || addresses.some(selection(only, except))) return;
  const [covered, left] = [only, except].map((globs, at) => `--${at === 0 ? 'only' : 'except'} ${globs.join(', ')}`);
  throw new AbsentError(
    only.length === 0
      ? `${left} selects nothing: it leaves out all that the files declare and the ledger owns; name less, or say with --only what you mean`
      : `${covered} with ${left} selects nothing: all that --only covers is left out by --except; remove one of the two`,
  );
}

/** The address or kind that a wrong one probably means, or the address that a key alone belongs to; null for a glob, and where none or several fit. */
function meantBy(glob: string, addresses: readonly Address[]): string | null {
  if (glob.includes('*')) return null;
  const keyed = [...new Set(addresses)].filter((address) => address.endsWith(`/${glob}`));
  if (keyed.length > 0) return keyed.length === 1 ? (keyed[0] ?? null) : null;
  const near = nearest(glob, addresses);
  return addresses.find((address) => address === near) ?? KIND_NAMES.find((kind) => slip(glob, kind)) ?? null;
}
