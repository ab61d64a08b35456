import { fieldsOf } from './fields';
import type { Class } from './class';
import { itemOf } from './outputs';

/** Whether a class, or a class that it contains, declares a field with `isSecret`. */
export function hasSecretFields(source: Class<unknown>, seen = new Set<Class<unknown>>()): boolean {
  const item = itemOf(source) ?? source;
  // A class may contain itself.
  if (seen.has(item)) return false;
  seen.add(item);
  return fieldsOf(item).some(
    ({ isSecret, nested }) => isSecret || (nested !== undefined && hasSecretFields(nested.class(), seen)),
  );
}
