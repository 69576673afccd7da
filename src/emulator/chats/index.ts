// Chats as a kind of the license: their tables, and what becomes due in them. Belongs to no API, because several show them.

import type { EmulatedKind } from '../engine/license.ts';
import { controls } from './controls.ts';
import { settleChats } from './due.ts';
import { check, plant, seed, tables } from './seed.ts';

export const chatKind = { tables, seed, plant, check, controls, settle: settleChats } satisfies EmulatedKind;
