import { erasedMarker } from '@tollbridge/database';

/** Members of the terms and results of purchases that hold data of a person. Their values are strings or null. */
export const personalMembers = ['phone', 'recipientEmail', 'senderName', 'subscriberAccountNumber', 'to'];

// On the text of the JSON: PostgreSQL cannot unescape every string that JSON allows, and one such row would stop all.
const member = `"(?:${personalMembers.join('|')})"\\s*:\\s*`;
const value = '"(?:[^"\\\\]|\\\\.)*"';
const unerased = `${member}"(?!\\[erased\\]")`;

/** SQL condition on a purchase `t`: it holds data of a person. */
export const hasPersonalData = `(t.terms::text ~ '${unerased}' OR coalesce(t.result::text, '') ~ '${unerased}')`;

/** SQL expression of a JSON column of a purchase `t` with that data replaced, and every other character as it is. */
export const withoutPersonalData = (column: 'terms' | 'result'): string =>
  `regexp_replace(t.${column}::text, '(${member})${value}', '\\1"${erasedMarker}"', 'g')::json`;
