import { mostMatches } from '@tollbridge/contracts';
import { uuidOf } from '@tollbridge/rpc';

/** The texts that precede a reference in the description of a record, in lower case. */
const beforeReference = ['order of ', 'paylink: ', 'deposit sent back: order of '];

/**
 * A condition for records of payments of the matching requests. Requests without a payment are excluded from the limit,
 * because anyone can start checkouts of a PayLink.
 */
const ofRequests = (condition: string): string =>
  `order_id = ANY(ARRAY(SELECT p.order_id FROM payment_requests r JOIN payments p ON p.request_id = r.id
     WHERE ${condition} AND p.order_id IS NOT NULL LIMIT ${mostMatches}))`;

/** A LIKE pattern for texts with this prefix. `%`, `_` and the backslash match literally. */
const startOf = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`;

/**
 * A condition on `id` that uses one index for each field. Each field contributes at most `mostMatches` records, so that
 * a common prefix stays cheap.
 * @param own the condition that selects the shown records of the wallet
 * @param given adds a parameter and returns its placeholder
 */
export function searchCondition(
  q: string,
  { own, wallet }: { own: string; wallet: string },
  given: (value: unknown) => string,
): string {
  const uuid = uuidOf(q);
  const text = q.toLowerCase();
  const start = given(startOf(text));
  const starting = (column: string, pattern: string, more = '') =>
    `lower(left(${column}, 128)) LIKE ${pattern}${more}`;
  const conditions = [
    ...(uuid === undefined ? [] : [`id = ${given(uuid)}::uuid`, `order_id = ${given(uuid)}::uuid`]),
    starting('tx_hash', start, " AND tx_hash <> ''"),
    starting('counterparty', start),
    ofRequests(`r.wallet = ${given(wallet)} AND ${starting('r.description', start)}`),
    ...(uuid === undefined
      ? []
      : [ofRequests(`r.wallet = ${given(wallet)} AND r.id = ${given(uuid)}::uuid`)]),
    ...beforeReference.map((before) => starting('description', given(startOf(before + text)))),
  ];
  const found = conditions.map(
    (condition) =>
      `(SELECT id FROM dashboard_transactions WHERE ${own} AND ${condition} LIMIT ${mostMatches})`,
  );
  // With an array, PostgreSQL reads the records by id, instead of joining them to all records of the wallet.
  return `id = ANY(ARRAY(${found.join(' UNION ALL ')}))`;
}
