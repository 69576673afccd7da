// docs/reference/fields.md is generated from the kinds: `vitest run test/docs/fields.test.ts -u` writes it.

import { expect, test } from 'vitest';
import { KIND_NAMES, KINDS } from '../../src/kinds/index.ts';
import { fieldsPage } from './fields-page.ts';

test('The page of fields is made from the contracts', async () => {
  await expect(fieldsPage()).toMatchFileSnapshot('../../docs/reference/fields.md');
});

test.each(KIND_NAMES)('What people look for among %s is no field of it', (name) => {
  const { computed = {}, fields, instead = {} } = KINDS[name];
  for (const member of Object.keys(instead))
    expect([...Object.keys(fields), ...Object.keys(computed)]).not.toContain(member);
});

test.each(KIND_NAMES)('What the service computes of %s is no field, and says what it is', (name) => {
  const { computed = {}, fields, versions } = KINDS[name];
  for (const [member, about] of Object.entries(computed)) {
    expect(Object.keys(fields)).not.toContain(member);
    expect(about.about).toMatch(/^[A-Z].*\.$/);
    expect(versions).toEqual(expect.arrayContaining([...about.versions]));
  }
});
