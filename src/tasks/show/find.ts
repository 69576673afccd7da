// What somebody called a resource in; the one that is meant, or why there is none, out.

import type { DesiredResource } from '../../base/model.ts';
import { nearest } from '../../base/nearest.ts';
import { KIND_NAMES, KINDS } from '../../kinds/index.ts';
import { splitName } from '../../kinds/namespaced.ts';
import type { Entry } from './catalogue.ts';
import type { Question } from './question.ts';

export type Found =
  | { readonly entry: Entry; readonly refusal: null }
  | { readonly entry: null; readonly refusal: string };

type Asked = Extract<Question, { readonly about: 'resource' }>;

function keyOf({ address }: Pick<Entry, 'address'>): string {
  return splitName(address)[1];
}

/** Its key, its id or its name, in this order: what somebody chose as a key is meant even if it looks like an id. */
export function find(asked: Asked, entries: readonly Entry[], declared: readonly DesiredResource[]): Found {
  const { kind, called } = asked;
  const candidates = entries.filter(({ type }) => kind === null || type === kind);
  const ways: readonly ((entry: Entry) => boolean)[] = [
    (entry) => keyOf(entry) === called,
    ({ id }) => String(id) === called,
    ({ name }) => name === called,
  ];
  for (const isMeant of ways) {
    const [first, ...others] = candidates.filter(isMeant);
    if (first === undefined) continue;
    if (others.length === 0) return { entry: first, refusal: null };
    const all = [first, ...others].map(({ address, type, id }) =>
      address === `${type}/${id}` ? address : `${address} (${id})`,
    );
    return { entry: null, refusal: `${called} could be any of ${all.join(', ')}: say which one` };
  }
  return { entry: null, refusal: refusalOf(asked, candidates, declared) };
}

function refusalOf(
  { kind, called }: Asked,
  candidates: readonly Entry[],
  declared: readonly DesiredResource[],
): string {
  const noun = kind === null ? 'resource' : KINDS[kind].noun.one;
  const missing = declared.find((resource) => (kind === null || resource.kind === kind) && resource.key === called);
  if (missing !== undefined) {
    const { file, line } = missing.place;
    return `${missing.address} is declared (${file}:${line}), and not on the license; \`chatform plan\` says what an apply would do`;
  }
  const names = new Map<string, string>(kind === null ? KIND_NAMES.map((name) => [name, name]) : []);
  for (const entry of candidates) {
    for (const name of [entry.name, String(entry.id), keyOf(entry), entry.address]) names.set(name, entry.address);
  }
  const meant = nearest(called, [...names.keys()]);
  const hint =
    meant === null
      ? `\`chatform show${kind === null ? '' : ` ${kind}`}\` lists what there is`
      : `did you mean ${names.get(meant)}?`;
  return `there is no ${noun} ${called} on the license; ${hint}`;
}
