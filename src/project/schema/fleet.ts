// The JSON Schema of `fleet:`.

import type { Schema } from '../../base/documents.ts';
import { DURATION, MOST } from '../../base/duration.ts';
import { FLEET_DEFAULTS, GATES } from '../fleet-settings.ts';
import { CONDITION } from '../selection.ts';
import { TARGET_NAME } from './targets.ts';

const PERCENT = '^(100|\\d{1,2}(\\.\\d+)?)%$';

/** A number, or a share such as `2%`. */
const amount = (minimum: number, description: string, more: Schema = {}): Schema => ({
  type: ['integer', 'string'],
  minimum,
  maximum: MOST,
  pattern: PERCENT,
  description,
  examples: [minimum, '2%'],
  ...more,
});

const cap = (description: string): Schema => ({
  type: 'integer',
  minimum: 0,
  maximum: MOST,
  description: `${description} It stops before a license that would exceed it. Default: no limit.`,
});

const condition: Schema = {
  type: 'string',
  pattern: CONDITION,
  description: 'A label and its value: `NAME=VALUE`.',
  examples: ['ring=canary'],
};

const select: Schema = {
  ...condition,
  type: ['string', 'array'],
  minItems: 1,
  items: condition,
  description:
    'The licenses with this label, or with all labels of a list; of several values of one label, any is enough.',
};

const duration = (description: string, preset?: string): Schema => ({
  type: 'string',
  pattern: DURATION,
  description,
  ...(preset === undefined ? {} : { default: preset }),
});

const text = (description: string, examples?: readonly string[]): Schema => ({
  type: 'string',
  minLength: 1,
  description,
  ...(examples === undefined ? {} : { examples }),
});

const wave: Schema = {
  type: 'object',
  description: 'One wave. Without `select`, `count` and `percent` it takes all licenses that are left.',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, pattern: TARGET_NAME.source, description: 'Name of the wave.' },
    select,
    count: {
      type: 'integer',
      minimum: 1,
      maximum: MOST,
      description: 'So many of the licenses that are left, by name.',
    },
    percent: {
      type: 'number',
      minimum: 0.01,
      maximum: 100,
      description: 'This share of all licenses of the run, rounded down, but at least one.',
    },
    parallel: amount(1, 'How many licenses are under way at once. Default: that of the run.'),
    hold: duration('How long after its last license the gates are checked and the next wave begins.', '0s'),
    gate: {
      type: 'array',
      description:
        'What must pass on each license of the wave before the next one begins: customers see the change (customers), or also a visitor of the pages of routes, who stays in the list of visitors (visitor), the routing tests pass on the license (tests), nothing differs from the manifest (no_drift), the figures are no worse than before (chats).',
      items: { enum: GATES, description: 'A gate.' },
    },
    approve: {
      type: 'boolean',
      default: false,
      description:
        'A person has to approve the wave before it begins: at a terminal, or with `apply --resume RUN --approve-wave NAME`.',
    },
    max_failures: amount(0, 'The run stops beyond so many failed licenses of the wave. Default: no limit of its own.'),
    max_unreachable: amount(
      0,
      'The run stops beyond so many unreachable licenses of the wave. Default: no limit of its own.',
    ),
  },
};

const freeze: Schema = {
  type: 'object',
  description: 'One window: `{ cron, duration, zone, reason }`.',
  additionalProperties: false,
  required: ['cron', 'duration', 'zone'],
  properties: {
    cron: text('When it begins, in five fields.', ['0 16 * * 5']),
    duration: duration('How long it lasts on the clock of its zone, such as 64h.'),
    zone: text('Time zone of both, such as `Europe/Berlin`.', ['Europe/Berlin']),
    reason: text('Why, for the people and jobs that wait.'),
  },
};

const drift: Schema = {
  type: 'object',
  description: 'How often the licenses with these labels are checked: `{ select, every }`.',
  additionalProperties: false,
  required: ['every'],
  properties: {
    select: { ...select, description: `${select['description']} Without it, all licenses.` },
    every: { ...duration('Time between two checks of a license, at least 1m.'), examples: ['6h'] },
  },
};

export const fleetSchema: Schema = {
  type: 'object',
  description: 'How a run over many licenses goes: in waves, with budgets and freeze windows.',
  additionalProperties: false,
  properties: {
    waves: {
      type: 'array',
      description:
        'In their order; each license is in the first wave that takes it, and those that no wave takes are in a last wave, `rest`.',
      items: wave,
    },
    parallel: amount(1, 'How many licenses of a wave are under way at once.', {
      default: 'count' in FLEET_DEFAULTS.parallel ? FLEET_DEFAULTS.parallel.count : null,
    }),
    max_failures: amount(0, 'The run stops beyond so many failed licenses.', { default: 0 }),
    max_unreachable: amount(0, 'The run stops beyond so many unreachable licenses. Default: no limit.'),
    max_deletes: cap('Objects that a run may destroy on all of its licenses together.'),
    max_rerouted: cap('Kinds of visitors that a run may send to other groups, on all of its licenses together.'),
    freeze: { type: 'array', description: 'Windows in which no license is begun.', items: freeze },
    drift: {
      type: 'array',
      description:
        'How often workers check a license: as the first entry says that takes it. Each check begins up to a tenth of that time later, at most 5 minutes, so that licenses are not checked together.',
      items: drift,
    },
    rate: {
      type: 'string',
      pattern: '^[1-9]\\d{0,5}/[sm]$',
      description:
        'Requests that all licenses with the same token send together, in a second or a minute. With `ledger_store` those of all workers and commands for several targets count together.',
      examples: ['10/s'],
    },
  },
};
