// Validates fields of a provider's JSON. Pure functions.
import { type Fields, UnreadableReply, readList } from '@tollbridge/http';

/** A required id, address or token. */
export function nameOf(fields: Fields, name: string, maxLength: number): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '' || value.length > maxLength || /[^\x21-\x7e]/.test(value))
    throw new UnreadableReply(`${name} is not plain text`);
  return value;
}

// They are invisible, and JSON escapes each with six characters: a mail full of them would not fit into a reply.
const controlCharacters = /[\0-\x08\x0b\x0c\x0e-\x1f]/g;

/** Text for display: shortened, without control characters and lone surrogates. */
export function shownText(value: unknown, maxLength: number): string {
  if (typeof value !== 'string') return '';
  // The conversion to bytes replaces lone surrogates.
  return Buffer.from(value.slice(0, maxLength).replace(controlCharacters, '')).toString();
}

export function timeOf(fields: Fields, name: string): string {
  const ms = Date.parse(String(fields[name]));
  if (Number.isNaN(ms)) throw new UnreadableReply(`${name} is not a time`);
  return new Date(ms).toISOString();
}

export function itemsOf(value: unknown, what: string, maxItems: number): unknown[] {
  return readList(value, what).slice(0, maxItems);
}
