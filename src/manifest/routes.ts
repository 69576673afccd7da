// The `routes:` list of a manifest: routing tests, their schema, and the mistakes in them.

import type { Schema } from '../base/documents.ts';
import { byText, isList, isObject } from '../base/json.ts';
import type { External, Json, JsonObject, Place } from '../base/model.ts';
import { KINDS, ORDERED, ROUTED } from '../kinds/index.ts';
import type { RouteTest } from '../routing/route-tests.ts';
import { ASSUMED } from '../routing/rules.ts';
import { seen, type Visitor } from '../routing/visitor.ts';
import { at, type Emit, repeated } from '../yaml/diagnostics.ts';
import type { Part, Path, PlaceMark } from '../yaml/places.ts';
import type { ReferenceCheck } from './dangling.ts';
import { type Inline, inlineOf } from './references.ts';
import { addressOf } from './sections.ts';

/** A routing test of the manifest. */
export interface Route extends RouteTest {
  /** Where `expect` is written. */
  readonly place: Place;
  readonly excerpt: string | null;
  /** Where `rule` is written; null without it. */
  readonly ruleMark: PlaceMark | null;
}

/** Written in place of groups: no rule matches. */
const NONE = 'none';

const VISITOR = ['url', 'country', 'country_code', 'region', 'city'] as const satisfies readonly (keyof Visitor)[];

const text = (description: string): Schema => ({ type: 'string', minLength: 1, description });

export const routesSchema: Schema = {
  type: ['array', 'null'],
  description:
    'Routing tests: which groups the rules send a visitor to. Run by `validate`, `plan`, `apply` and `test`.',
  items: {
    type: 'object',
    description: 'One test: `{ when: { url: ... }, expect: GROUP }`.',
    additionalProperties: false,
    required: ['when', 'expect'],
    properties: {
      name: text('Name of the test in results; overlays refer to it.'),
      when: {
        type: 'object',
        description: 'The visitor: the URL of the page, and where the visitor is.',
        additionalProperties: false,
        required: ['url'],
        properties: {
          url: text('URL of the page that the visitor is on, such as `https://example.com/pricing`.'),
          country: text('English name of the country.'),
          country_code: text('Two-letter code of the country, in place of its name.'),
          region: text('Region in the country.'),
          city: text('City in the region.'),
          variables: {
            type: 'object',
            description: 'Custom variables of the visitor, which greetings look at.',
            additionalProperties: text('The value.'),
          },
        },
      },
      expect: {
        type: ['string', 'array'],
        minLength: 1,
        minItems: 1,
        description: `Key of the group that the visitor reaches, a list of all groups reached, or \`${NONE}\` when no rule may match.`,
        items: { $ref: `#/$defs/${ROUTED.name}_reference` },
      },
      greetings: {
        type: 'array',
        description: 'Keys of exactly the greetings that show, at once or on a condition. Without it, any may.',
        items: text('Key of a greeting.'),
      },
      rule: text('Key of the rule that must decide. Without it, any rule may.'),
    },
  },
};

interface Item {
  readonly value: JsonObject;
  readonly path: Path;
}

