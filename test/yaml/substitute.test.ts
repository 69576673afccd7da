import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Schema } from '../../src/base/documents.ts';
import type { Json } from '../../src/base/model.ts';
import { substitute } from '../../src/manifest/substitute.ts';
import { collector } from '../../src/yaml/diagnostics.ts';
import { tries } from '../tries.ts';

const SCHEMA: Schema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    both: { type: ['string', 'integer', 'boolean'] },
    number: { type: 'integer' },
    flag: { type: 'boolean' },
    any: {},
  },
};

function substituted(field: string, text: string, value: string) {
  const { emit, found } = collector();
  const result = substitute(
    { value: { [field]: text }, templated: true },
    () => SCHEMA,
    { var: { x: value }, env: {} },
    emit,
  );
  return { result: result[field] as Json, found };
}

test('Substitution never casts: where a text is allowed, the value arrives as the text it is', () => {
  const spelling = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '00123',
      '123',
      '1e3',
      'true',
      'no',
      'null',
      '~',
      '0x1F',
      '1_000',
      ' 1',
      '-0',
      '',
      '${var.x}',
      '$${var.x}',
    ),
  );
  fc.assert(
    fc.property(fc.constantFrom('text', 'both', 'any'), spelling, (field, value) => {
      expect(substituted(field, '${var.x}', value)).toEqual({ result: value, found: [] });
      expect(substituted(field, 'a${var.x}b', value)).toEqual({ result: `a${value}b`, found: [] });
    }),
    { numRuns: tries(300) },
  );
});

test('Where only a number is wanted, exactly the spellings of JSON become one', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (number) => {
      expect(substituted('number', '${var.x}', String(number)).result).toBe(number);
    }),
  );
  for (const text of ['00123', '-0', '+1', '1.0', '1e3', '0x1F', ' 1', '1 ', '', '99999999999999999999', 'true']) {
    expect(substituted('number', '${var.x}', text).result).toBe(text);
  }
});

test('Where only a flag is wanted, exactly true and false become one, in any capitals', () => {
  for (const text of ['true', 'TRUE', 'True']) expect(substituted('flag', '${var.x}', text).result).toBe(true);
  for (const text of ['false', 'FALSE']) expect(substituted('flag', '${var.x}', text).result).toBe(false);
  for (const text of ['yes', 'no', 'on', '1', '0', '']) {
    expect(substituted('flag', '${var.x}', text).result).toBe(text);
  }
});

test('A text that was written, not inserted, is never cast', () => {
  expect(substituted('number', '12', 'x').result).toBe('12');
  expect(substituted('flag', 'true', 'x').result).toBe('true');
});

test('An inserted text is not looked at again, and an escaped reference is a literal one', () => {
  expect(substituted('text', '$${var.x} ${var.x}', '${env.HOME}').result).toBe('${var.x} ${env.HOME}');
  expect(substituted('text', '$$${var.x}', 'v').result).toBe('$${var.x}');
  expect(substituted('text', '$ {var.x} $5 }{', 'v').result).toBe('$ {var.x} $5 }{');
});

test('Names that every object has are not variables', () => {
  const { found, result } = substituted('text', '${var.constructor}', 'v');
  expect(found.map(({ code }) => code)).toEqual(['missing-variable']);
  expect(result).toBe('${var.constructor}');
  const scope = substituted('text', '${constructor.name}', 'v');
  expect(scope.found).toMatchObject([
    {
      code: 'bad-substitution',
      message: '`${constructor.name}` is not a reference to a variable',
      remedy: 'write `${var.NAME}` or `${env.NAME}`; for a literal `${`, write `$${`',
    },
  ]);
});
