// Credentials in chatform.yaml, which are refused. A credential is never shown, also not in the diagnostic.

import { isCredential } from '../base/credentials.ts';
import { saidBy } from '../base/encodings.ts';
import { isList, isObject } from '../base/json.ts';
import type { Diagnostic, Json } from '../base/model.ts';
import { isSecretMember } from '../manifest/environment.ts';
import { diagnose } from '../yaml/diagnostics.ts';
import type { Path, PlaceMark } from '../yaml/places.ts';
import { withTargetValues } from './references.ts';

const AUTHORIZATION = /^(Bearer |Basic )/i;

const NAMES_VARIABLE = new Set([
  'token_env',
  'customer_token_env',
  'reports_token_env',
  'postgres_env',
  'url_env',
  'secret_env',
]);

export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

const WEB = /^https?:\/\//i;

/** Paths of members that hold a credential, or probably do. */
export function credentialPaths(value: Json, path: Path = []): readonly Path[] {
  if (isList(value)) return value.flatMap((item, index) => credentialPaths(item, [...path, index]));
  if (isObject(value)) {
    return Object.entries(value).flatMap(([name, member]) =>
      holdsCredential(name, member) ? [[...path, name]] : credentialPaths(member, [...path, name]),
    );
  }
  if (typeof value !== 'string') return [];
  return looksLikeCredential(value) || (WEB.test(value) && isChannel(path)) ? [path] : [];
}

/** The finding about a credential at this path of a file. */
export function credentialRefused(path: Path, mark: PlaceMark): Diagnostic {
  const variable = isChannel(path) ? '`url_env` or `secret_env`' : '`token_env`';
  return diagnose(
    { ...mark, excerpt: null },
    {
      code: 'not-allowed',
      message: 'a credential is in this file, where everyone with access to the project can read it',
      remedy: `revoke it, put a new one into an environment variable, and name the variable in ${variable}`,
    },
  );
}

/** The environment variables that settings name as those of secrets, each with the setting. */
export function secretNames(value: Json): ReadonlyMap<string, string> {
  const members: readonly (readonly [string, Json])[] = isList(value) || isObject(value) ? Object.entries(value) : [];
  return new Map(
    members.flatMap(([name, member]) =>
      NAMES_VARIABLE.has(name) && typeof member === 'string' ? [[member, name] as const] : [...secretNames(member)],
    ),
  );
}

/** Whether a path leads into the channels, or to the heartbeat. Their URLs are credentials: anyone with the URL can write there. */
function isChannel(path: Path): boolean {
  // A target may have the name of a setting.
  const steps = path[0] === 'targets' ? path.slice(2) : path;
  return steps.some((step, index) => step === 'notify' || (step === 'heartbeat' && steps[index - 1] === 'drift'));
}

function holdsCredential(name: string, member: Json): boolean {
  if (typeof member !== 'string') return false;
  if (isSecretMember(name)) return true;
  return NAMES_VARIABLE.has(name) && !VARIABLE_NAME.test(withTargetValues(member, () => 'X'));
}

function looksLikeCredential(text: string): boolean {
  return isCredential(text) || saidBy(text).some((said) => AUTHORIZATION.test(said));
}

/** The value without those members. */
export function withoutPaths(value: Json, paths: readonly Path[], path: Path = []): Json {
  const kept = (step: string | number): boolean =>
    !paths.some((gone) => gone.length === path.length + 1 && [...path, step].every((part, at) => part === gone[at]));
  if (isList(value)) {
    return value.map((item, index) => (kept(index) ? withoutPaths(item, paths, [...path, index]) : ''));
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => kept(name));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutPaths(member, paths, [...path, name])]));
}