function itemsOf(routes: Json | undefined): readonly Item[] {
  if (!isList(routes)) return [];
  return routes.flatMap((value, index) => (isObject(value) ? [{ value, path: ['routes', index] }] : []));
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function visitorOf(when: Json | undefined): Visitor | null {
  const given = isObject(when) ? when : {};
  const { url, variables } = given;
  if (typeof url !== 'string') return null;
  const said = Object.entries(isObject(variables) ? variables : {}).map(([name, value]) => [name, String(value)]);
  return {
    ...Object.fromEntries(VISITOR.flatMap((name) => (textOf(given[name]) === null ? [] : [[name, given[name]]]))),
    url,
    ...(said.length === 0 ? {} : { variables: Object.fromEntries(said) }),
  };
}

/** One group that a test expects. */
interface Expected {
  readonly to: string | Inline;
  readonly path: Path;
}

function expectedBy({ value, path }: Item): readonly Expected[] {
  const { expect } = value;
  const at: Path = [...path, 'expect'];
  if (expect === NONE) return [];
  if (typeof expect === 'string') return [{ to: expect, path: at }];
  if (!isList(expect)) return [];
  return expect.flatMap((group, index) => {
    const to = textOf(group) ?? inlineOf(group);
    return to === null ? [] : [{ to, path: [...at, index] }];
  });
}

/** Reports visitors who cannot exist: with a URL that is none, or in two countries at once. */
export function checkVisitors(routes: Json | undefined, emit: Emit): void {
  for (const { value, path } of itemsOf(routes)) {
    const visitor = visitorOf(value['when']);
    if (visitor === null || visitor.url === '') continue;
    const found = seen(visitor, ASSUMED);
    if (!('wrong' in found)) continue;
    const code = found.member === 'url' ? 'bad-format' : 'contradiction';
    emit(at([...path, 'when', found.member], 'value', code, found.wrong));
  }
}

/** Rules that need every entry to be known. */
export function checkRoutes(routes: Json | undefined, dangling: ReferenceCheck, emit: Emit): void {
  const items = itemsOf(routes);
  const nameOf = ({ value }: Item): string | null => textOf(value['name']);
  for (const { item, first } of repeated(items, nameOf)) {
    const message = `two routes are called \`${nameOf(item)}\``;
    emit({
      ...at([...item.path, 'name'], 'value', 'duplicate-name', message, 'rename one of them'),
      related: [{ path: [...first.path, 'name'], part: 'value', message: 'the first one' }],
    });
  }
  for (const item of items) {
    for (const { to, path } of expectedBy(item)) {
      if (typeof to === 'string') emit(dangling(ROUTED.name, to, path, 'value') ?? []);
    }
    for (const { key, path } of greetingsOf(item)) emit(dangling(KINDS.greeting.name, key, path, 'value') ?? []);
    const rule = textOf(item.value['rule']);
    if (rule === null) continue;
    const path: Path = [...item.path, 'rule'];
    emit(dangling(ORDERED.name, rule, path, 'value', 'remove `rule`') ?? []);
    if (item.value['expect'] !== NONE) continue;
    const message = `\`expect: ${NONE}\` means that no rule decides, but \`rule\` names one`;
    emit(at(path, 'key', 'exclusive-fields', message, 'keep one of the two'));
  }
}

/** The greetings that a test expects. */
function greetingsOf({ value, path }: Item): readonly { readonly key: string; readonly path: Path }[] {
  const { greetings } = value;
  return (isList(greetings) ? greetings : []).flatMap((key, index) =>
    typeof key === 'string' ? [{ key, path: [...path, 'greetings', index] }] : [],
  );
}

/** Only of routes without errors. */
export function routesOf(routes: Json | undefined, markAt: (path: Path, part: Part) => PlaceMark): readonly Route[] {
  return itemsOf(routes).flatMap((item): readonly Route[] => {
    const when = visitorOf(item.value['when']);
    if (when === null) return [];
    const rule = textOf(item.value['rule']);
    const groups = expectedBy(item).map(({ to }) => addressOf(ROUTED.name, typeof to === 'string' ? to : to.key));
    return [
      {
        name: textOf(item.value['name']),
        when,
        expect: [...new Set(groups)].sort(byText),
        rule: rule === null ? null : addressOf(ORDERED.name, rule),
        ...(isList(item.value['greetings'])
          ? {
              greetings: greetingsOf(item)
                .map(({ key }) => addressOf(KINDS.greeting.name, key))
                .sort(byText),
            }
          : {}),
        ...markAt([...item.path, 'expect'], 'value'),
        ruleMark: rule === null ? null : markAt([...item.path, 'rule'], 'value'),
      },
    ];
  });
}

/** Groups that a test names as `{ external: ... }`. */
export function routeExternals(routes: Json | undefined, placeAt: (path: Path) => Place): readonly External[] {
  return itemsOf(routes)
    .flatMap(expectedBy)
    .flatMap(({ to, path }): readonly External[] => {
      if (typeof to === 'string') return [];
      const { key, id, name } = to;
      return [{ address: addressOf(ROUTED.name, key), kind: ROUTED.name, id, name, place: placeAt(path) }];
    });
}
