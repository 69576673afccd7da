// Situations of `report`: its tables, CSV, documents and pages.

import { commandDocument } from '../../src/render/documents.ts';
import { reportRenderers } from '../../src/render/reports/report.ts';
import { reportTableText } from '../../src/render/text/report.ts';
import { AGENTS, CHATS, DURATIONS, HOURS, NOTHING, SURVEYS, TAGS } from '../render/html/reports.ts';
import { AT, type Outputs, painted, unfolded } from './outputs.ts';

const SHOWN = {
  chats: CHATS,
  hours: HOURS,
  durations: DURATIONS,
  tags: TAGS,
  agents: AGENTS,
  surveys: SURVEYS,
  nothing: NOTHING,
};
const REQUESTS = { list_groups: 1, 'chats/total_chats': 1 };

function report(): Outputs {
  const texts = Object.entries(SHOWN).map(([name, shown]) =>
    painted(name, (paint) => reportTableText(shown, REQUESTS, { quiet: false }, paint)),
  );
  return {
    ...Object.assign({}, ...texts),
    ...painted('quiet', (paint) => reportTableText(AGENTS, REQUESTS, { quiet: true }, paint)),
    'tags.csv': reportRenderers.csv(TAGS, AT),
    'durations.json': commandDocument({ ...DURATIONS, requests_sent: REQUESTS }, []),
    'durations.html': unfolded(reportRenderers.html(DURATIONS, AT)),
  };
}

export const REPORTS = { report };
