// Every action of the Configuration API, found by version and name. Must not know how any of them works.
// Specification: "Endpoints".

import type { Action } from './action.ts';
import { agentReadActions } from './agent-replies.ts';
import { agentStateActions } from './agent-states.ts';
import { agentActions } from './agents.ts';
import { autoAccessActions } from './auto-access.ts';
import { batchOf } from './batch.ts';
import { botReadActions } from './bot-replies.ts';
import { botTemplateActions } from './bot-templates.ts';
import { botTokenActions } from './bot-tokens.ts';
import { botActions } from './bots.ts';
import { groupActions } from './groups.ts';
import { propertyActions } from './properties.ts';
import { propertyValueActions } from './property-values.ts';
import type { ByVersion } from './version.ts';
import { byVersion } from './version.ts';

const SINGLE: readonly Action[] = [
  ...agentActions,
  ...agentReadActions,
  ...agentStateActions,
  ...autoAccessActions,
  ...botActions,
  ...botReadActions,
  ...botTemplateActions,
  ...botTokenActions,
  ...groupActions,
  ...propertyActions,
  ...propertyValueActions,
];

const ALL: readonly Action[] = [...SINGLE, ...SINGLE.filter(({ batchable }) => batchable).map(batchOf)];

/** The actions of each version by name. */
export const ACTIONS: ByVersion<ReadonlyMap<string, Action>> = byVersion(
  (version) => new Map(ALL.filter(({ versions }) => versions.includes(version)).map((action) => [action.name, action])),
);
