import { base58 } from '@scure/base';
import { invalidParams } from './solana-rejection';
import type { Commitment } from './solana-chain';

/** The positional parameters of a method. */
export type RpcParams = readonly unknown[];
export type Config = Readonly<Record<string, unknown>>;

export function addressParam(value: unknown): string {
  if (typeof value !== 'string' || decodedLength(value) !== 32) throw invalidParams('Invalid param: Invalid');
  return value;
}

export function signatureParam(value: unknown): string {
  if (typeof value !== 'string' || decodedLength(value) !== 64) throw invalidParams('Invalid param: Invalid');
  return value;
}

export function countParam(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    throw invalidParams('invalid type: expected u64');
  return value as number;
}

export function textParam(value: unknown): string {
  if (typeof value !== 'string') throw invalidParams('invalid type: expected a string');
  return value;
}

export function listParam(value: unknown, most: number): readonly unknown[] {
  if (!Array.isArray(value)) throw invalidParams('invalid type: expected a sequence');
  if (value.length > most) throw invalidParams(`Too many inputs provided; max ${most}`);
  return value;
}

export function configParam(value: unknown): Config {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw invalidParams('invalid type: expected a map');
  return value as Config;
}

export function commitmentIn({ commitment }: Config, fallback: Commitment = 'finalized'): Commitment {
  if (commitment === undefined || commitment === null) return fallback;
  if (commitment === 'processed' || commitment === 'confirmed' || commitment === 'finalized')
    return commitment;
  throw invalidParams(`unknown variant \`${String(commitment)}\``);
}

/** Decodes a transaction or message. */
export function bytesParam(value: unknown, encoding: unknown): Buffer {
  const text = textParam(value);
  if (text.length > 10_000) throw invalidParams(`${String(encoding)} encoded data too large`);
  try {
    return encoding === 'base64' ? Buffer.from(text, 'base64') : Buffer.from(base58.decode(text));
  } catch {
    throw invalidParams(`invalid ${String(encoding)} encoding`);
  }
}

function decodedLength(text: string): number | undefined {
  try {
    return text.length <= 88 ? base58.decode(text).length : undefined;
  } catch {
    return undefined;
  }
}
