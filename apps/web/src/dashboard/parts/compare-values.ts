/** `bigint` for amounts: numbers lose their last digits. */
export type SortValue = string | number | bigint | null;

/** The order of two values of one column; null comes last. */
export function compareValues(one: SortValue, other: SortValue): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (typeof one === 'string' && typeof other === 'string') return one.localeCompare(other, 'en');
  return one < other ? -1 : Number(one > other);
}
