import type { GateEnd } from '../fleet/drive.ts';
import type { Gate } from '../project/fleet-settings.ts';
import type { Declared } from './prepare.ts';
import type { Surroundings } from './surroundings.ts';
export async function checkGate(_g: Gate, _d: Declared, _s: Surroundings): Promise<GateEnd> {
  return { passed: true, message: null };
}
