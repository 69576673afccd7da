// The HTML page of `coverage`: the hours of the week of each group, and with `--against` demand over cover.

import { few } from '../../base/text.ts';
import type { AgainstGroup, AgainstReport, CoverageReport, CoverReport } from '../../tasks/coverage/report.ts';
import { code, folded, type Html, html, listed, mark, name, numbers } from '../../view/html/markup.ts';
import { page } from '../../view/html/shell.ts';
import { STAFF_VIEWS } from '../../view/words/staff.ts';
import { chatsText, mostText, short } from '../words/impact.ts';
import { coverSection } from './cover.ts';
import { demandChart, demandLegend } from './demand.ts';
import type { WeeklyCover } from './input.ts';

const UNSTAFFED = 'no agent scheduled';

/** Times of one group in sight. */
const MOST_TIMES = 20;

/** Pictures that are open at first. */
const OPEN = 8;

/** Findings in sight. */
const FINDINGS = 20;

export function coveragePage(cover: WeeklyCover): string {
  const { target, timezone, from, view, against, groups, findings } = cover.report;
  const title = against === undefined ? 'Weekly cover' : 'Demand and cover';
  const content = html`
    <header>
      <h1>${title} of ${name(target)}</h1>
      <p>Week of ${from.slice(0, 'YYYY-MM-DD'.length)}, ${name(timezone)}, ${STAFF_VIEWS[view]}.</p>
    </header>
    <main id="main" tabindex="-1">
      ${groups.length === 0 ? html`<p>There are no groups.</p>` : summaryPart(cover.report)}
      ${against === undefined ? null : againstPart(against, timezone)}
      ${coverSection({ cover })}
      ${findings.length === 0 ? null : findingsPart(findings)}
    </main>`;
  return page(`${title} of ${target}`, content);
}

function summaryPart({ groups, view }: CoverageReport): Html {
  const having = (of: (cover: CoverReport) => boolean): number =>
    groups.filter(({ cover }) => cover !== null && of(cover)).length;
  return numbers([
    ['groups', having(() => true), 'calm'],
    ['groups with hours without cover', having(({ uncovered_hours: hours }) => hours > 0), 'destroy'],
    ['groups with hours of bots only', having(({ bots_only_hours: hours }) => hours > 0), 'move'],
    ...(view === 'both'
      ? [['groups losing cover', groups.filter(({ lost }) => lost.length > 0).length, 'destroy'] as const]
      : []),
  ]);
}

function findingsPart(findings: CoverageReport['findings']): Html {
  const parts = findings.map(({ level, id, message, remedy, source }) => {
    const place = source === null ? null : html` <span class="source">${`${source.file}:${source.line}`}</span>`;
    return html`${mark(level === 'error' ? 'destroy' : 'change', '!', level)} ${message}${place} <span class="faint">${id}</span>${remedy === null ? null : html`<span class="remark">${remedy}</span>`}`;
  });
  return html`<section aria-labelledby="findings"><h2 id="findings">Findings <span class="count">${findings.length}</span></h2>${folded(parts, FINDINGS)}</section>`;
}

function againstPart({ days, from, groups, missing }: AgainstReport, timezone: string): Html {
  return html`
    <section aria-labelledby="demand">
      <h2 id="demand">Demand over cover</h2>
      <p class="faint">${days} days from ${from.slice(0, 'YYYY-MM-DD'.length)}, hours of ${name(timezone)}.</p>
      ${missing.length === 0 ? null : html`<p>${mark('destroy', '!', 'not looked at')} ${missing.join('; ')}</p>`}
      ${demandLegend(false, UNSTAFFED)}
      ${groups.map((group, index) => groupPart(group, index, days))}
    </section>`;
}

function groupPart(group: AgainstGroup, index: number, days: number): Html {
  const { address, chats, busiest, at_once: demand, slots, unstaffed, idle } = group;
  const open = index < OPEN ? html` open` : null;
  const count = chats === 0 ? `no chat (${mostText(days * 24)})` : chatsText(chats);
  const picture = {
    demand,
    slots,
    slotsBefore: null,
    marked: new Set(unstaffed.flatMap(({ hours }) => hours)),
    mark: UNSTAFFED,
  };
  const alone = unstaffed.map(({ text, chats: count }) => `${text} (${chatsText(count)})`);
  const lines = [
    ...(busiest === null ? [] : [html`Most chats: ${busiest.text}, ${short(busiest.per_hour)} an hour`]),
    ...(alone.length === 0 ? [] : [html`${mark('destroy', '!', UNSTAFFED)} ${few(alone, MOST_TIMES)}`]),
    ...(idle.length === 0
      ? []
      : [
          html`Agents scheduled, and no chat; what may come anyway, with 95 % certainty: ${few(
            idle.map(({ text, looked_at: hours }) => `${text} (${mostText(hours)})`),
            MOST_TIMES,
          )}`,
        ]),
  ];
  return html`
    <details class="resource"${open}>
      <summary>${code(address)} ${count}</summary>
      <div class="body">
        <div class="figure">${demandChart(picture, `Demand and slots of ${address} by hour of the week: ${count}`)}</div>
        ${slots === null ? html`<p class="absent">The slots are not known.</p>` : null}
        ${lines.length === 0 ? null : listed(lines)}
      </div>
    </details>`;
}
