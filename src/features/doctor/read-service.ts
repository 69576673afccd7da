// What the service of a target shows of itself, and the plan that follows, in the fewest reads. Sends no write.

import { ApiError, asError, UsageError } from '../../base/errors.ts';
import { byText } from '../../base/json.ts';
import type { Json, Live } from '../../base/model.ts';
import { LICENSE_API } from '../../kinds/actions.ts';
import { KIND_NAMES, KINDS, kindOf } from '../../kinds/index.ts';
import { coversKind } from '../../kinds/selection.ts';
import type { LedgerEvent } from '../../ledger/events.ts';
import { foldLedger } from '../../ledger/ledger.ts';
import { credentialOf } from '../../license/apis.ts';
import { connect } from '../../license/connect.ts';
import { licenseMismatch } from '../../license/identity.ts';
import { survey } from '../../license/reading/live.ts';
import { planReading } from '../../license/reading/settled.ts';
import { listsOf, viewOf } from '../../license/reading/view.ts';
import { delayOf } from '../../license/source.ts';
import { makePlan } from '../../plan/assemble.ts';
import type { PlannerOptions } from '../../plan/input.ts';
import { type PlanningChoice, planOptions } from '../../planning/planning.ts';
import { heldToPolicies } from '../../planning/policies.ts';
import { heldToRoutes } from '../../planning/routes.ts';
import { secretStandings } from '../../planning/secret-standings.ts';
import type { TargetSettings } from '../../project/settings.ts';
import { readsOnly } from '../../service/client.ts';
import { type Credential, checkCredential } from '../../service/credential.ts';
import type { RunContext } from '../../target/context.ts';
import type { Prepared } from '../../target/prepare.ts';
import { blamed } from './blame.ts';
import { allowancesOf, LIMITS_NAMESPACE } from './limits.ts';
import type { ActionAnswer, Allowance, PlanSeen, ServiceSeen, SharedSeen } from './observed.ts';
import { type AnswerRecorder, createRecorder, watching } from './read-answers.ts';

export interface Examined {
  readonly service: ServiceSeen;
  readonly planned: PlanSeen;
  readonly requests: { readonly [action: string]: number };
}

interface Examination {
  readonly prepared: Prepared;
  /** Null when the ledger cannot be read. */
  readonly events: readonly LedgerEvent[] | null;
  readonly options: PlannerOptions;
}

type Usable = { readonly credential: Credential } | { readonly refusal: string };

function usableCredential(settings: TargetSettings, context: RunContext): Usable {
  try {
    const credential = credentialOf(settings, context);
    checkCredential(credential, LICENSE_API.credential.kinds);
    return { credential };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { refusal: error.message };
  }
}

export async function examine(
  { prepared, choice, events }: Omit<Examination, 'options'> & { readonly choice: PlanningChoice },
  context: RunContext,
): Promise<Examined> {
  const { settings } = prepared;
  const usable = usableCredential(settings, context);
  const noCredential = 'refusal' in usable ? usable.refusal : null;
  const { watch, attempts } = watching('credential' in usable ? usable.credential : null, context);
  const silent = { attempts, stage: null, noCredential, answers: [], allowances: null, shared: [] };
  const connection = await connect(settings, context, { watch }).catch((error: unknown) => asError(error).message);
  if (typeof connection === 'string') {
    const planned = { status: 'prevented', because: 'there is no connection', guess: null } as const;
    return { service: { ...silent, noConnection: connection }, planned, requests: {} };
  }
  try {
    const recorder = createRecorder(readsOnly(connection.client), context.signal);
    const standingOf = secretStandings(context.env);
    const question = { prepared, events, options: { ...planOptions(settings, choice), standingOf } };
    const read = noCredential === null ? await plannedFrom(question, recorder, context) : withoutToken(question);
    const allowances = await allowed(recorder, read);
    const { stage } = connection.client;
    const service = {
      ...silent,
      stage: stage(),
      noConnection: null,
      answers: recorder.answers(),
      allowances,
      shared: sharedOf(noCredential === null ? await registered(recorder, read, settings) : {}, question),
    };
    return { service, planned: read.planned, requests: connection.client.requests() };
  } finally {
    await connection.close();
  }
}

/** The objects of owner clients that were read, and who writes them. */
function sharedOf(objects: Live['objects'], { prepared: { settings }, events }: Examination): readonly SharedSeen[] {
  const owned = new Map(
    [...foldLedger(events ?? []).bindings].map(([address, { id }]) => [`${kindOf(address)} ${id}`, address]),
  );
  return KIND_NAMES.flatMap((kind) =>
    (KINDS[kind].shared === undefined ? [] : (objects[kind] ?? [])).flatMap(
      ({ id, name, spec }): readonly SharedSeen[] => {
        const client = KINDS[kind].namespace?.({ key: String(id), spec }) ?? null;
        if (client === null) return [];
        const writer = settings.webhooksOf.get(client) ?? settings.name;
        return [{ kind, id: String(id), name, client, address: owned.get(`${kind} ${id}`) ?? null, writer }];
      },
    ),
  ).sort((one, other) => byText(one.client, other.client) || byText(one.name, other.name) || byText(one.id, other.id));
}

