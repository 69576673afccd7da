// Golden cases of a verification: a manifest, the answers of the service by their questions, and what the checks make of them.

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type ApiFailure, unstatedFailure } from '../../../../src/base/errors.ts';
import { isObject } from '../../../../src/base/json.ts';
import type { Address, CustomerVersion, Json } from '../../../../src/base/model.ts';
import { type CheckResults, judged, openQuestions } from '../../../../src/features/test/customer/checks.ts';
import { askedText } from '../../../../src/features/test/customer/questions.ts';
import type { Checked } from '../../../../src/features/test/customer/schema.ts';
import type { CustomerSubject } from '../../../../src/features/test/customer/subject.ts';
import { loadManifest } from '../../../../src/manifest/load.ts';
import { ASSUMED, type Assumptions } from '../../../../src/routing/rules.ts';
import type { CallResult } from '../../../../src/service/reply.ts';
import { memoryDisk } from '../../../manifest/memory-disk.ts';

export interface Golden {
  readonly name: string;
  /** Default 3.7. */
  readonly version?: CustomerVersion;
  readonly manifest: string;
  /** Ids of the groups, by key. */
  readonly groups?: { readonly [key: string]: number };
  readonly routing?: Partial<Assumptions>;
  /** There is the token of a customer. */
  readonly customer?: true;
  readonly predict?: true;
  /** Pages are visited on the real-time interface. */
  readonly visits?: true;
  /** When the hours are read. */
  readonly at?: string;
  /**
   * Question -> reply, in the order of the requests. Of get_dynamic_configuration only what matters: `{ group, language, trusted, active, called }`. A text
   * is the type of an error.
   */
  readonly answers: { readonly [question: string]: Json };
  /** `<outcome> <check> <subject>: <message>`, then `(<hindrance>)`, then `@<line>:<column>` of the declaration. */
  readonly checks: readonly string[];
  readonly shown?: boolean | null;
  readonly by?: 'visit';
}

export const CASES: readonly Golden[] = parse(readFileSync(new URL('cases.yaml', import.meta.url), 'utf8'));

export async function subjectOf(golden: Golden): Promise<CustomerSubject> {
  const { desired, routes, markOf, diagnostics } = await loadManifest({
    files: ['manifest.yaml'],
    env: {},
    version: '3.6',
    io: memoryDisk({ 'manifest.yaml': `version: 1\n${golden.manifest}` }),
  });
  if (desired === null) throw new Error(JSON.stringify(diagnostics));
  return {
    target: 'production',
    version: golden.version ?? '3.7',
    desired,
    routes,
    assumptions: { ...ASSUMED, ...golden.routing },
    groups: new Map(Object.entries(golden.groups ?? {}).map(([key, id]): [Address, number] => [`group/${key}`, id])),
    applied: new Map(),
    watched: [],
    hasCustomer: golden.customer === true,
    visits: golden.visits === true,
    predicts: golden.predict === true,
    predictsByGroup: golden.version !== '3.3',
    staffed: { at: Date.parse(golden.at ?? '2026-11-23T10:00:00Z'), zone: 'UTC', version: '3.6' },
    placeOf: (address, path = []) => markOf(address, path, path.length === 0 ? 'key' : 'value')?.place ?? null,
  };
}

/** The whole reply of get_dynamic_configuration. */
function dynamicReply(short: Json | undefined, version: CustomerVersion): Json {
  const {
    group = 0,
    language = 'en',
    trusted = true,
    active = true,
    called = 'product',
  } = isObject(short) ? short : {};
  const state = {
    group_id: group,
    client_limit_exceeded: false,
    domain_allowed: trusted,
    config_version: `config of ${group}`,
    localization_version: `phrases of ${language}`,
    language,
  };
  if (version === '3.3') return state;
  const about = { organization_id: 'o-1', default_widget: called, [`${called}_active`]: active };
  return active === true ? { ...about, [String(called)]: { ...state, ai_agent_active: false } } : about;
}

function failure(action: string, type: string): ApiFailure {
  return unstatedFailure({ action, type, message: `${type} of the service`, status: 400 });
}

/** Asks as a run does, until nothing is open. */
export function answered(golden: Golden, subject: CustomerSubject): ReadonlyMap<string, CallResult> {
  const answers = new Map<string, CallResult>();
  for (;;) {
    const [next] = openQuestions(subject, answers);
    if (next === undefined) return answers;
    const key = askedText(next);
    const given = golden.answers[key];
    if (given === undefined) throw new Error(`the case has no answer to: ${key}`);
    const reply = next.action === 'get_dynamic_configuration' ? dynamicReply(given, subject.version) : given;
    answers.set(key, typeof given === 'string' ? { error: failure(next.action, given) } : { ok: reply });
  }
}

export async function verified(golden: Golden): Promise<CheckResults & { readonly asked: readonly string[] }> {
  const subject = await subjectOf(golden);
  const answers = answered(golden, subject);
  return { ...judged(subject, answers), asked: [...answers.keys()] };
}

export function lineOf({ outcome, check, subject, message, hindrance, source }: Checked): string {
  const why = hindrance === null ? '' : ` (${hindrance})`;
  const place = source === null ? '' : ` @${source.line}:${source.column}`;
  return `${outcome} ${check} ${subject}: ${message}${why}${place}`;
}
