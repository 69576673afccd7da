// The validator of a file of traffic, compiled once. The build replaces this file by one that is compiled beforehand (scripts/precompile.ts).

import { compile } from '../../../base/compile.ts';
import type { Schema } from '../../../base/documents.ts';
import { TRAFFIC_SCHEMA } from '../../../emulator/index.ts';

export const validator = compile(TRAFFIC_SCHEMA as Schema);
