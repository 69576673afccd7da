// Chats as a kind of the license: their tables, and what becomes due in them. Belongs to no API: two of them see it.

import type { EmulatedKind, LicenseContext } from '../engine/license.ts';
import { controls } from './controls.ts';
import { settleChats } from './due.ts';
import * as records from './records.ts';
import { check, plant, seed } from './seed.ts';
import { chatSettings } from './settings.ts';
import type { ChatContext } from './threads.ts';
