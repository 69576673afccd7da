// A plan and what its picture needs in; one HTML file out that stands alone: no script, no network, nothing trusted but its own stylesheet. A plan that
// could not be made is a page that says so.

import { createHash } from 'node:crypto';
import type { Outcome } from '../comment/subject.ts';
import { changeParts, changesSection, linkTo } from './changes.ts';
import { coverSection } from './cover.ts';
import { dangersSection } from './dangers.ts';
import { type Html, html, raw, sizeOf, textOf } from './markup.ts';
import { membersSection } from './members.ts';
import { diagnosticPart, remainderSections } from './remainder.ts';
import { orderSection } from './rule-order.ts';
import { STYLE } from './style.ts';
import { headerPart, outcomeOf, readable, summaryPart } from './summary.ts';
import type { Told } from './told.ts';
import { visitorsSection } from './visitors.ts';
import { code, listed, mark, name } from './words.ts';

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Bytes of a page, apart from what every page has. */
const MOST = 9_500_000;

const LINK = 30;

export function planPage(told: Told): string {
  const { plan, scene } = told;
  const cover = scene && coverSection(scene);
  const members = scene && membersSection(scene);
  const visitors = visitorsSection(plan.routing);
  const order = orderSection(told);
  const remainder = remainderSections(told);
  // Links make them a little longer than names do.
  const dangers = sizeOf(dangersSection(told, code)) + told.cautions.length * LINK;
  const others = [cover, members, visitors, order, ...remainder.map(([, , part]) => part)];
  const taken = others.reduce((sum, part) => sum + (part === null ? 0 : sizeOf(part)), dangers);
  const changes = changeParts(told, MOST - taken);
  const parts: readonly (readonly [id: string, title: string, part: Html | null])[] = [
    ['summary', 'Summary', summaryPart(told)],
    ['dangers', 'Dangers', dangersSection(told, linkTo(changes))],
    ['visitors', 'Visitors', visitors],
    ['order', 'Order of the rules', order],
    ['members', 'Who is in which group', members],
    ['cover', 'Cover of the week', cover],
    ['changes', 'Changes', changesSection(told, changes)],
    ...remainder,
  ];
  const there = parts.filter(([, , part]) => part !== null);
  const contents = html`<nav aria-label="Contents"><ul>${there.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>`;
  const main = html`<main id="main" tabindex="-1">${there.map(([, , part]) => part)}</main>`;
  return page(`Plan for ${plan.target}: ${outcomeOf(told).word}`, html`${headerPart(told)}${contents}${main}`);
}

export function failurePage(
  { target, message, diagnostics }: Extract<Outcome, { readonly outcome: 'failed' }>,
  at: string,
): string {
  const content = html`
    <header>
      <h1>No plan${target === null ? null : html` for ${name(target)}`} ${mark('destroy', '!', 'failed')}</h1>
      <p class="faint">Tried <time datetime="${at}">${readable(at)}</time>. What would change is not known.</p>
    </header>
    <main id="main" tabindex="-1">
      <section aria-labelledby="why"><h2 id="why">Why</h2><p>${message === '' ? 'The files have errors.' : message}</p>${listed(diagnostics.map(diagnosticPart))}</section>
    </main>`;
  return page(target === null ? 'No plan' : `No plan for ${target}`, content);
}

function page(title: string, content: Html): string {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${content}
</body>
</html>`;
  return `${textOf(document)}\n`;
}
