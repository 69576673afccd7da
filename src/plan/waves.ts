// Waves of a dependency graph: each wave is ready once the earlier ones are done. Knows nothing of what the nodes stand for.

import { InternalError } from '../base/errors.ts';

/** Node -> the nodes it depends on. */
type Dependencies = ReadonlyMap<string, readonly string[]>;

/**
 * Splits a graph into waves (Kahn's algorithm, linear time): wave k holds the nodes whose dependencies are all in earlier waves, at least one of them
 * in wave k - 1. Inside a wave nodes keep the order of `nodes`.
 *
 * Throws InternalError for a dependency on an unknown node, and for a cycle, spelled out as `a -> b -> a` (a depends on b). The kinds decide what
 * depends on what, so no manifest can ask for a cycle.
 */
export function waves(nodes: Dependencies): readonly (readonly string[])[] {
  const fleetSpec = peel(nodes);
  if (fleetSpec.size < nodes.size)
    throw new InternalError(`dependency cycle: ${findCycle(nodes, fleetSpec).join(' -> ')}`);
  const result: string[][] = [];
  for (const node of nodes.keys()) {
    const wave = fleetSpec.get(node) ?? 0;
    const members = result[wave];
    if (members === undefined) result[wave] = [node];
    else members.push(node);
  }
  return result;
}

/** Returns the wave of every node that neither is in a cycle nor depends on one. */
function peel(nodes: Dependencies): ReadonlyMap<string, number> {
  const dependents = invert(nodes);
  const unmet = new Map([...nodes].map(([node, dependencies]) => [node, dependencies.length]));
  const fleetSpec = new Map<string, number>();
  for (const [node, count] of unmet) if (count === 0) fleetSpec.set(node, 0);
  // A Map also visits entries that are added during the loop, so it is the queue. Waves never fall along it, so the last dependency of a node sets
  // its wave.
  for (const [node, wave] of fleetSpec) {
    for (const dependent of dependents.get(node) ?? []) {
      const left = (unmet.get(dependent) ?? 0) - 1;
      unmet.set(dependent, left);
      if (left === 0) fleetSpec.set(dependent, wave + 1);
    }
  }
  return fleetSpec;
}

function invert(nodes: Dependencies): Dependencies {
  const dependents = new Map<string, string[]>();
  for (const node of nodes.keys()) dependents.set(node, []);
  for (const [node, dependencies] of nodes) {
    for (const dependency of dependencies) {
      const known = dependents.get(dependency);
      if (known === undefined) throw new InternalError(`${node} depends on ${dependency}, which is not a node`);
      known.push(node);
    }
  }
  return dependents;
}

/** Returns a path that ends where it began. Every unpeeled node has an unpeeled dependency, so following them returns to the path. */
function findCycle(nodes: Dependencies, peeled: ReadonlyMap<string, number>): readonly string[] {
  const path = new Set<string>();
  let node = [...nodes.keys()].find((name) => !peeled.has(name));
  while (node !== undefined && !path.has(node)) {
    path.add(node);
    node = nodes.get(node)?.find((name) => !peeled.has(name));
  }
  const walked = [...path];
  return node === undefined ? walked : [...walked.slice(walked.indexOf(node)), node];
}
