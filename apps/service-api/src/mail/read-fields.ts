// Fields of a provider's JSON, one by one: nothing of a reply is used that was not looked at. Pure.
import { UnreadableReply, type Fields } from '@tollbridge/http';

/** What must be there and is used: an id, an address, a token. */
export function nameOf(fields: Fields, name: string, maxLength: number): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '' || value.length > maxLength || /[^\x21-\x7e]/.test(value))
    throw new UnreadableReply(`${name} is no plain text`);
  return value;
}

// Nobody sees them, and JSON writes each with six characters: a mail full of them would fit into no reply.
const unseen = /[\0-\x08\x0b\x0c\x0e-\x1f]/g;

/** What is only shown: anything that is a text, cut, and without what cannot be stored. */
export function shownText(value: unknown, maxLength: number): string {
  if (typeof value !== 'string') return '';
  // By way of bytes: half of a surrogate pair cannot be sent on.
  return Buffer.from(value.slice(0, maxLength).replace(unseen, '')).toString();
}

export function timeOf(fields: Fields, name: string): string {
  const ms = Date.parse(String(fields[name]));
  if (Number.isNaN(ms)) throw new UnreadableReply(`${name} is no time`);
  return new Date(ms).toISOString();
}

export function itemsOf(value: unknown, what: string, maxItems: number): unknown[] {
  if (!Array.isArray(value)) throw new UnreadableReply(`${what} is no list`);
  return value.slice(0, maxItems);
}
