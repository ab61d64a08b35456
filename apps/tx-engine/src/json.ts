/**
 * Stored JSON contains amounts as strings, in fields with names that end in `Atomic`, `Units` or `PerGas`. Only these
 * fields are parsed as amounts, so other text of a token is never converted.
 */
const amountName = /(Atomic|Units|PerGas)$/;

export function toJson(value: unknown): string {
  return JSON.stringify(value, (name, part: unknown) => {
    if (typeof part !== 'bigint') return part;
    if (!amountName.test(name))
      throw new Error(`the bigint field ${name} must end in Atomic, Units or PerGas`);
    return String(part);
  });
}

/** Restores the amounts in JSON that the driver has parsed. */
export function fromJson<T>(parsed: unknown): T {
  if (Array.isArray(parsed)) return parsed.map((item) => fromJson<unknown>(item)) as T;
  if (typeof parsed !== 'object' || parsed === null) return parsed as T;
  const entries = Object.entries(parsed).map(([name, part]) => [
    name,
    typeof part === 'string' && amountName.test(name) ? BigInt(part) : fromJson<unknown>(part),
  ]);
  return Object.fromEntries(entries) as T;
}
