// A request for an action comes in, what the action answers goes out. Must not know what any action does.
// Specification: "Endpoints", "Authentication", "Versioning".

import { readBody, readQuery } from '../engine/body.ts';
import type { EmulatedLicense } from '../engine/license.ts';
import type { Ids } from '../engine/random.ts';
import type { ErrorEnvelope } from '../engine/refusal.ts';
import { refusal, refuse } from '../engine/refusal.ts';
import { quoted } from '../engine/shape.ts';
import { advance } from '../engine/table.ts';
import type { WireRequest } from '../engine/wire.ts';
import { authenticate } from './account.ts';
import type { ConfigurationAction } from './action.ts';
import { configurationActions } from './index.ts';
import type { ConfigurationSettings } from './settings.ts';
import type { ConfigurationVersion } from './version.ts';

/** What the actions of one license run in. */
export interface World {
  /** Another one once the license begins anew. */
  license: EmulatedLicense;
  readonly settings: ConfigurationSettings;
  readonly ids: Ids;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Draws by how many milliseconds a read lags. */
  readonly drawLag: () => number;
  /** Called after every committed write; the reply waits for it. */
  readonly committed: () => void | Promise<void>;
}

/** What is out of the ordinary about one request. */
export interface Weather {
  /** Milliseconds by which a read lags at least. */
  readonly lag: number;
  /** WireRequest for each item of a batch: why it fails, if it does. */
  readonly failItem: () => ErrorEnvelope | undefined;
}

export interface Route {
  readonly version: ConfigurationVersion;
  readonly action: ConfigurationAction;
}

/** The action of a path (`v3.6`, `list_agents`), or the refusal of one that leads nowhere: an action that a version lacks is not found. */
export function route(path: string, name: string, { actionOfOtherVersion }: ConfigurationSettings): Route {
  const version = path.slice(1);
  if (!/^v\d+(?:\.\d+)?$/.test(path)) return refuse('not_found', 'there is nothing at this path');
  if (!isVersion(version)) return refuse('unsupported_version', `version ${version} is not supported`);
  const action = ACTIONS.get(version)?.get(name);
  const elsewhere = Array.from(ACTIONS.values()).some((actions) => actions.has(name));
  if (action === undefined)
    return refuse(elsewhere ? actionOfOtherVersion : 'not_found', `version ${version} has no action ${quoted(name)}`);
  return { version, action };
}

const ACTIONS = new Map(
  (['3.3', '3.6'] as const).map((version) => [
    version,
    new Map(configurationActions.filter(({ versions }) => versions.includes(version)).map((one) => [one.name, one])),
  ]),
);
const isVersion = (text: string): text is ConfigurationVersion => ACTIONS.has(text as ConfigurationVersion);

/** Only 3.6 is said to have the region header; `dal` needs none. */
function requireRegion(
  asked: WireRequest,
  version: ConfigurationVersion,
  { region, regionIn33 }: ConfigurationSettings,
): void {
  if (version === '3.3' && regionIn33 === 'ignored') return;
  if (region === null || (asked.header('x-region') ?? 'dal') === region) return;
  throw refusal({ type: 'misdirected_request', data: { region } }, `the license is in region ${region}`);
}

function requireMethod(method: string, { methods }: ConfigurationAction): void {
  if (methods.includes(method)) return;
  throw refusal({ type: 'validation', status: 405 }, `method ${method} is not allowed, POST is`);
}

/** Runs an action and gives the reply's value; throws a refusal. */
export async function serve(
  world: World,
  asked: WireRequest,
  { version, action }: Route,
  { lag, failItem }: Weather,
): Promise<object> {
  const { license, settings, ids, random } = world;
  requireMethod(asked.method, action);
  requireRegion(asked, version, settings);
  advance(license.history, Math.floor(world.now()));
  const caller = authenticate(asked, action, license, settings);
  const body = asked.method === 'GET' ? readQuery(asked) : await readBody(asked, settings);
  advance(license.history, Math.floor(world.now()));
  const at = action.effect === 'read' ? license.history.now - Math.max(lag, world.drawLag()) : Infinity;
  const late = action.effect === 'write' && settings.references === 'propagated';
  const refersAt = late ? license.history.now - world.drawLag() : Infinity;
  const before = license.history.writes;
  const value = action.run(body, { version, license, settings, caller, ids, random, at, refersAt, failItem });
  if (license.history.writes > before) await world.committed();
  return value;
}