/** The same objects, with those of the clients of which chatform.yaml names the writer, where planning did not read them. A token need not be able to. */
async function registered(
  recorder: AnswerRecorder,
  { objects }: PlanRead,
  { webhooksOf, apiVersion }: TargetSettings,
): Promise<Live['objects']> {
  const unread = KIND_NAMES.filter((name) => KINDS[name].shared !== undefined && objects[name] === undefined);
  const view = listsOf(unread, { namespaces: [...webhooksOf.keys()].sort(byText) });
  if (unread.length === 0 || view.namespaces.length === 0) return objects;
  const { live } = await survey((action, body) => recorder.ask(action, body, 'doctor'), view, apiVersion);
  return { ...objects, ...live.objects };
}

interface PlanRead {
  readonly planned: PlanSeen;
  readonly objects: Live['objects'];
  /** The reply that holds the properties of the license, if planning asked for them. */
  readonly properties: Json | null;
}

function withoutToken(question: Examination): PlanRead {
  const planned = { status: 'prevented', because: 'there is no token to read with', guess: guessed(question) } as const;
  return { planned, objects: {}, properties: null };
}

async function plannedFrom(question: Examination, recorder: AnswerRecorder, context: RunContext): Promise<PlanRead> {
  const { prepared, events, options } = question;
  const { settings, desired, moved } = prepared;
  if (desired === null) {
    const planned = { status: 'prevented', because: 'the manifest has errors', guess: null } as const;
    return { planned, objects: {}, properties: null };
  }
  const ledger = foldLedger(events ?? []);
  const version = settings.apiVersion;
  let properties: Json | null = null;
  const { live, failures } = await survey(
    async (action, body) => {
      const reply = await recorder.ask(action, body, 'planning');
      if (action === 'list_license_properties' && body['namespace'] === undefined) properties = reply;
      return reply;
    },
    viewOf(desired, ledger, version, { protectsKind: coversKind(settings.protect) }),
    version,
  );
  const planned = async (): Promise<PlanSeen> => {
    if (failures.length > 0) return hindered(failures, recorder.answers(), guessed(question));
    if (events === null) return { status: 'prevented', because: 'the ledger cannot be read', guess: guessed(question) };
    const mismatch = licenseMismatch(events, live, settings, recorder.identity());
    if (mismatch?.isSure === true) return { status: 'unreadable', message: mismatch.message };
    const now = context.clock.now();
    const { planned, compared, doubts } = planReading(
      { desired, events, moved, options, delay: delayOf(settings, recorder) },
      live,
      now,
    );
    const open = doubts.filter(({ until }) => until > now).map(({ subject }) => subject);
    if (open.length > 0) return { status: 'unsettled', doubts: open };
    const { plan, problems } = planned;
    if (plan === null) return { status: 'refused', diagnostics: problems };
    const made = { plan: await heldToPolicies(plan, settings, []), compared, diagnostics: [], events, options };
    const held = heldToRoutes({ ...prepared, desired }, made, now);
    return { status: 'planned', plan: held.plan ?? plan, diagnostics: held.diagnostics };
  };
  return { planned: await planned(), objects: live.objects, properties };
}

/** Why there is no plan: something that another check reports, or a license that makes no sense. */
function hindered(
  failures: readonly unknown[],
  answers: readonly ActionAnswer[],
  guess: readonly string[] | null,
): PlanSeen {
  for (const failure of failures) {
    if (!(failure instanceof ApiError)) throw failure;
    const isAnswer = answers.some((answer) => answer.failure === failure.failure);
    if (!isAnswer || blamed(failure.failure) === 'plan') return { status: 'unreadable', message: failure.message };
  }
  return { status: 'prevented', because: 'not everything could be read', guess };
}

/** The scopes that the manifest would need on an empty license; null when even that is unknown. */
function guessed({ prepared: { settings, desired }, options }: Examination): readonly string[] | null {
  if (desired === null) return null;
  const ledger = foldLedger([]);
  const version = settings.apiVersion;
  const objects = Object.fromEntries([...viewOf(desired, ledger, version).kinds].map((kind) => [kind, []]));
  const { plan } = makePlan({ desired, live: { version, objects, ruleOrder: [], scopes: [] }, ledger, options });
  return plan?.scopes ?? null;
}

/** Asked for last, and only when planning did not ask for it. */
async function allowed(
  recorder: AnswerRecorder,
  { objects, properties }: PlanRead,
): Promise<readonly Allowance[] | null> {
  if (properties !== null) return allowancesOf(properties, objects);
  if (recorder.answers().some(({ action, failure }) => action === 'list_license_properties' && failure !== null))
    return null;
  try {
    const reply = await recorder.ask('list_license_properties', { namespace: LIMITS_NAMESPACE }, 'doctor');
    return allowancesOf(reply, objects);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return null;
  }
}
