// Settings of chats: how they are routed, and how long they last. Says what each decides, not how it is carried out.
// customer-and-reports-notes.md, "State machine for one emulator state".

import type { ConfigurationSettings } from '../configuration/settings.ts';
import type { SettingDefinitions, SettingsOf } from '../engine/settings.ts';
import { about, choice, flag, limit, setting } from '../engine/settings.ts';
import { int } from '../engine/shape.ts';

export const chatSettings = {
  queue: about('Whether chats wait in a queue when every slot is taken', flag(true)),
  limits: {
    queuedChats: about('Most chats in the queue of a group', limit(-1)),
    eventText: about('Most bytes of the text of a message', limit(16 * 1024)),
    chatsPerCustomer: about('Most chats of a customer; with one, `list_chats` never has a second page', limit(1)),
  },
  routing: {
    decides: about('Which of several matching rules decides', choice(['first', 'last'])),
    conditions: about('Whether all conditions of a rule must hold, or one is enough', choice(['all', 'any'])),
    case: about('Whether letter case counts where rules look at URLs', choice(['exact', 'ignore'])),
  },
  groupsOfChat: about(
    'Of several groups, the member with the best priority in any of them gets the chat, or the member of the first group that has one',
    choice(['best_priority', 'first_group']),
  ),
  systemMessagesOfCustomers: about(
    'What an event `system_message` of a customer is: sent, as the public table of events says, or `validation`',
    choice(['accepted', 'refused']),
  ),
  meanChatSeconds: about('Length of a chat from which `wait_time` is estimated, in seconds', setting(600, int(1))),
  idleAfterMinutes: about(
    'Minutes without an event after which a chat is idle, unless `chats.chat_inactive_after_min` of the license says otherwise; -1 is never',
    limit(20),
  ),
  archiveAfterMinutes: about(
    'Minutes without an event after which a chat ends, unless `chats.archive_chat_after_min` of the license, or `chats.archive_offline_chat_after_min` for a continuous chat, says otherwise; -1 is never',
    limit(-1),
  ),
} satisfies SettingDefinitions;

type ChatSettingValues = ConfigurationSettings & SettingsOf<typeof chatSettings>;
export interface ChatSettings extends ChatSettingValues {}
