// The line about what a run sent.

import { sumOf } from '../base/grouped.ts';
import { counted } from '../base/text.ts';
import type { Requests } from '../run/connect.ts';
import { actionsText } from '../view/terminal/layout.ts';

/** `3 requests sent: 2 list_agents, 1 list_groups`. */
export function requestsText(requests: Requests | null): string {
  const sent = requests === null ? 0 : sumOf(requests);
  return `${counted(sent, 'request')} sent${requests === null || sent === 0 ? '' : `: ${actionsText(requests)}`}`;
}
