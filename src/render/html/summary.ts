// A plan in, what it comes to in a few words and numbers out: for whoever reads nothing else.

import { assertNever } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import type { Plan } from '../../plan/plan.ts';
import { verdictOf, verdictWords } from '../comment/subject.ts';
import { standing } from '../plan-text.ts';
import { againstLine } from '../snapshot-text.ts';
import { type Html, html } from './markup.ts';
import type { Told } from './told.ts';
import { mark, name, type Tone } from './words.ts';

/** The worst that is to be said of a plan, in one word. */
export function outcomeOf(told: Told): { readonly tone: Tone; readonly sign: string; readonly word: string } {
  const { add, change, destroy, adopt } = told.plan.summary;
  const verdict = verdictOf(told);
  const words = verdictWords(verdict, { state: 'plan' });
  switch (verdict) {
    case 'failed':
    case 'withheld':
    case 'lasting':
      return { tone: 'destroy', sign: '!', word: words };
    case 'destroys':
      return { tone: 'destroy', sign: '−', word: `destroys ${destroy}` };
    case 'exposes':
      return { tone: 'change', sign: '!', word: words };
    case 'changes':
      if (add + change > 0) return { tone: 'change', sign: '~', word: counted(add + change, 'change') };
      return { tone: 'calm', sign: '=', word: adopt > 0 ? 'adopts only' : words };
    case 'nothing':
      return { tone: 'calm', sign: '✓', word: words };
    default:
      return assertNever(verdict);
  }
}

export function headerPart(told: Told): Html {
  const { plan, at } = told;
  const { tone, sign, word } = outcomeOf(told);
  const against = againstLine(plan);
  return html`
    <header>
      <h1>Plan for ${name(plan.target)} ${mark(tone, sign, word)}</h1>
      <p class="faint">Made <time datetime="${at}">${readable(at)}</time> from what the license had then, for version ${plan.api_version} of its API. Nothing has been changed by it.</p>
      ${against === null ? null : html`<p><strong>${against}</strong></p>`}
      <p>${sentenceOf(plan)}</p>
    </header>`;
}

/** `2026-11-21 19:40 UTC`. */
export function readable(at: string): string {
  return at.replace(/^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}).*Z$/, '$1 $2 UTC');
}

function sentenceOf(plan: Plan): Html | string {
  const { add, change, destroy } = plan.summary;
  if (plan.withheld.length > 0)
    return html`Nothing of it is applied while something withholds it: see <a href="#dangers">Dangers</a> for what that is, and what would let it go.`;
  if (add + change + destroy === 0) return standing(plan);
  return `Applying it takes ${counted(plan.requests.total, 'request')} to the service.`;
}

export function summaryPart({ plan, scene }: Told): Html {
  const { add, change, destroy, adopt } = plan.summary;
  const rerouted = plan.routing?.rerouted.length ?? 0;
  const losing = scene?.cover.report.groups.filter(({ lost }) => lost.length > 0).length ?? 0;
  return html`
    <section aria-labelledby="summary">
      <h2 id="summary">Summary</h2>
      <dl class="numbers">
        ${number('to add', add, 'add')}
        ${number('to change', change, 'change')}
        ${number('to destroy', destroy, 'destroy')}
        ${number('to adopt', adopt, 'calm')}
        ${number(plan.routing?.exact === false ? 'kinds of visitors rerouted, or more' : 'kinds of visitors rerouted', rerouted, 'move')}
        ${scene === null ? null : number('groups losing cover', losing, 'destroy')}
        ${number('requests', plan.requests.total, 'calm')}
      </dl>
    </section>`;
}

/** Nothing to speak of has no colour. */
function number(label: string, count: number, tone: Tone): Html {
  return html`<div class="${count === 0 ? 'calm' : tone}"><dt>${label}</dt><dd>${count}</dd></div>`;
}
