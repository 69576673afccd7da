// The HTML page of `coverage --against`: demand over cover, group by group, and the hours in which one is without the other.

import { few } from '../../base/text.ts';
import type { AgainstGroup, AgainstReport, CoverageReport } from '../../tasks/coverage/report.ts';
import { chatsText, short } from '../words/impact.ts';
import { demandChart, demandLegend } from './demand.ts';
import { code, type Html, html, listed, mark, name } from './markup.ts';
import { page } from './shell.ts';

const UNSTAFFED = 'no agent scheduled';

/** Times of one group in sight. */
const MOST_TIMES = 20;

/** Pictures that are open at first. */
const OPEN = 8;

export const coverageRenderers = { html: coveragePage } as const;

export const COVERAGE_REPORTS = Object.keys(coverageRenderers) as readonly (keyof typeof coverageRenderers)[];

function coveragePage({ target, timezone, against, notes }: CoverageReport): string {
  const content = html`
    <header>
      <h1>Demand and cover of ${name(target)}</h1>
      ${against === undefined ? null : html`<p class="faint">${against.days} days from ${against.from.slice(0, 'YYYY-MM-DD'.length)}, hours of ${name(timezone)}.</p>`}
    </header>
    <main id="main" tabindex="-1">
      ${against === undefined ? null : againstPart(against)}
      ${notes.length === 0 ? null : html`<section aria-labelledby="assumptions"><h2 id="assumptions">Assumptions</h2>${listed(notes.map((note) => html`${note}`))}</section>`}
    </main>`;
  return page(`Demand and cover of ${target}`, content);
}

function againstPart({ groups, missing }: AgainstReport): Html {
  return html`
    <section aria-labelledby="demand">
      <h2 id="demand">Demand over cover</h2>
      ${missing.length === 0 ? null : html`<p>${mark('destroy', '!', 'not looked at')} ${missing.join('; ')}</p>`}
      ${demandLegend(false, UNSTAFFED)}
      ${groups.map(groupPart)}
    </section>`;
}

function groupPart(group: AgainstGroup, index: number): Html {
  const { address, chats, busiest, at_once: demand, slots, unstaffed, idle } = group;
  const open = index < OPEN ? html` open` : null;
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
    ...(idle.length === 0 ? [] : [html`Agents scheduled, and no chat: ${few(idle.map(({ text }) => text), MOST_TIMES)}`]),
  ];
  return html`
    <details class="resource"${open}>
      <summary>${code(address)} ${chatsText(chats)}</summary>
      <div class="body">
        <div class="figure">${demandChart(picture, `Demand and slots of ${address} by hour of the week: ${chatsText(chats)}`)}</div>
        ${slots === null ? html`<p class="absent">The slots are not known.</p>` : null}
        ${lines.length === 0 ? null : listed(lines)}
      </div>
    </details>`;
}
