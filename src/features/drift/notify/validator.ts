// Validator of a sightings file.

import { compileReader } from '../../../base/compile.ts';
import { map, record } from '../../../base/documents.ts';
import { sighting } from '../schema.ts';
import { channelState } from './schema.ts';

export const memory = compileReader(
  record('What a drift check remembers.', {
    sightings: map('By fingerprint.', sighting),
    told: map('By channel.', channelState),
  }),
);
