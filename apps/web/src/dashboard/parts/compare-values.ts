/** `bigint` is for amounts, because numbers would lose digits. */
export type SortValue = string | number | bigint | null;

/** Compares two values of one column. Null comes last. */
export function compareValues(one: SortValue, other: SortValue): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (typeof one === 'string' && typeof other === 'string') return one.localeCompare(other, 'en');
  return one < other ? -1 : Number(one > other);
}
