// "Which group a visitor reaches": the form, and the rules in the order in which they are asked.

import { capital } from '../../base/text.ts';
import type { Picture, Section, Text } from '../../view/blocks.ts';
import { type RuleNote, ruleList, ruleSentence } from '../show/lists.ts';
import type { ShownObject } from '../show/schema.ts';
import { generalText } from './ask.ts';
import { messageSpan, placeText } from './message.ts';
import type { LicensePage } from './page.ts';
import { type AskedRules, knownText } from './rules-at.ts';

export function rulesSection(page: LicensePage, script: string): Section {
  const { rules, idle, asked } = page;
  return {
    type: 'section',
    id: 'rules',
    title: 'Which group a visitor reaches',
    count: rules.length,
    body: [
      {
        type: 'text',
        text: `Ask about a visitor: the rules of the license answer. Without a page, the answer is who can take chats then, in each group. For an earlier time, the rules of the last run before it answer. ${capital(knownText(asked))}. For another day, rules are those of the license; so are hours and members, with what the files have by date: leave, other hours, people who begin or end.`,
      },
      { type: 'picture', picture: askForm(page, script), instead: [] },
      { type: 'text', text: orderText(page) },
      ...(rules.length === 0
        ? []
        : [ruleList(rules, (rule) => noteOf(rule, idle[rule.address] ?? null, asked), asked.called)]),
    ],
  };
}

function orderText({ rules, idle, asked }: LicensePage): Text {
  if (rules.length === 0) return `There are no rules: every visitor reaches ${generalText(asked)}.`;
  const which = asked.assumptions.decides === 'first' ? 'the first one' : 'the last one';
  const never = Object.keys(idle).length;
  const some =
    never === 0
      ? ''
      : ` ${never === 1 ? 'One rule never decides: it is' : `${never} rules never decide: they are`} grey, with the reason.`;
  return `The rules, in their order: ${which} that matches decides.${some}`;
}

/** `reason`: why it never decides; null for one that may. */
function noteOf(rule: ShownObject, reason: string | null, { target, called }: AskedRules): RuleNote {
  const { address, source, spec } = rule;
  const says = `the rule ${address} says: ${ruleSentence(spec, called)}${reason === null ? '' : `; it ${reason}`}`;
  return {
    isFaint: reason !== null,
    below: [
      ...(reason === null ? [] : [{ text: `It ${reason}`, tone: 'faint' } as const]),
      [
        ...(source === null ? [] : [{ text: placeText(source), as: 'file' } as const, ' ']),
        messageSpan(target, says, source, '[what to change].'),
      ],
    ],
  };
}

/** Ids that the script names. */
function askForm({ asked }: LicensePage, script: string): Picture {
  return {
    kind: 'form',
    id: 'ask',
    name: 'Ask a visitor',
    fields: [
      {
        name: 'url',
        label: 'Page (empty: who is there)',
        example: asked.domain === null ? 'https://example.com/pricing' : '/pricing',
        type: 'text',
      },
      { name: 'country', label: 'Country', example: 'France', type: 'text' },
      { name: 'region', label: 'Region', example: '', type: 'text' },
      { name: 'city', label: 'City', example: 'Lyon', type: 'text' },
      { name: 'time', label: `Time (${asked.timezone}), empty for now`, example: '', type: 'datetime-local' },
    ],
    button: 'Ask',
    data: asked,
    script,
  };
}
