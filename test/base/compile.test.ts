// Validators of schemas, held to ajv: the same values conform, and the same mistakes are found in the same order.

import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { compile, compileReader } from '../../src/base/compile.ts';
import type { Schema, SchemaError, SchemaOf } from '../../src/base/documents.ts';
import { FORMATS } from '../../src/base/formats.ts';
import { ANY, KNOWN } from '../../src/ledger/events.ts';
import { manifestSchema } from '../../src/manifest/schema.ts';
import { savedPlanSchema } from '../../src/plan/saved/saved-plan.ts';
import { projectSchema } from '../../src/project/schema/project.ts';
import { IS_FULL } from '../tries.ts';

type Value = string | number | boolean | null | Value[] | { [name: string]: Value };

const AJV = { strict: false, formats: FORMATS, messages: false, validateSchema: false } as const;

/** The first of several items that are repeated is another one for each type of items. */
function told({ keyword, instancePath, params: { comparison: _, ...params } }: SchemaError): SchemaError {
  return { keyword, instancePath, params: keyword === 'uniqueItems' ? {} : params };
}

/** What ajv finds, without what only follows: an `if`, why the name of a member is wrong, and how a number was compared. */
function oracle(schema: Schema, allErrors: boolean): (value: unknown) => readonly SchemaError[] | null {
  const validate = new Ajv2020({ ...AJV, allErrors }).compile(schema);
  return (value) =>
    validate(value)
      ? null
      : (validate.errors ?? [])
          .filter(({ keyword, propertyName }) => keyword !== 'if' && propertyName === undefined)
          .map(told);
}

/** The schema without the refusal of unknown members. */
function opened(schema: Value): Value {
  if (Array.isArray(schema)) return schema.map(opened);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([name, value]) => name !== 'additionalProperties' || value !== false);
  return Object.fromEntries(entries.map(([name, value]) => [name, opened(value)]));
}

const STRANGE: readonly Value[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e9,
  '',
  'x',
  'a/b',
  '\u{1f600}',
  [],
  [1, 1],
  ['x', 'x'],
  {},
  { x: 1 },
  { key: 'x' },
];

/** One change somewhere below the value: another value, a member less, or one more. */
interface Change {
  readonly at: number;
  readonly how: 'replace' | 'remove' | 'add' | 'repeat';
  readonly strange: Value;
  readonly name: string;
}

function changed(value: Value, { at, how, strange, name }: Change): Value {
  const whole: { root: Value } = { root: structuredClone(value) };
  const spots: [object, string][] = [];
  const walk = (holder: object, key: string): void => {
    spots.push([holder, key]);
    const inner: unknown = Reflect.get(holder, key);
    if (typeof inner === 'object' && inner !== null) for (const each of Object.keys(inner)) walk(inner, each);
  };
  walk(whole, 'root');
  const [holder, key] = spots[at % spots.length] ?? [whole, 'root'];
  const inner: unknown = Reflect.get(holder, key);
  if (how === 'replace') Reflect.set(holder, key, strange);
  else if (how === 'remove') Reflect.deleteProperty(holder, key);
  else if (how === 'repeat' && Array.isArray(inner)) inner.push(...inner);
  else if (typeof inner === 'object' && inner !== null)
    Reflect.set(inner, Array.isArray(inner) ? inner.length : name, strange);
  // A list without one of its items is no JSON.
  return JSON.parse(JSON.stringify(whole.root ?? null)) as Value;
}

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('replace', 'remove', 'add', 'repeat'),
  strange: fc.constantFrom(...STRANGE),
  name: fc.constantFrom('x', 'key', 'name', 'x-anchor', 'a/b', '', 'id', 'constructor', 'type'),
});

const EXAMPLE = new URL('../../examples/support-team/', import.meta.url);
const MANIFEST = Object.assign(
  {},
  ...readdirSync(new URL('manifest/', EXAMPLE)).map(
    (file) => parse(readFileSync(new URL(`manifest/${file}`, EXAMPLE), 'utf8')) as Value,
  ),
) as Value;
const PROJECT = parse(readFileSync(new URL('chatform.yaml', EXAMPLE), 'utf8')) as Value;
const PLAN = JSON.parse(readFileSync(new URL('../plan/saved/golden/saved-3-6.json', import.meta.url), 'utf8')) as Value;
const AT = { v: 1, at: '2026-01-05T09:00:00.000Z', run: 'run-1' };
const EVENTS: readonly Value[] = [
  { ...AT, type: 'bound', address: 'group/sales', id: 7, via: 'create' },
  { ...AT, type: 'license', organization_id: 'o-1', license: 'o-1' },
  { ...AT, type: 'run', command: 'apply', outcome: 'done', unsure: ['group/sales'] },
];

const CASES: readonly (readonly [name: string, Schema, isWritten: boolean, samples: readonly Value[]])[] = [
  ['a manifest', manifestSchema(), true, [MANIFEST, { version: 1 }]],
  ['chatform.yaml', projectSchema(), true, [PROJECT]],
  ['a saved plan', savedPlanSchema, false, [PLAN]],
  ...Object.values({ ...KNOWN, ...ANY }).map(
    (schema, index) => [`an event (${index})`, schema, false, EVENTS] as const,
  ),
];

test.each(CASES)('%s has the mistakes that ajv finds', (_, schema, isWritten, samples) => {
  const mine = isWritten ? compile(schema) : compileReader(schema as SchemaOf<unknown>);
  const ajv = oracle(isWritten ? schema : (opened(schema as Value) as Schema), isWritten);
  fc.assert(
    fc.property(fc.constantFrom(...samples), fc.array(change, { maxLength: 4 }), (sample, changes) => {
      const value = changes.reduce(changed, sample);
      mine(value);
      expect(mine.errors?.map(told) ?? null).toEqual(ajv(value));
    }),
    { numRuns: IS_FULL ? 5_000 : 200 },
  );
});
