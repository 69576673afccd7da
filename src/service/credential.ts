// A credential: its header, its data centre, and a filter that keeps it out of every text.

import { UsageError } from '../base/errors.ts';
import { isList } from '../base/json.ts';
import type { Json } from '../base/model.ts';

/** `bearer` is an access token, `basic` a personal access token. Service notes: "Wire". */
export type Credential =
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'basic'; readonly accountId: string; readonly token: string };

/** @throws UsageError for a token that cannot be right, or of a kind that is not accepted; its message never contains the token. */
export function checkCredential(credential: Credential, accepted: readonly Credential['kind'][]): void {
  const { kind, token } = credential;
  if (!accepted.includes(kind)) throw new UsageError('this API does not take a personal access token');
  if (token === '') throw new UsageError('the access token is empty');
  if (/%3a/i.test(token)) {
    throw new UsageError('the access token contains "%3A": it was pasted URL-encoded; write ":" in its place');
  }
  if (!isHeaderText(token)) {
    throw new UsageError('the access token contains white space or a character that no token has');
  }
  if (credential.kind !== 'basic') return;
  if (credential.accountId === '' || credential.accountId.includes(':') || !isHeaderText(credential.accountId)) {
    throw new UsageError('a personal access token needs the account id it belongs to, which has no ":" or white space');
  }
}

/** Specification: "Authentication". */
export function authorizationHeader(credential: Credential): string {
  switch (credential.kind) {
    case 'bearer':
      return `Bearer ${credential.token}`;
    case 'basic':
      return `Basic ${basicPair(credential.accountId, credential.token)}`;
  }
}

/** The value of `X-Region` that the token's own prefix asks for; null for the default data centre. Specification: "Authentication". */
export function homeRegion({ token }: Credential): string | null {
  return token.startsWith('fra:') ? 'fra' : null;
}

/** A shorter form could be part of any word, so only a whole word is replaced, and only the token itself. */
const LEAST_LENGTH = 8;

/** A filter that replaces the credential, in each form in which it is sent or kept, wherever a text repeats it. Null replaces nothing. */
export function createRedactor(credential: Credential | null): (text: string) => string {
  if (credential === null) return (text) => text;
  const { token } = credential;
  const sent = credential.kind === 'basic' ? [basicPair(credential.accountId, token), token] : [token];
  const kept = [token.replace(/^[a-z]+:/, ''), Buffer.from(token, 'utf8').toString('base64')];
  const unpadded = [...sent, ...kept].flatMap((form) => [withoutPadding(form), withoutPadding(urlAlphabet(form))]);
  const forms = [...sent, ...[...kept, ...unpadded].filter(({ length }) => length >= LEAST_LENGTH)];
  // In one pass, the longest first: a replacement must not be searched again.
  const patterns = [...new Set(forms.flatMap(spellings))].sort((a, b) => b.length - a.length).map(patternOf);
  const pattern = new RegExp(patterns.join('|'), 'g');
  return (text) => text.replaceAll(pattern, '[token]');
}

function patternOf(form: string): string {
  return form.length < LEAST_LENGTH ? `(?<!\\w)${escaped(form)}(?!\\w)` : escaped(form);
}

/** The spellings of a form in bodies: URL-encoded, with digits of either case, and with escaped slashes, as some JSON writers have it. */
function spellings(form: string): readonly string[] {
  const encoded = encodeURIComponent(form);
  const lowerCase = encoded.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  return [form, encoded, lowerCase, form.replaceAll('/', '\\/')];
}

function withoutPadding(form: string): string {
  return form.replace(/=+$/, '');
}

function urlAlphabet(form: string): string {
  return form.replaceAll('+', '-').replaceAll('/', '_');
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** A JSON value with every string filtered, names of members included. */
export function redactJson(value: Json, redact: (text: string) => string): Json {
  if (typeof value === 'string') return redact(value);
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) return value.map((item) => redactJson(item, redact));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [redact(name), redactJson(item, redact)]));
}

function basicPair(accountId: string, token: string): string {
  return Buffer.from(`${accountId}:${token}`, 'utf8').toString('base64');
}

/** Printable ASCII without white space: what a header can carry unchanged. */
function isHeaderText(text: string): boolean {
  return /^[!-~]+$/.test(text);
}
