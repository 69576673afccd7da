// What is done to an object, as a plan, a run, a comment and a drift check mark it: one sign, word and tone for each action.

import type { Mark } from '../blocks.ts';

export const ACTIONS = {
  created: { sign: '+', word: 'created', tone: 'add' },
  changed: { sign: '~', word: 'changed', tone: 'change' },
  replaced: { sign: '-/+', word: 'replaced', tone: 'destroy' },
  destroyed: { sign: '-', word: 'destroyed', tone: 'destroy' },
  moved: { sign: '^', word: 'moved', tone: 'move' },
  renamed: { sign: '^', word: 'renamed', tone: 'move' },
  adopted: { sign: '=', word: 'adopted', tone: 'calm' },
  imported: { sign: '=', word: 'imported', tone: 'calm' },
  released: { sign: '/', word: 'released', tone: 'calm' },
  applied: { sign: '=', word: 'applied', tone: 'calm' },
  secret: { sign: '=', word: 'secret written', tone: 'calm' },
  secret_due: { sign: '=', word: 'another secret due', tone: 'calm' },
  token: { sign: '=', word: 'token issued', tone: 'calm' },
  token_unanswered: { sign: '?', word: 'token without an answer', tone: 'warning' },
  unknown: { sign: '?', word: 'not known', tone: 'warning' },
  failed: { sign: '!', word: 'failed', tone: 'warning' },
  /** It differs, and no request can change it. */
  unwritten: { sign: '!', word: 'cannot be changed', tone: 'warning' },
  unseen: { sign: '?', word: 'cannot be verified', tone: 'calm' },
} as const satisfies { readonly [action: string]: Mark };
