// What a request carries: its query, its own headers, and its body as JSON or as a form. Knows no action by name.

import { UsageError } from '../base/errors.ts';
import { isList } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import type { Api, ApiAction } from './api.ts';
import type { ExchangeRequest } from './exchange.ts';
import { formOf, type Upload } from './upload.ts';

/** A request before it has an address. */
export interface Content extends Pick<ExchangeRequest, 'method' | 'body' | 'stream' | 'headers'> {
  /** Parameters of the query. */
  readonly query: JsonObject;
  /** What it says, as a text that an answer may repeat. */
  readonly said: string;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** @throws UsageError for a file where none is sent, or none where one is */
export function contentOf(
  { method, upload: form }: ApiAction,
  name: string,
  body: JsonObject,
  upload?: Upload,
): Content {
  if (form === undefined && upload !== undefined) throw new UsageError(`${name} does not send a file`);
  if (form !== undefined) {
    if (upload === undefined) throw new UsageError(`${name} sends a file, and none is given`);
    return { query: {}, body: '', said: upload.name, ...formOf(form.member, upload) };
  }
  const said = JSON.stringify(body);
  return method === 'GET'
    ? { method, query: body, body: '', headers: JSON_TYPE, said }
    : { query: {}, body: said, headers: JSON_TYPE, said };
}

/** The query with its question mark; empty without parameters. @throws UsageError for a parameter that is an object */
export function queryText(parameters: JsonObject): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    for (const item of isList(value) ? value : [value]) {
      if (item === null) continue;
      query.append(name, scalarText(name, item));
    }
  // A plus sign is a space for some servers, and a plus sign for others.
  const text = query.toString().replaceAll('+', '%20');
  return text === '' ? '' : `?${text}`;
}

function scalarText(name: string, value: Json): string {
  if (typeof value !== 'object') return String(value);
  throw new UsageError(`\`${name}\` travels in the query, so it must be a text, a number, \`true\` or \`false\``);
}

/** Headers that say what the client itself must say. */
const RESERVED = [
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'x-region',
];

/** The headers of a caller, in lower case. @throws UsageError for one that the client sets, or that no request can have */
export function callerHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const own = name.toLowerCase();
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(own) || !/^[\t\x20-\x7e]*$/.test(value))
        throw new UsageError(`\`${name}\` is not a header that a request can have: use ASCII on one line`);
      if (RESERVED.includes(own)) throw new UsageError(`the header \`${own}\` is set by the client itself`);
      return [own, value];
    }),
  );
}

/** The parameter that names the account. @throws UsageError when it is missing, or has the wrong form */
export function accountQuery<V extends string>(
  { name, account }: Pick<Api<string, V>, 'name' | 'account'>,
  version: V,
  value: string | undefined,
): JsonObject {
  const parameter = account?.[version];
  if (parameter === undefined) return {};
  const what = `version ${version} of the ${name} needs the \`${parameter.name}\` of the account`;
  if (value === undefined) throw new UsageError(`${what}: give it as \`account\``);
  if (!parameter.pattern.test(value)) throw new UsageError(`${what}, which is ${parameter.form}`);
  return { [parameter.name]: value };
}
