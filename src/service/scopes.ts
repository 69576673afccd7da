// Scopes of a token: which ones a request needs, and which ones include others.

import type { JsonObject } from '../base/model.ts';
import type { Api, ApiAction } from './api.ts';

/** The scopes that a request needs to act on any object of the license. */
export function neededScopes({ scopes, extraScopes }: ApiAction, body: JsonObject): readonly string[] {
  return [...scopes, ...extraScopes.flatMap((extra) => (extra.when(body) ? extra.scopes : []))];
}

/** Every scope that an action of the API can need, sorted. */
export function allScopes({ actions }: Pick<Api, 'actions'>): readonly string[] {
  const all = Object.values(actions).flatMap(({ scopes, ownScopes, extraScopes }) => [
    ...scopes,
    ...ownScopes,
    ...extraScopes.flatMap((extra) => extra.scopes),
  ]);
  return [...new Set(all)].sort();
}

/** The wider right, and those that it includes. */
const WIDER_LEVEL = { have: 'rw', want: ['ro'] };
const WIDER_REACH = { have: 'all', want: ['my', 'groups'] };

/** Whether a token with the scope `granted` may do what needs the scope `needed`: `rw` includes `ro`, `all` includes `my` and `groups`. Service notes: "Wire". */
export function includesScope(granted: string, needed: string): boolean {
  if (granted === needed) return true;
  const have = parse(granted);
  const want = parse(needed);
  if (have === null || want === null || have.family !== want.family) return false;
  return included(WIDER_LEVEL, have.level, want.level) && included(WIDER_REACH, have.reach, want.reach);
}

/** The same rights without scopes that another one includes; sorted, each once. */
export function leastScopes(scopes: Iterable<string>): readonly string[] {
  const each = [...new Set(scopes)].sort();
  return each.filter((scope) => !each.some((other) => other !== scope && includesScope(other, scope)));
}

/** `<family>--<reach>:<level>`, where `--<reach>` can be missing; null for a name of another form. */
function parse(scope: string): { readonly family: string; readonly reach: string; readonly level: string } | null {
  const match = /^(?<family>.+?)(?:--(?<reach>my|groups|all))?:(?<level>[a-z]+)$/.exec(scope);
  if (match?.groups === undefined) return null;
  const { family = '', reach = '', level = '' } = match.groups;
  return { family, reach, level };
}

function included(
  wider: { readonly have: string; readonly want: readonly string[] },
  have: string,
  want: string,
): boolean {
  return have === want || (have === wider.have && wider.want.includes(want));
}
