// An API as a value, and the lookup of an action by its path. Knows no API.

import type { ParsedObject } from '../../base/json.ts';
import { oncePer } from '../../base/once-per.ts';
import type { WebhookEntry } from './journal.ts';
import type { EmulatedKind, EmulatedLicense, LicenseContext } from './license.ts';
import { type ErrorEnvelope, refusal, type ServiceRefusal } from './refusal.ts';
import type { BrokenChain } from './scenario.ts';
import { composeSettings, type EngineSettings, type SettingDefinitions } from './settings.ts';
import { quoted } from './shape.ts';
import { extended } from './table.ts';
import type { WireRequest } from './wire.ts';

/** What an action works with. Each API narrows the version, the settings and the caller to its own. */
export interface ActionContext extends LicenseContext {
  readonly version: string;
  /** What the API's `authenticate` returned. */
  readonly caller: unknown;
  /** The moment whose state a read answers, in ms; a write sees the present, which is Infinity. */
  readonly at: number;
  /** An object that a write refers to must exist at this moment as well as now; Infinity is now. */
  readonly refersAt: number;
  /** The error that strikes the next item of a batch before it takes effect, if any. */
  readonly failItem: () => ErrorEnvelope | undefined;
}

/** What an action returns whose reply is `bytes`. */
export interface FileReply {
  /** Sent as `Content-Type`. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** What an action returns whose reply is `cookies`. */
export interface CookieReply {
  readonly value: object;
  /** Values of the header `Set-Cookie`. */
  readonly cookies: readonly string[];
}

/** One action of an API. */
export interface EmulatedAction {
  readonly name: string;
  readonly versions: readonly string[];
  readonly methods: readonly string[];
  /** Reads lag behind writes. */
  readonly effect: 'read' | 'write';
  /**
   * `empty`: documented with no response payload. `bytes`: no JSON; `run` returns a `FileReply`. `cookies`: `run` returns a
   * `CookieReply`.
   */
  readonly reply: 'value' | 'empty' | 'bytes' | 'cookies';
  /** Where the reply is a linked list: the same list with broken links, for the fault `broken_chain`. */
  readonly breakChain?: (items: readonly ParsedObject[], how: BrokenChain) => readonly ParsedObject[];
  /** Returns the reply to a body that `read` gave; throws a refusal before it has changed anything. */
  run(body: unknown, context: ActionContext): object;
}

/**
 * One API. Functions that take a caller or settings are methods, so that APIs with different callers and settings can stand in one
 * list: the engine passes each API only its own.
 */
export interface EmulatedApi {
  /** Its URLs have this between the version and the name of an action: `configuration/action`. */
  readonly path: string;
  /** Precedes the names of its actions in statistics, the log and scenarios, and its versions in `lifecycle`. */
  readonly prefix: string;
  readonly versions: readonly string[];
  /** Whether `VERSION_HEADER` says the version where the URL has none. */
  readonly versionHeader?: true;
  readonly settings: SettingDefinitions;
  readonly kinds: readonly EmulatedKind[];
  readonly actions: readonly EmulatedAction[];
  /** Seconds after which a reply is too late, and `request_timeout` takes its place; -1 never. Default: never. */
  longestReply?(settings: EngineSettings): number;
  /** Whether a version checks `X-Region`. */
  isRegional(version: string, settings: EngineSettings): boolean;
  /** Returns who calls; throws a refusal where the credential is not one that this API takes. */
  authenticate(
    request: WireRequest,
    action: EmulatedAction,
    license: EmulatedLicense,
    settings: EngineSettings,
    version: string,
  ): unknown;
  /** Returns the body of a request, or its query in the shape of one. */
  read(request: WireRequest, settings: EngineSettings, action: EmulatedAction): Promise<unknown>;
  /** The message of an error for which the API has a standard text; default: the message of the refusal. */
  messageOf?(type: string, version: string, detail: string): string;
  /** The body of a refusal, where it is not the envelope of the service. */
  envelope?(type: string, message: string): object;
  /** Where webhooks are registered: the form of one in a version, which is one of `versions`; undefined where that sends none. */
  webhookIn?(webhook: WebhookEntry, version: string): WebhookEntry | undefined;
  /** Of a real-time interface: its requests are messages on a connection, and its actions return a `RealtimeReply`. */
  readonly realtime?: RealtimeRules;
}

/** What a connection of a real-time interface knows of its API. */
export interface RealtimeRules {
  /** Name of the action that logs in, by `token` of its payload. */
  readonly login: string;
  /** Error type -> the reason with which it ends the connection. */
  readonly disconnects: { readonly [type: string]: string };
  /** The last connection of a caller has ended. */
  leave(caller: string, context: LicenseContext): void;
}

export const VERSION_HEADER = 'x-api-version';

/** Asks a table which versions have what others have not. */
export function featuresIn<Feature extends string>(versions: { readonly [feature in Feature]: readonly string[] }) {
  return (feature: Feature, version: string): boolean => versions[feature].includes(version);
}

/** What the URL of a request names. */
export interface RequestDestination {
  readonly api: EmulatedApi;
  /** The first segment of the path: `v3.6`. */
  readonly segment: string;
  readonly version: string;
  readonly name: string;
  /** The name of the action, and the version, among those of all APIs. */
  readonly key: string;
  readonly versionKey: string;
}

/** The same, where the version has such an action. */
export interface ActionRoute extends RequestDestination {
  readonly action: EmulatedAction;
  /** The methods of all actions of this name. */
  readonly methods: readonly string[];
}

/** Undefined where the path belongs to no API; it belongs to the one that names most of it. A version in the URL counts first. */
export function destinationOf(
  apis: readonly EmulatedApi[],
  path: string,
  header: WireRequest['header'] = () => null,
): RequestDestination | undefined {
  const end = path.indexOf('/', 1);
  const tail = end === -1 ? '' : path.slice(end + 1);
  const named = destinationAt(apis, path.slice(1, end), tail);
  if (named !== undefined) return named;
  const unversioned = apis.find((one) => one.versionHeader === true && path.startsWith(`/${one.path}/`));
  const version = header(VERSION_HEADER)?.trim() ?? null;
  if (unversioned === undefined || version === null) return undefined;
  return destinationAt([unversioned], `v${version}`, path.slice(1));
}

/** `segment` is the first one of the path, which has the version; `tail` is what follows it. */
function destinationAt(apis: readonly EmulatedApi[], segment: string, tail: string): RequestDestination | undefined {
  const owners = apis.filter((one) => tail === one.path || tail.startsWith(`${one.path}/`));
  const [api] = owners.toSorted((one, other) => other.path.length - one.path.length);
  if (api === undefined) return undefined;
  const name = tail.slice(api.path.length + 1);
  if (name.includes('/') && !api.actions.some((action) => action.name === name)) return undefined;
  const version = segment.slice(1);
  return { api, segment, version, name, key: api.prefix + name, versionKey: api.prefix + version };
}

export const nothingHere = (): ServiceRefusal => refusal({ type: 'not_found' }, 'there is nothing at this path');

/** The actions of one name in one version, and their methods. */
interface NamedActions {
  readonly actions: readonly EmulatedAction[];
  readonly methods: readonly string[];
}
const named = new WeakMap<EmulatedApi, ReadonlyMap<string, NamedActions>>();

function namedActions(api: EmulatedApi, version: string, name: string): NamedActions | undefined {
  const keyOf = (version: string, name: string): string => `${version} ${name}`;
  let found = named.get(api);
  if (found === undefined) {
    const all = new Map<string, NamedActions>();
    for (const action of api.actions)
      for (const one of action.versions) {
        const { actions, methods } = all.get(keyOf(one, action.name)) ?? { actions: [], methods: [] };
        const both = { actions: [...actions, action], methods: [...methods, ...action.methods] };
        all.set(keyOf(one, action.name), both);
      }
    found = all;
    named.set(api, found);
  }
  return found.get(keyOf(version, name));
}

/**
 * The action of a destination, or why there is none. Of several with one name, it is the one that takes the method. An action that only
 * another version has is not found.
 */
export function routeOf(
  destination: RequestDestination,
  method: string,
  { actionOfOtherVersion }: EngineSettings,
): ActionRoute | ServiceRefusal {
  const { api, segment, version, name } = destination;
  if (!/^v\d+(?:\.\d+)?$/.test(segment)) return nothingHere();
  const { actions = [], methods = [] } = namedActions(api, version, name) ?? {};
  const action = actions.find((one) => one.methods.includes(method)) ?? actions[0];
  if (action !== undefined) return extended(destination, { action, methods });
  if (!api.versions.includes(version))
    return refusal({ type: 'unsupported_version' }, `version ${version} is not supported`);
  const type = api.actions.some((one) => one.name === name) ? actionOfOtherVersion : 'not_found';
  return refusal({ type }, `version ${version} has no action ${quoted(name)}`);
}

/** The APIs that requests of HTTP lead to, and those that messages on a connection lead to. */
export const apisBy = {
  http: oncePer((apis: readonly EmulatedApi[]) => apis.filter(({ realtime }) => realtime === undefined)),
  realtime: oncePer((apis: readonly EmulatedApi[]) => apis.filter(({ realtime }) => realtime !== undefined)),
} as const;

export const kindsOf = oncePer((apis: readonly EmulatedApi[]): readonly EmulatedKind[] =>
  apis.flatMap(({ kinds }) => kinds),
);

export const versionsOf = oncePer((apis: readonly EmulatedApi[]): readonly string[] =>
  Array.from(new Set(apis.flatMap(({ versions }) => versions))),
);

export const settingsOf = oncePer((apis: readonly EmulatedApi[]) => composeSettings(apis.map((api) => api.settings)));
