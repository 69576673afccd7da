// Shapes of JSON: which members a value has, and of which types. Says where two differ; knows no API.

/** Path of a member -> the types that its values have. Items of a list are `[]`, members of a map `*`. */
type JsonShape = ReadonlyMap<string, ReadonlySet<string>>;

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value);

/** How deep the members of a map have free names, by the name of the map: `properties` has a namespace and a name, which is 2. */
export type JsonMaps = Readonly<Record<string, number>>;

export function shapeOf(value: unknown, maps: JsonMaps = {}): JsonShape {
  const found = new Map<string, Set<string>>();
  const visit = (one: unknown, path: string, free: number): void => {
    if (path !== '') found.set(path, (found.get(path) ?? new Set()).add(typeOf(one)));
    if (Array.isArray(one)) for (const item of one) visit(item, `${path}[]`, 0);
    else if (typeof one === 'object' && one !== null)
      for (const [name, member] of Object.entries(one)) {
        const shown = free > 0 ? '*' : name;
        const depth = Object.hasOwn(maps, name) ? (maps[name] ?? 0) : 0;
        visit(member, path === '' ? shown : `${path}.${shown}`, free > 0 ? free - 1 : depth);
      }
  };
  visit(value, '', 0);
  return found;
}

/** How a shape differs from that of a sample: `-` a member is missing, `+` one is not in the sample, `!` it has another type. */
export function shapeDifferences(sample: JsonShape, shape: JsonShape): readonly string[] {
  const missing = Array.from(sample.keys()).filter((path) => !shape.has(path));
  const added = Array.from(shape.keys()).filter((path) => !sample.has(path));
  const other = Array.from(sample).flatMap(([path, types]) => {
    const given = shape.get(path);
    const fits = given === undefined || Array.from(given).every((type) => types.has(type));
    return fits ? [] : [`! ${path}: ${Array.from(given).join(', ')}, not ${Array.from(types).join(', ')}`];
  });
  return [...missing.map((path) => `- ${path}`), ...added.map((path) => `+ ${path}`), ...other].sort();
}
