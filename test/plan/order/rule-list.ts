// The service's ordered list as its specification describes it ("States and transitions", auto access list), twice: as the pointers the
// service stores, and as plain orders searched breadth first for the fewest writes. It must not know how the planner plans.

/** `next_id` of every rule; empty for the last. */
export type Pointers = Map<string, string>;

export function link(order: readonly string[]): Pointers {
  return new Map(order.map((key, index) => [key, order[index + 1] ?? '']));
}

/** Order of the rules, from the one that no pointer names to the one that names none. */
export function walk(pointers: Pointers): string[] {
  const named = new Set(pointers.values());
  const order: string[] = [];
  let key = [...pointers.keys()].find((candidate) => !named.has(candidate)) ?? '';
  while (key !== '') {
    order.push(key);
    key = pointers.get(key) ?? '';
  }
  return order;
}

export function remove(pointers: Pointers, key: string): void {
  redirect(pointers, key, pointers.get(key) ?? '');
  pointers.delete(key);
}

/** Puts a rule, new or already linked, before the one named, or at the end when `nextId` is empty. */
export function put(pointers: Pointers, key: string, nextId: string): void {
  if (pointers.has(key)) remove(pointers, key);
  redirect(pointers, nextId, key);
  pointers.set(key, nextId);
}

function redirect(pointers: Pointers, from: string, to: string): void {
  for (const [key, nextId] of pointers) if (nextId === from) pointers.set(key, to);
}

export interface RuleListState {
  /** One character per rule. */
  readonly live: string;
  /** The rules that may be written. The others stay where they are. */
  readonly writable: string;
  /** The writable rules that must be written at least once: content to change, or missing from `live` and to be created. */
  readonly pending: string;
}

/** For every order of the writable rules that can be reached with nothing pending: the fewest writes that reach it. */
export function fewestWrites(start: RuleListState): ReadonlyMap<string, number> {
  const fewest = new Map<string, number>();
  const seen = new Set([`${start.live} ${start.pending}`]);
  let frontier = [start];
  for (let writes = 0; frontier.length > 0; writes++) {
    const reached: RuleListState[] = [];
    for (const state of frontier) {
      const order = [...state.live].filter((key) => start.writable.includes(key)).join('');
      if (state.pending === '' && !fewest.has(order)) fewest.set(order, writes);
      for (const next of afterOneWrite(state)) {
        const name = `${next.live} ${next.pending}`;
        if (seen.has(name)) continue;
        seen.add(name);
        reached.push(next);
      }
    }
    frontier = reached;
  }
  return fewest;
}

function afterOneWrite({ live, writable, pending }: RuleListState): RuleListState[] {
  return [...writable].flatMap((key) => {
    const others = live.replace(key, '');
    const left = pending.replace(key, '');
    // Every gap between the others: before each of them and after the last; the gap it came from is the update without `next_id`.
    return Array.from({ length: others.length + 1 }, (_, gap) => ({
      live: others.slice(0, gap) + key + others.slice(gap),
      writable,
      pending: left,
    }));
  });
}
