// The actions by which kinds are read and written: the Configuration API, and what the Agent Chat API adds to it. One token is for both.

import type { Version } from '../base/model.ts';
import { AGENT, type AgentActionName } from '../service/agent.ts';
import { type Api, type ApiAction, namedActions } from '../service/api.ts';
import { type ActionName, CONFIGURATION } from '../service/configuration.ts';

/** No name is in both. */
export type LicenseAction = ActionName | AgentActionName;

/** The Configuration API with the actions of the Agent Chat API, which say where they belong. */
export const LICENSE_API: Api<LicenseAction, Version> = {
  ...CONFIGURATION,
  actions: { ...CONFIGURATION.actions, ...actionsOf(AGENT) },
};

function actionsOf<A extends string>(api: Api<A, Version>): { readonly [name in A]: ApiAction<Version> } {
  const { name, path, actions } = api;
  const own = Object.entries<ApiAction<Version>>(actions).map(([each, action]) => [
    each,
    { ...action, of: { name, path } },
  ]);
  return Object.fromEntries(own) as { readonly [name in A]: ApiAction<Version> };
}

/** What stands in the URL of a request: its action, or the batch of many. */
export const REQUEST_NAMES: readonly string[] = [...namedActions(LICENSE_API).keys()];

/** Whether a version has an action. */
export function hasAction(name: LicenseAction, version: Version): boolean {
  return LICENSE_API.actions[name].versions.includes(version);
}
