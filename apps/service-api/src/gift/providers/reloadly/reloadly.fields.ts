import { type Fields, UnreadableReply, readFields, readList } from '@tollbridge/http';
import { isLosslessNumber } from 'lossless-json';
import type { Progress } from '../../../purchases/purchase';
import { Decimal } from '@tollbridge/money';

/** The message contains the field without its value: a value from outside must not reach logs. */
const unexpected = (field: string): UnreadableReply =>
  new UnreadableReply(`${field} does not match the protocol`);

/** Reads null and an absent value as an empty object. */
export const optionalFields = (value: unknown, field: string): Fields =>
  value === undefined || value === null ? {} : readFields(value, field);

/** Text for a reply: control characters become spaces, and it is cut to `maxLength`. */
export function textOf(value: unknown, field: string, maxLength = 256): string {
  const text = optionalText(value, maxLength);
  if (text === null) throw unexpected(field);
  return text;
}

export function optionalText(value: unknown, maxLength = 256): string | null {
  if (typeof value !== 'string') return null;
  const text = value.replace(/[\p{Control}\p{Surrogate}]/gu, ' ').trim();
  return text === '' ? null : text.slice(0, maxLength);
}

/** An id or a count: a safe integer, written as a number or as text. */
export function integerOf(value: unknown, field: string): number {
  const text = isLosslessNumber(value) ? value.value : typeof value === 'string' ? value : '';
  const number = /^(0|[1-9]\d{0,15})$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(number)) throw unexpected(field);
  return number;
}

export function decimalOf(value: unknown, field: string): Decimal {
  const decimal = optionalDecimal(value, field);
  if (!decimal) throw unexpected(field);
  return decimal;
}

/** A decimal of 0 or more, written as a number or as text. Null and an absent value are null. */
export function optionalDecimal(value: unknown, field: string): Decimal | null {
  if (value === undefined || value === null || value === '') return null;
  const text = isLosslessNumber(value) ? value.value : value;
  const plain = typeof text === 'string' ? plainOf(text) : undefined;
  if (plain === undefined) throw unexpected(field);
  return Decimal.of(plain);
}

export const decimalOr = (value: unknown, field: string, otherwise: Decimal): Decimal =>
  optionalDecimal(value, field) ?? otherwise;

export const flagOf = (value: unknown): boolean => value === true;

export function decimalsOf(value: unknown, field: string): Decimal[] {
  if (value === undefined || value === null) return [];
  return readList(value, field).map((item) => decimalOf(item, field));
}

export function textsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value
    .filter((item): item is string => typeof item === 'string' && item.length <= 1_024)
    .slice(0, 20);
}

const numberForm = /^(0|[1-9]\d{0,29})(?:\.(\d{1,30}))?(?:[eE]([+-]?\d{1,2}))?$/;

/** Expands an exponent exactly: `3.8E-5` becomes `0.000038`. */
function plainOf(text: string): string | undefined {
  const [, whole, fraction = '', exponent = '0'] = numberForm.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const point = whole.length + Number(exponent);
  const digits = whole + fraction;
  const padded = point > 0 ? digits.padEnd(point, '0') : '0'.repeat(1 - point) + digits;
  const at = Math.max(point, 1);
  const plain = `${padded.slice(0, at).replace(/^0+(?=\d)/, '')}.${padded.slice(at)}`.replace(
    /\.?0*$/,
    (tail) => (tail.startsWith('.') ? '' : tail),
  );
  // No amount of the protocol has more digits.
  return /^(0|[1-9]\d{0,30})(\.\d{1,30})?$/.test(plain) ? plain : undefined;
}

/** Reads `2026-03-01 10:20:30` as UTC, or a time of ISO 8601. */
export function timeOf(value: unknown, field: string): string {
  const text = typeof value === 'string' ? value.trim() : '';
  const iso = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text) ? `${text.replace(' ', 'T')}Z` : text;
  const time = /^\d{4}-\d{2}-\d{2}T/.test(iso)
    ? Date.parse(/[Z]|[+-]\d{2}:?\d{2}$/.test(iso) ? iso : `${iso}Z`)
    : NaN;
  if (Number.isNaN(time)) throw unexpected(field);
  return new Date(time).toISOString();
}

/** Reads a code, which is never shortened: a malformed code makes the reply unreadable. Null without a code. */
export function secretOf(value: unknown, field: string): string | null {
  const text = isLosslessNumber(value) ? value.value : (value ?? '');
  if (text === '') return null;
  if (typeof text !== 'string' || text.length > 512 || /[\p{Control}\p{Surrogate}]/u.test(text))
    throw unexpected(field);
  return text;
}

const finalStatuses: Readonly<Record<string, Progress['status']>> = {
  SUCCESSFUL: 'completed',
  REFUNDED: 'refunded',
  FAILED: 'failed',
};

/** An unknown status counts as pending. */
export const statusOf = (status: unknown): Progress['status'] =>
  (typeof status === 'string' && Object.hasOwn(finalStatuses, status) && finalStatuses[status]) || 'pending';
