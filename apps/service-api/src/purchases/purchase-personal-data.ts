import { erasedMarker } from '@tollbridge/database';

/** Members of the terms and results of purchases that hold data of a person. */
export const personalMembers = ['phone', 'recipientEmail', 'senderName', 'subscriberAccountNumber', 'to'];

const members = `ARRAY[${personalMembers.map((name) => `'${name}'`).join(', ')}]`;
// The text of the value: PostgreSQL cannot unescape every string that JSON allows.
const isPersonal = `f.key = ANY (${members}) AND f.value::text NOT IN ('null', '"${erasedMarker}"')`;

/** SQL condition on a purchase `t`: it holds data of a person. */
export const hasPersonalData = `(EXISTS (SELECT FROM json_each(t.terms) f WHERE ${isPersonal})
  OR EXISTS (SELECT FROM json_each(t.result) f WHERE ${isPersonal}))`;

/** SQL expression of a JSON column of a purchase `t` with that data replaced. Numbers keep every digit. */
export const withoutPersonalData = (column: 'terms' | 'result'): string => `
  CASE WHEN t.${column} IS NULL THEN NULL ELSE
    (SELECT coalesce(json_object_agg(f.key, CASE WHEN ${isPersonal} THEN '"${erasedMarker}"'::json ELSE f.value END), '{}')
     FROM json_each(t.${column}) f) END`;
