// A plan and what its picture needs in; one HTML file out that stands alone: no script, no network, nothing trusted but its own stylesheet. A plan that
// could not be made is a page that says so.

import { createHash } from 'node:crypto';
import type { Outcome } from '../comment/subject.ts';
import { changeParts, changesSection, linkTo } from './changes.ts';
import { coverSection } from './cover.ts';
import { dangersSection } from './dangers.ts';
import { type Html, html, raw, textOf } from './markup.ts';
import { membersSection } from './members.ts';
import { diagnosticPart, remainderSections } from './remainder.ts';
import { orderSection } from './rule-order.ts';
import { STYLE } from './style.ts';
import { headerPart, outcomeOf, readable, summaryPart } from './summary.ts';
import type { Told } from './told.ts';
import { visitorsSection } from './visitors.ts';
import { listed, mark, name } from './words.ts';

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export function planPage(told: Told): string {
  const { plan, scene } = told;
  const changes = changeParts(told);
  const parts: readonly (readonly [id: string, title: string, part: Html | null])[] = [
    ['summary', 'Summary', summaryPart(told)],
    ['dangers', 'Dangers', dangersSection(told, linkTo(changes))],
    ['visitors', 'Visitors', visitorsSection(plan.routing)],
    ['order', 'Order of the rules', orderSection(told)],
    ['members', 'Who is in which group', scene && membersSection(scene)],
    ['cover', 'Cover of the week', scene && coverSection(scene)],
    ['changes', 'Changes', changesSection(told, changes)],
    ...remainderSections(told),
  ];
  const there = parts.filter(([, , part]) => part !== null);
  const contents = html`<nav aria-label="Contents"><ul>${there.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>`;
  const main = html`<main id="main" tabindex="-1">${there.map(([, , part]) => part)}</main>`;
  return page(`Plan for ${plan.target}: ${outcomeOf(plan).word}`, html`${headerPart(told)}${contents}${main}`);
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
