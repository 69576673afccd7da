// The JSON Schema of `routing:`.

import type { Schema } from '../../base/documents.ts';
import { LINT_IDS, type LintId } from '../../base/model.ts';
import { LINT_LEVELS, LINTS, REORDERS, ROUTING_DEFAULTS } from '../../routing/settings.ts';
import { CASES, CHAINS, CONDITIONS, DECIDES } from '../routing-settings.ts';
import { ADDRESS, choice, text } from './member.ts';

/** A level, or a level with exceptions. */
function lintSchema(id: LintId): Schema {
  return {
    type: ['string', 'object'],
    default: ROUTING_DEFAULTS.lint[id],
    description: `${LINTS[id]} One of ${LINT_LEVELS.join(', ')}, or \`{ level, except }\`.`,
    if: { type: 'object' },
    else: { enum: LINT_LEVELS },
    additionalProperties: false,
    properties: {
      level: choice(LINT_LEVELS, ROUTING_DEFAULTS.lint[id], 'How much it matters.'),
      except: {
        type: 'array',
        description: 'Objects that the lint says nothing about, each with a reason.',
        items: {
          type: 'object',
          description: 'One exception: `{ address, reason }`.',
          additionalProperties: false,
          required: ['address', 'reason'],
          properties: { address: ADDRESS, reason: text('Why the finding is meant to be.') },
        },
      },
    },
  };
}

export const ROUTING: Schema = {
  type: 'object',
  description:
    'How auto-access rules are read, moved and linted. A target keeps the members of `defaults` that it does not set.',
  additionalProperties: false,
  properties: {
    decides: choice(DECIDES, ROUTING_DEFAULTS.assumptions.decides, 'Which of several matching rules decides.'),
    conditions: choice(
      CONDITIONS,
      ROUTING_DEFAULTS.assumptions.conditions,
      'Whether all conditions of a rule must hold, or any one is enough.',
    ),
    case: choice(CASES, ROUTING_DEFAULTS.assumptions.case, 'Whether capital and small letters in URLs differ.'),
    greetings: choice(
      CHAINS,
      ROUTING_DEFAULTS.assumptions.greetings,
      'How `and` and `or` of the rules of a greeting combine: each rule with all before it (in-order), or `and` before `or` (and-first).',
    ),
    reorder: choice(
      REORDERS,
      ROUTING_DEFAULTS.reorder,
      'How rules are moved: with the fewest requests (minimal), or so that no visitor is routed elsewhere in between (safe).',
    ),
    lint: {
      type: 'object',
      description: 'How much each lint matters, and the objects that it says nothing about; `off` silences it.',
      additionalProperties: false,
      properties: Object.fromEntries(LINT_IDS.map((id) => [id, lintSchema(id)])),
    },
    domain: text(
      'Domain of the pages that `explain --url /pricing` and examples are about, such as `shop.example.com`. Default: the one that routing tests and rules name most.',
      { pattern: '^[^\\s/:?#@]+$' },
    ),
    timezone: {
      type: 'string',
      minLength: 1,
      default: ROUTING_DEFAULTS.timezone,
      description: 'Time zone of weeks, and of times without an offset, such as `Europe/Warsaw`.',
    },
  },
};
