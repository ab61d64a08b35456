import { isInteger, parse } from 'lossless-json';
import { isAmountText } from '@tollbridge/money';
import { ReadFailure } from './read-failure';

/** A reply that is not what its protocol says. Names the field, never its value: that came from outside. */
export class WrongShape extends ReadFailure {
  override readonly name = 'WrongShape';

  constructor(field: string) {
    super(`${field} is not what the protocol says`);
  }
}

/**
 * JSON in which every whole number is a bigint. `JSON.parse` rounds above 2^53, which lamports, sun, octas and the sums
 * over all outputs that an address ever received do reach.
 */
export function parseExactJson(text: string): unknown {
  return parse(text, null, (number) => (isInteger(number) ? BigInt(number) : Number(number)));
}

export function recordField(value: unknown, field: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new WrongShape(field);
  return value as Record<string, unknown>;
}

export function listField(value: unknown, field: string): unknown[] {
  if (!Array.isArray(value)) throw new WrongShape(field);
  return value;
}

export function textField(value: unknown, field: string): string {
  if (typeof value !== 'string') throw new WrongShape(field);
  return value;
}

/** A bare number of the smallest unit, as `parseExactJson` reads it. */
export function atomicNumber(value: unknown, field: string): bigint {
  if (typeof value !== 'bigint' || value < 0n) throw new WrongShape(field);
  return value;
}

/** Digits of the smallest unit in quotes. */
export function atomicText(value: unknown, field: string): bigint {
  if (!isAmountText(value)) throw new WrongShape(field);
  return BigInt(value);
}

/** Verifies that the reply belongs to the request: caches and gateways mix them up. */
export function requireSame(actual: unknown, asked: string | true, field: string): void {
  if (actual !== asked) throw new WrongShape(field);
}

/** The rest of an amount; never negative. */
export function atomicDifference(received: bigint, spent: bigint, field: string): bigint {
  if (spent > received) throw new WrongShape(field);
  return received - spent;
}
