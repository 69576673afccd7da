import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sightingsFile, sightingsPath } from '../../src/ledger/sightings-file.ts';
import { folder } from '../cli/chatform.ts';
import { describeSightings } from './sightings-conformance.ts';

describeSightings('a file', async () => {
  const path = join(await folder(), 'new', 'production.sightings.json');
  return () => sightingsFile(path);
});

test('The file is next to the ledger, and named after it', () => {
  expect(sightingsPath('.chatform/production.ledger.ndjson')).toBe('.chatform/production.sightings.json');
  expect(sightingsPath('ledger/shop.ndjson')).toBe('ledger/shop.sightings.json');
  expect(sightingsPath('ledger/shop')).toBe('ledger/shop.sightings.json');
});
