import { erasedMarker } from '@tollbridge/database';

/** Members of terms and results that contain personal data. Their values are strings or null. */
export const personalMembers = ['phone', 'recipientEmail', 'senderName', 'subscriberAccountNumber', 'to'];

// Works on the JSON text: PostgreSQL cannot unescape every string that JSON allows, and one such row would stop the
// erasure.
const member = `"(?:${personalMembers.join('|')})"\\s*:\\s*`;
const value = '"(?:[^"\\\\]|\\\\.)*"';
const unerased = `${member}"(?!\\[erased\\]")`;

/** SQL condition that a purchase `t` contains personal data. */
export const hasPersonalData = `(t.terms::text ~ '${unerased}' OR coalesce(t.result::text, '') ~ '${unerased}')`;

/**
 * SQL expression of a JSON column of a purchase `t`. Personal data is replaced, and all other characters are unchanged.
 */
export const withoutPersonalData = (column: 'terms' | 'result'): string =>
  `regexp_replace(t.${column}::text, '(${member})${value}', '\\1"${erasedMarker}"', 'g')::json`;
