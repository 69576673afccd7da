// The HTML page of a plan. A plan that could not be made is a page that says so.

import { assertNever } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import type { Plan } from '../../plan/plan.ts';
import type { FailedPlan } from '../../tasks/review/plan-result.ts';
import { code, type Html, html, listed, type MarkTone, mark, name, numbers, sizeOf } from '../../view/html/markup.ts';
import { page, timePart } from '../../view/html/shell.ts';
import { partOfPage } from '../../view/writers/html.ts';
import { againstLine, hoursLine, RISKS, standing } from '../words/plan.ts';
import { changeParts, changesSection, linkTo } from './changes.ts';
import { customersSection } from './customers.ts';
import { dangersSection } from './dangers.ts';
import { impactSection } from './impact.ts';
import type { PageInput } from './input.ts';
import { membersSection } from './members.ts';
import { diagnosticPart, remainderSections } from './remainder.ts';
import { orderSection, visitorsSection } from './routing.ts';

/** Bytes of a page, apart from what every page has. */
const MOST = 9_500_000;

/** Bytes by which a link is longer than a name. */
const LINK = 30;

export function planPage(input: PageInput): string {
  const { plan, pictures } = input;
  const cover = pictures?.weeks ? partOfPage(pictures.weeks) : null;
  const members = pictures && membersSection(pictures);
  const visitors = visitorsSection(plan.routing);
  const order = orderSection(input);
  const customers = customersSection(input.customers);
  const impact = impactSection(plan);
  const remainder = remainderSections(input);
  const dangers = sizeOf(dangersSection(input, code)) + input.cautions.length * LINK;
  const others = [cover, members, visitors, order, customers, impact, ...remainder.map(([, , part]) => part)];
  const taken = others.reduce((sum, part) => sum + (part === null ? 0 : sizeOf(part)), dangers);
  const changes = changeParts(input, MOST - taken);
  const parts: readonly (readonly [id: string, title: string, part: Html | null])[] = [
    ['summary', 'Summary', summaryPart(input)],
    ['dangers', 'Dangers', dangersSection(input, linkTo(changes))],
    ['customers', 'Customers', customers],
    ['impact', 'Impact', impact],
    ['visitors', 'Visitors', visitors],
    ['order', 'Order of the rules', order],
    ['members', 'Group members', members],
    ['cover', 'Weekly cover', cover],
    ['changes', 'Changes', changesSection(input, changes)],
    ...remainder,
  ];
  const there = parts.filter(([, , part]) => part !== null);
  const contents = html`<nav aria-label="Contents"><ul>${there.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>`;
  const main = html`<main id="main" tabindex="-1">${there.map(([, , part]) => part)}</main>`;
  return page(`Plan for ${plan.target}: ${riskOf(input).word}`, html`${headerPart(input)}${contents}${main}`);
}

export function failurePage({ target, message, diagnostics }: FailedPlan, at: string): string {
  const content = html`
    <header>
      <h1>No plan${target === null ? null : html` for ${name(target)}`} ${mark('destroy', '!', 'failed')}</h1>
      <p class="faint">Tried ${timePart(at)}. The changes are not known.</p>
    </header>
    <main id="main" tabindex="-1">
      <section aria-labelledby="why"><h2 id="why">Why</h2><p>${message === '' ? 'The files have errors.' : message}</p>${listed(diagnostics.map(diagnosticPart))}</section>
    </main>`;
  return page(target === null ? 'No plan' : `No plan for ${target}`, content);
}

/** The worst of a plan, as its mark. */
function riskOf({ risk, plan }: PageInput): {
  readonly tone: MarkTone;
  readonly sign: string;
  readonly word: string;
} {
  const { add, change, destroy, adopt } = plan.summary;
  const word = RISKS[risk];
  switch (risk) {
    case 'withheld':
    case 'lasting':
      return { tone: 'destroy', sign: '!', word };
    case 'destroys':
      return { tone: 'destroy', sign: '−', word: `destroys ${destroy}` };
    case 'exposes':
      return { tone: 'change', sign: '!', word };
    case 'changes':
      if (add + change > 0) return { tone: 'change', sign: '~', word: counted(add + change, 'change') };
      return { tone: 'calm', sign: '=', word: adopt > 0 ? 'adopts only' : word };
    case 'nothing':
      return { tone: 'calm', sign: '✓', word };
    default:
      return assertNever(risk);
  }
}

function headerPart(input: PageInput): Html {
  const { plan, at } = input;
  const { tone, sign, word } = riskOf(input);
  const against = againstLine(plan);
  const hours = hoursLine(plan);
  return html`
    <header>
      <h1>Plan for ${name(plan.target)} ${mark(tone, sign, word)}</h1>
      <p class="faint">Made ${timePart(at)} from the license at that time, for version ${plan.api_version} of its API. The plan itself has changed nothing.</p>
      ${against === null ? null : html`<p><strong>${against}</strong></p>`}
      ${hours === null ? null : html`<p>${hours}</p>`}
      <p>${resultPart(plan)}</p>
    </header>`;
}

function resultPart(plan: Plan): Html | string {
  const { add, change, destroy } = plan.summary;
  if (plan.withheld.length > 0)
    return html`Nothing is applied while the plan is withheld: <a href="#dangers">Dangers</a> lists the reasons, and how to continue.`;
  if (add + change + destroy === 0) return standing(plan);
  return `Applying it takes ${counted(plan.requests.total, 'request')} to the service.`;
}

function summaryPart({ plan, pictures }: PageInput): Html {
  const { add, change, destroy, adopt } = plan.summary;
  const rerouted = plan.routing?.rerouted.length ?? 0;
  const losing = pictures?.cover.groups.filter(({ lost }) => lost.length > 0).length ?? 0;
  return html`
    <section aria-labelledby="summary">
      <h2 id="summary">Summary</h2>
      ${numbers([
        ['to add', add, 'add'],
        ['to change', change, 'change'],
        ['to destroy', destroy, 'destroy'],
        ['to adopt', adopt, 'calm'],
        [
          plan.routing?.exact === false ? 'kinds of visitors rerouted, or more' : 'kinds of visitors rerouted',
          rerouted,
          'move',
        ],
        ...(pictures === null ? [] : [['groups losing cover', losing, 'destroy'] as const]),
        ['requests', plan.requests.total, 'calm'],
      ])}
    </section>`;
}
