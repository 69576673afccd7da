// Digests in a saved plan: of what the files declared, of each object as it was read, and of the address of the service.

import { digest } from '../../base/digest.ts';
import { byText } from '../../base/json.ts';
import type { Desired, Json, Live } from '../../base/model.ts';
import type { SavedPlan } from './saved-plan.ts';

/** Of what is declared, not of the text: files that are only laid out differently have the same digest. */
export function manifestDigest({ resources, externals, ruleOrder, complete }: Desired): string {
  const declared = resources.map(({ address, id, spec }) => [address, id, spec]);
  const lookedUp = externals.map(({ address, id, name }) => [address, id, name]);
  const sorted = (items: readonly (readonly Json[])[]): Json =>
    items.toSorted(([a], [b]) => byText(String(a), String(b)));
  return digest([sorted(declared), sorted(lookedUp), ruleOrder, complete]);
}

/** Of what the service said of each object, whatever the manifest calls the object. */
export function readDigests({ objects }: Live): SavedPlan['read'] {
  const digests = Object.entries(objects).flatMap(([kind, listed]) =>
    listed.map(({ id, name, spec }) => [`${kind}/${id}`, digest([name, spec])] as const),
  );
  return Object.fromEntries(digests.toSorted(([a], [b]) => byText(a, b)));
}

/** Shows whether two addresses are equal, and not what they are: an address may hold a secret. */
export function serviceDigest(baseUrl: string): string {
  return digest(baseUrl);
}
