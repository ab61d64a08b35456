import { isTxHash } from '@tollbridge/chains';
import { UnreadableReply } from '@tollbridge/http';

// Longer texts are never printed or stored: a type of a coin has at most about a thousand characters.
const maxTextLength = 2_000;
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;
const decimal = /^\d{1,39}$/;
const signedDecimal = /^-?\d{1,39}$/;
const address = /^0x[0-9a-f]{64}$/;

export function readText(value: unknown, name: string): string {
  if (typeof value !== 'string' || value.length > maxTextLength)
    throw new UnreadableReply(`${name} is no text`);
  return value;
}

export function readList(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new UnreadableReply(`${name} is no list`);
  return value;
}

/** A whole number from 0 to 2^53 - 1. */
export function readUint53(field: unknown, name: string): number {
  if (typeof field !== 'number' || !Number.isSafeInteger(field) || field < 0)
    throw new UnreadableReply(`${name} is no whole number`);
  return field;
}

export function readBoolean(value: unknown, name: string): boolean {
  if (typeof value !== 'boolean') throw new UnreadableReply(`${name} is no boolean`);
  return value;
}

/** A decimal text: GraphQL's `BigInt`. */
export function readAtomic(value: unknown, name: string): bigint {
  if (typeof value !== 'string' || !decimal.test(value)) throw new UnreadableReply(`${name} is no amount`);
  return BigInt(value);
}

export function readSignedAtomic(value: unknown, name: string): bigint {
  if (typeof value !== 'string' || !signedDecimal.test(value))
    throw new UnreadableReply(`${name} is no amount`);
  return BigInt(value);
}

/** 32 bytes in base58. */
export function readDigest(value: unknown, name: string): string {
  const text = readText(value, name);
  if (!isTxHash({ family: 'sui' }, text)) throw new UnreadableReply(`${name} is no digest`);
  return text;
}

/** `0x` and 64 digits: nodes write addresses with all digits. */
export function readAddress(value: unknown, name: string): string {
  const text = readText(value, name).toLowerCase();
  if (!address.test(text)) throw new UnreadableReply(`${name} is no address`);
  return text;
}

/** Base64 of at most this many bytes. */
export function readBytes(value: unknown, name: string, maxBytes = 16 * 1024): Uint8Array {
  const isFine = typeof value === 'string' && value.length <= maxBytes * 2 && base64.test(value);
  if (!isFine) throw new UnreadableReply(`${name} is no base64`);
  return Uint8Array.from(Buffer.from(value, 'base64'));
}

/** Milliseconds of an ISO time. */
export function readTimeMs(value: unknown, name: string): number {
  const timeMs = Date.parse(readText(value, name));
  if (!Number.isSafeInteger(timeMs) || timeMs < 0) throw new UnreadableReply(`${name} is no time`);
  return timeMs;
}
