// schemas/doctor.schema.json is what the code says; every document of these tests is held against it (target.ts).

import { expect, test } from 'vitest';
import { doctorSchema } from '../../../src/features/doctor/schema.ts';

test('The published schema is the one in the code', async () => {
  const text = `${JSON.stringify(doctorSchema, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../../schemas/doctor.schema.json');
});
