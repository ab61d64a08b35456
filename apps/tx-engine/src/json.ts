/**
 * Amounts stand in stored JSON as texts, under names that end in `Atomic`, `Units` or `PerGas`: the names alone say what
 * is an amount, so that no text of a foreign token can be taken for one.
 */
const amountName = /(Atomic|Units|PerGas)$/;

export function toJson(value: unknown): string {
  return JSON.stringify(value, (name, part: unknown) => {
    if (typeof part !== 'bigint') return part;
    if (!amountName.test(name)) throw new Error(`${name} must be named as an amount`);
    return String(part);
  });
}

/** What the driver has parsed already, with its amounts. */
export function fromJson<T>(parsed: unknown): T {
  if (Array.isArray(parsed)) return parsed.map((item) => fromJson<unknown>(item)) as T;
  if (typeof parsed !== 'object' || parsed === null) return parsed as T;
  const entries = Object.entries(parsed).map(([name, part]) => [
    name,
    typeof part === 'string' && amountName.test(name) ? BigInt(part) : fromJson<unknown>(part),
  ]);
  return Object.fromEntries(entries) as T;
}
