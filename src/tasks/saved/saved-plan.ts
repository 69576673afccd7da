// The saved plan: a plan with what somebody needs who carries it out later, elsewhere, or only wants to read it. A document in, sealed text out.

import { digest } from '../../base/digest.ts';
import { byText } from '../../base/json.ts';
import type { Desired, Diagnostic, Json, Live, Version } from '../../base/model.ts';
import type { Plan, Withheld } from '../../plan/plan.ts';
import type { Effect } from './effects.ts';
import { sealedText } from './sealed.ts';

/** What `--acknowledge` said when the plan was made, and the vetoes that it let go: it speaks of no others. */
export interface Acknowledged {
  readonly given: readonly string[];
  readonly vetoes: readonly Veto[];
}

export type Veto = Pick<Withheld, 'guard' | 'addresses'>;

/** schemas/saved-plan.schema.json describes it. */
export interface SavedPlan {
  readonly format_version: string;
  readonly chatform_version: string;
  /** RFC 3339. */
  readonly created_at: string;
  readonly target: string;
  readonly api_version: Version;
  /** Digest of the address of the service. */
  readonly service: string;
  /** Digest of what the files declared. */
  readonly manifest: string;
  /** `--only` and `--except`. */
  readonly selection: { readonly only: readonly string[]; readonly except: readonly string[] };
  readonly acknowledged: Acknowledged;
  /** As `plan --json` prints it. */
  readonly plan: Plan;
  readonly diagnostics: readonly Diagnostic[];
  /** `<kind>/<id>` -> digest of the object as it was read. */
  readonly read: { readonly [object: string]: string };
  readonly effects: readonly Effect[];
  /** Of everything but `created_at` and `chatform_version`: the same plan has the same digest. */
  readonly digest: string;
}

/** The text of the file: the same plan gives the same bytes, but for when and by which version it was made. */
export function savedText(content: Omit<SavedPlan, 'digest'>): { readonly text: string; readonly digest: string } {
  return sealedText(content);
}

/** Of what is declared, wherever it stands: a file that is only laid out anew says the same. */
export function manifestDigest({ resources, externals, ruleOrder, complete }: Desired): string {
  const declared = resources.map(({ address, id, spec }) => [address, id, spec]);
  const lookedUp = externals.map(({ address, id, name }) => [address, id, name]);
  const sorted = (items: readonly (readonly Json[])[]): Json =>
    items.toSorted(([a], [b]) => byText(String(a), String(b)));
  return digest([sorted(declared), sorted(lookedUp), ruleOrder, complete]);
}

/** What the service said of each object, in its own terms: whatever the manifest calls it. */
export function readDigests({ objects }: Live): SavedPlan['read'] {
  const digests = Object.entries(objects).flatMap(([kind, listed]) =>
    listed.map(({ id, name, spec }) => [`${kind}/${id}`, digest([name, spec])] as const),
  );
  return Object.fromEntries(digests.toSorted(([a], [b]) => byText(a, b)));
}

/** An address may hold what nobody else is to see; whether it is the same one, its digest tells. */
export function serviceDigest(baseUrl: string): string {
  return digest(baseUrl);
}
