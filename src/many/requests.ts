// The line about what a run sent.

import { sumOf } from '../base/grouped.ts';
import { counted } from '../base/text.ts';
import type { Requests } from '../license/connect.ts';
import type { Span } from '../view/blocks.ts';
import { actionCounts } from '../view/terminal/layout.ts';

/** Actions that a terminal names without `--details`. */
const MOST_ACTIONS = 8;

/** `3 requests sent: 2 list_agents, 1 list_groups`. */
export function requestsText(requests: Requests | null): readonly Span[] {
  const sent = requests === null ? 0 : sumOf(requests);
  const text = `${counted(sent, 'request')} sent`;
  return requests === null || sent === 0
    ? [text]
    : [`${text}: `, { names: actionCounts(requests), most: MOST_ACTIONS }];
}
