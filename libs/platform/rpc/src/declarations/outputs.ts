import type { JsonSchema } from './fields';
import type { Class } from './class';

const items = new WeakMap<object, Class<unknown>>();
const schemas = new WeakMap<object, { schema: JsonSchema; example: unknown }>();

/** An output that is a bare JSON array of objects of one class. */
export function listOf<T>(item: Class<T>): Class<T[]> {
  const list = class extends Array<T> {};
  items.set(list, item);
  return list;
}

/** Returns the item class of a list; undefined for an output that is not a list. */
export function itemOf(output: Class<unknown>): Class<unknown> | undefined {
  return items.get(output);
}

/** An output that is a JSON object with content that this product does not interpret. */
export function anyObject(description: string, example: object): Class<Record<string, unknown>> {
  const free = class {};
  schemas.set(free, { schema: { type: 'object', description, additionalProperties: true }, example });
  return free as Class<Record<string, unknown>>;
}

/** Returns the schema and example of an `anyObject`; undefined for every other output. */
export function freeFormOf(output: Class<unknown>): { schema: JsonSchema; example: unknown } | undefined {
  return schemas.get(output);
}
