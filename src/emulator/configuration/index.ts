// The Configuration API: its kinds, each with its records, its part of a seed and its actions. Specification: "Endpoints".

import { accountKind } from './account.ts';
import { batchOf } from './action.ts';
import { agentKind } from './agents.ts';
import { autoAccessKind } from './auto-access.ts';
import { botTemplateKind } from './bot-templates.ts';
import { botKind } from './bots.ts';
import { groupKind } from './groups.ts';
import { propertyKind } from './properties.ts';
import { propertyValueKind } from './property-values.ts';

/** A kind may refer to those above it: what a seed says of them is planted before. */
export const configurationKinds = [
  agentKind,
  groupKind,
  botKind,
  botTemplateKind,
  autoAccessKind,
  propertyKind,
  propertyValueKind,
  accountKind,
];

export const configurationActions = configurationKinds
  .flatMap(({ actions }) => actions)
  .flatMap((action) => (action.batchName === null ? [action] : [action, batchOf(action, action.batchName)]));
