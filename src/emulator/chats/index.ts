// Chats as a kind of the license: their tables, and what becomes due in them. Belongs to no API, because several show them.

import type { EmulatedKind, EmulatedLicense } from '../engine/license.ts';
import { attendanceTable } from './attendance.ts';
import { controls } from './controls.ts';
import { settleChats } from './due.ts';
import { checkFiles, dropExpiredFiles, fileTables } from './files.ts';
import { check, plant, seed, tables } from './seed.ts';
import { startControl } from './starts.ts';
import type { ChatContext } from './threads.ts';

export const chatKind = {
  tables: [...tables, attendanceTable, ...fileTables],
  seed,
  plant,
  check: (license: EmulatedLicense): void => {
    check(license);
    checkFiles(license);
  },
  controls: [...controls, startControl],
  settle: (context: ChatContext): void => {
    dropExpiredFiles(context);
    settleChats(context);
  },
} satisfies EmulatedKind;
