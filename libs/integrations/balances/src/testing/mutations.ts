/** Values that are invalid for every field. */
const invalidValues: unknown[] = [null, {}, [], true, 1.5, -1n, '-1', '1e3', '0x', ''];

const shown = (value: unknown) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value));

export interface Mutation {
  /** Path of the field, for the title of a test. */
  field: string;
  name: string;
  /** `missing`, or the invalid value as text. */
  became: string;
  value: unknown;
}

/** Yields copies of a reply, each with one field of one object missing or invalid. */
export function* mutationsOf(reply: unknown, path = ''): Generator<Mutation> {
  if (typeof reply !== 'object' || reply === null) return;
  for (const [name, inner] of Object.entries(reply)) {
    const field = `${path}.${name}`;
    // A shorter array is valid, so only the fields of its elements are changed.
    if (!Array.isArray(reply)) {
      yield { field, name, became: 'missing', value: changed(reply, name, undefined) };
      for (const invalid of invalidValues) {
        // An empty array is valid too.
        if (Array.isArray(invalid) && Array.isArray(inner)) continue;
        yield { field, name, became: shown(invalid), value: changed(reply, name, invalid) };
      }
    }
    for (const mutation of mutationsOf(inner, field))
      yield { ...mutation, value: changed(reply, name, mutation.value) };
  }
}

function changed(reply: object, name: string, value: unknown): unknown {
  if (Array.isArray(reply)) return reply.map((element, index) => (String(index) === name ? value : element));
  const rest = Object.fromEntries(Object.entries(reply).filter(([other]) => other !== name));
  return value === undefined ? rest : { ...rest, [name]: value };
}
