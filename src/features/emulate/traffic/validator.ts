// The validator of a file of traffic.

import { compile } from '../../../base/compile.ts';
import type { Schema } from '../../../base/documents.ts';
import { TRAFFIC_SCHEMA } from '../../../emulator/index.ts';

export const validator = compile(TRAFFIC_SCHEMA as Schema);
