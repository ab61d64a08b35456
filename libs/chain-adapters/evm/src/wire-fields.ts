/** A reply that is not what the JSON-RPC specification says. Names the field, never its value: that came from outside. */
export class MalformedReply extends Error {
  constructor(field: string) {
    super(`${field} is malformed`);
    this.name = 'MalformedReply';
  }
}

export function recordField(value: unknown, field: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new MalformedReply(field);
  return value as Record<string, unknown>;
}

export function listField(value: unknown, field: string): unknown[] {
  if (!Array.isArray(value)) throw new MalformedReply(field);
  return value;
}

/** A hex quantity as the specification has it: no leading zeros, at most the 256 bits of an EVM word. */
export function quantityField(value: unknown, field: string): bigint {
  return BigInt(matching(value, /^0x(0|[1-9a-f][0-9a-f]{0,63})$/i, field));
}

/** For heights, times and indexes: a quantity that a JavaScript number holds exactly. */
export function safeNumberField(value: unknown, field: string): number {
  const number = Number(quantityField(value, field));
  if (!Number.isSafeInteger(number)) throw new MalformedReply(field);
  return number;
}

export function hashField(value: unknown, field: string): string {
  return matching(value, /^0x[0-9a-f]{64}$/i, field);
}

export function addressField(value: unknown, field: string): string {
  return matching(value, /^0x[0-9a-f]{40}$/i, field);
}

export function bytesField(value: unknown, field: string): string {
  return matching(value, /^0x(?:[0-9a-f]{2})*$/i, field);
}

function matching(value: unknown, pattern: RegExp, field: string): string {
  if (typeof value !== 'string' || !pattern.test(value)) throw new MalformedReply(field);
  return value.toLowerCase();
}
