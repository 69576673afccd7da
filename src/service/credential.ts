// A credential: its header, its data centre, and a filter that keeps it out of every text.

import { replacedInside } from '../base/encodings.ts';
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
  if (QUOTED.test(token)) {
    throw new UsageError(
      'the access token stands in quotes, which are no part of it: write it without them, as NAME=dal:... in a file of variables',
    );
  }
  if (!isHeaderText(token)) {
    throw new UsageError(
      'the access token contains white space or a character that no token has: copy it again, without a line break',
    );
  }
  if (credential.kind !== 'basic') return;
  if (credential.accountId === '' || credential.accountId.includes(':') || !isHeaderText(credential.accountId)) {
    throw new UsageError('a personal access token needs the account id it belongs to, which has no ":" or white space');
  }
}

/** No token begins or ends with a quote. What reads a file of variables, such as docker, may keep those of the file. */
const QUOTED = /^["'`\u2018-\u201f\u00ab\u00bb]|["'`\u2018-\u201f\u00ab\u00bb]$/;

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

/** A shorter form could be part of any word, so only a whole word is replaced, and only the text itself. */
const LEAST_LENGTH = 8;

/** A filter that replaces the credential, in each form in which it is sent or kept, wherever a text repeats it. Null replaces nothing. */
export function createRedactor(credential: Credential | null): (text: string) => string {
  if (credential === null) return (text) => text;
  const { token } = credential;
  const sent = credential.kind === 'basic' ? [basicPair(credential.accountId, token), token] : [token];
  return filterOf(sent, [token.replace(/^[a-z]+:/, ''), ...inBase64(token)], '[token]');
}

/** A filter that replaces a secret of an answer in the same way. */
export function createSecretFilter(secret: string): (text: string) => string {
  return filterOf([secret], inBase64(secret), '[secret]');
}

/** Behind HTML entities, URL encoding and escapes of JSON also, in any number of layers that a gateway makes. */
function filterOf(forms: readonly string[], kept: readonly string[], mark: string): (text: string) => string {
  const unpadded = [...forms, ...kept].flatMap((form) => [withoutPadding(form), withoutPadding(urlAlphabet(form))]);
  const all = [...forms, ...[...kept, ...unpadded].filter(({ length }) => length >= LEAST_LENGTH)];
  // In one pass, the longest first: a replacement must not be searched again.
  const patterns = [...new Set(all)].sort((a, b) => b.length - a.length).map(patternOf);
  const pattern = new RegExp(patterns.join('|'), 'g');
  return (text) => replacedInside(text, pattern, mark);
}

function patternOf(form: string): string {
  return form.length < LEAST_LENGTH ? `(?<!\\w)${escaped(form)}(?!\\w)` : escaped(form);
}

/** The text in base64, and what base64 of a longer text has of it: a header, a pair, a page. It depends on how many bytes come before, modulo 3. */
function inBase64(text: string): readonly string[] {
  const bytes = Buffer.from(text, 'utf8');
  const inside = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    return whole.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6));
  });
  return [bytes.toString('base64'), ...inside];
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
