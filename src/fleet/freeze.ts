import type { FreezeWindow } from '../project/fleet-settings.ts';
import type { Frozen } from './next.ts';
export function frozenUntil(_w: readonly FreezeWindow[], _now: number): Frozen | null {
  return null;
}
