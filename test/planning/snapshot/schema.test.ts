// schemas/snapshot.schema.json is what the code says, and what is written fits it with no member to spare; files that are no snapshot are refused.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { snapshotSchema } from '../../../src/planning/snapshot/snapshot.ts';
import { readSnapshot, snapshotText } from '../../../src/planning/snapshot/text.ts';
import { BEFORE, begun } from '../../plan/saved/example.ts';
import { taken } from './taken.ts';

test('The published schema is the one in the code', async () => {
  await expect(`${JSON.stringify(snapshotSchema, null, 2)}\n`).toMatchFileSnapshot(
    '../../../schemas/snapshot.schema.json',
  );
});

const { text, snapshot } = await taken(await begun('3.6'), BEFORE);

test('a snapshot fits it, and is read as it was written', () => {
  const fits = new Ajv2020({ strict: false }).compile(snapshotSchema);
  expect([fits(JSON.parse(text)), fits.errors]).toEqual([true, null]);
  expect(snapshotText(snapshot).text).toBe(text);
});

const resealed = (members: object): string => snapshotText({ ...snapshot, ...members }).text;

test('a member that only a newer chatform knows means nothing', () => {
  const newer = readSnapshot(resealed({ format_version: '1.7', mood: 'good' }), 'snapshot.json');
  expect(newer.objects).toEqual(snapshot.objects);
});

test.each([
  ['cut off', text.slice(0, -20), /is not whole/],
  ['not JSON', 'agents: {}', /it is not JSON/],
  ['something else', '{"version": 1}', /no snapshot of chatform: `chatform ci snapshot --out FILE`/],
  ['a list', '[]', /no snapshot of chatform/],
  ['edited', text.replace('"Ann"', '"Eve"'), /was changed after it was written/],
  ['of a later format', resealed({ format_version: '2.0' }), /has format 2\.0, and this chatform reads 1\.x/],
  ['not what its format says', resealed({ objects: { agent: [{ id: 1 }] } }), /objects\.agent\.0\.name is missing/],
])('a file that is %s is refused', (_, damaged, why) => {
  expect(() => readSnapshot(damaged, 'snapshot.json')).toThrow(why);
});
