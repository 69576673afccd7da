// The `routes:` list of a composed manifest in; routing tests with their places out, and those that cannot be meant: a visitor who cannot be, a
// group or a rule that nothing declares, a name that another one has.

import type { Schema } from '../base/documents.ts';
import { byText, isList, isObject } from '../base/json.ts';
import type { External, Json, JsonObject, KindName, Place } from '../base/model.ts';
import { ORDERED, ROUTED } from '../kinds/index.ts';
import type { RouteTest } from '../routing/route-tests.ts';
import { ASSUMED } from '../routing/rules.ts';
import { seen, type Visitor } from '../routing/visitor.ts';
import type { Emit } from '../yaml/collector.ts';
import type { Mark, Part, Path } from '../yaml/mark.ts';
import { at } from '../yaml/wording.ts';
import { suggestions } from './dangling.ts';
import { type Inline, inlineOf } from './references.ts';
import { addressOf, type Declared } from './sections.ts';

/** A routing test of the manifest. */
export interface Route extends RouteTest {
  /** Where it says what it expects. */
  readonly place: Place;
  readonly excerpt: string | null;
  /** Where it says which rule decides; null when it does not. */
  readonly ruleMark: Mark | null;
}

/** In place of groups: no rule matches. */
const NONE = 'none';

const VISITOR = ['url', 'country', 'country_code', 'region', 'city'] as const satisfies readonly (keyof Visitor)[];

const text = (description: string): Schema => ({ type: 'string', minLength: 1, description });

export const routesSchema: Schema = {
  type: ['array', 'null'],
  description:
    'Routing tests: which groups a visitor reaches by the rules. Run by `validate`, `plan`, `apply` and `test`.',
  items: {
    type: 'object',
    description: 'One test: `{ when: { url: ... }, expect: GROUP }`.',
    additionalProperties: false,
    required: ['when', 'expect'],
    properties: {
      name: text('What it is called in results; overlays refer to it.'),
      when: {
        type: 'object',
        description: 'Who visits: the URL of the page, and where the visitor is.',
        additionalProperties: false,
        required: ['url'],
        properties: {
          url: text('URL of the page the visitor is on, such as `https://example.com/pricing`.'),
          country: text('English name of the country.'),
          country_code: text('Code of the country, of two letters; instead of its name.'),
          region: text('Region in the country.'),
          city: text('City in it.'),
        },
      },
      expect: {
        type: ['string', 'array'],
        minLength: 1,
        minItems: 1,
        description: `Key of the group that the visitor reaches, a list of exactly those, or \`${NONE}\` when no rule may match.`,
        items: { $ref: `#/$defs/${ROUTED.name}_reference` },
      },
      rule: text('Key of the rule that decides; left out, any rule may.'),
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
  const { url } = given;
  if (typeof url !== 'string') return null;
  return {
    ...Object.fromEntries(VISITOR.flatMap((name) => (textOf(given[name]) === null ? [] : [[name, given[name]]]))),
    url,
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

/** Who cannot be on any page, or is in two countries at a time. */
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

/** What needs the whole manifest to be known. */
export function checkRoutes(routes: Json | undefined, entries: readonly Declared[], emit: Emit): void {
  const items = itemsOf(routes);
  checkNames(items, emit);
  const declared = new Set<string>(entries.map(({ address }) => address));
  const suggest = suggestions(entries);
  const require = (kind: KindName, noun: string, key: string, path: Path, remedy: string): void => {
    if (declared.has(addressOf(kind, key))) return;
    const meant = suggest(kind, key);
    const help = meant === null ? remedy : `did you mean \`${meant}\`? Otherwise ${remedy}`;
    emit(at(path, 'value', 'dangling-reference', `no ${noun} \`${key}\` is declared`, help));
  };
  for (const item of items) {
    for (const { to, path } of expectedBy(item)) {
      if (typeof to !== 'string') continue;
      const noun = ROUTED.noun.one;
      require(ROUTED.name, noun, to, path, `declare it, as \`{ external: ... }\` if the ${noun} is not managed here`);
    }
    const rule = textOf(item.value['rule']);
    if (rule === null) continue;
    const path: Path = [...item.path, 'rule'];
    require(ORDERED.name, ORDERED.noun.one, rule, path, 'leave it out');
    if (item.value['expect'] !== NONE) continue;
    const message = `\`expect: ${NONE}\` says that no rule decides, and \`rule\` names one`;
    emit(at(path, 'key', 'exclusive-fields', message, 'keep one of the two'));
  }
}

function checkNames(items: readonly Item[], emit: Emit): void {
  const firsts = new Map<string, Item>();
  for (const item of items) {
    const name = textOf(item.value['name']);
    if (name === null) continue;
    const first = firsts.get(name);
    if (first === undefined) {
      firsts.set(name, item);
      continue;
    }
    emit({
      ...at(
        [...item.path, 'name'],
        'value',
        'duplicate-name',
        `two routes are called \`${name}\``,
        'rename one of them',
      ),
      related: [{ path: [...first.path, 'name'], part: 'value', message: 'the first one' }],
    });
  }
}

/** Only of routes without errors. */
export function routesOf(routes: Json | undefined, markAt: (path: Path, part: Part) => Mark): readonly Route[] {
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
        ...markAt([...item.path, 'expect'], 'value'),
        ruleMark: rule === null ? null : markAt([...item.path, 'rule'], 'value'),
      },
    ];
  });
}

/** Groups that are described on the spot, in a test and perhaps nowhere else. */
export function routeExternals(routes: Json | undefined, placeAt: (path: Path) => Place): readonly External[] {
  return itemsOf(routes)
    .flatMap(expectedBy)
    .flatMap(({ to, path }) =>
      typeof to === 'string'
        ? []
        : [
            {
              address: addressOf(ROUTED.name, to.key),
              kind: ROUTED.name,
              id: to.id,
              name: to.name,
              place: placeAt(path),
            },
          ],
    );
}
