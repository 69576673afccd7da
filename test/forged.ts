// Saved plans as a forger writes them.

import { digest } from '../src/base/digest.ts';
import type { Json } from '../src/base/model.ts';

/** The text of a saved plan with other members, and the digest that those have. */
export function forged(saved: object): string {
  // Members that JSON leaves out are not part of the digest.
  const { digest: _, ...content } = JSON.parse(JSON.stringify(saved));
  const { created_at: __, chatform_version: ___, plan = {}, ...rest } = content;
  const { impact: ____, hours: _____, ...sealed } = plan as { readonly [member: string]: Json };
  return JSON.stringify({ ...content, digest: digest({ ...rest, plan: sealed }) });
}
