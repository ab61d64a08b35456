import type { TransactionRecord } from '@tollbridge/contracts';
import { findChain, findToken } from '@tollbridge/chains';
import { formatUnits, isAmountText } from '@tollbridge/money';

/** The columns and their values. Amounts appear twice: exact in the smallest unit, and formatted in whole tokens. */
const columns: readonly [name: string, value: (record: TransactionRecord) => string | null][] = [
  ['id', ({ id }) => id],
  ['tx_type', ({ tx_type }) => tx_type],
  ['status', ({ status }) => status],
  ['created_at', ({ created_at }) => created_at],
  ['updated_at', ({ updated_at }) => updated_at],
  ['network', ({ network }) => network],
  ['token', ({ token }) => token],
  ['amount', ({ amount }) => amount],
  ['amount_formatted', (record) => inTokens(record, record.amount)],
  ['fee_amount', ({ fee_amount }) => fee_amount],
  ['fee_amount_formatted', (record) => inTokens(record, record.fee_amount)],
  ['value_usd', ({ value_usd }) => value_usd],
  ['tx_hash', ({ tx_hash }) => tx_hash],
  ['counterparty', ({ counterparty }) => counterparty],
  ['description', ({ description }) => description],
  ['order_id', ({ order_id }) => order_id],
  ['late', ({ late }) => String(late)],
  ['confirmed_by', ({ confirmed_by }) => confirmed_by],
  ['payment_request_id', ({ payment_request_id: id }) => id],
  ['paylink_id', ({ paylink_id: id }) => id],
  ['metadata', ({ metadata }) => metadata && JSON.stringify(metadata)],
  ['price_amount', ({ price }) => price?.amount ?? null],
  ['price_currency', ({ price }) => price?.currency ?? null],
  ['rate', ({ rate }) => rate?.value ?? null],
  ['rate_source', ({ rate }) => rate?.source ?? null],
  ['rate_time', ({ rate }) => rate?.time ?? null],
  ['value', ({ value }) => value ?? null],
  ['value_currency', ({ value_currency }) => value_currency ?? null],
];

/** Without this mark, Excel reads a file in the code page of the machine. */
export const byteOrderMark = '\uFEFF';

export const csvHeader = `${columns.map(([name]) => name).join(',')}\r\n`;

export function csvRow(record: TransactionRecord): string {
  return `${columns.map(([, value]) => csvField(String(value(record) ?? ''))).join(',')}\r\n`;
}

// Spreadsheets execute texts that begin like this, and clients wrote parts of these texts.
const formula = /^[=+\-@\t\r]/;
const quoted = /[",\r\n\t]/;

/** Implements RFC 4180. An apostrophe makes a spreadsheet show a formula as text. */
export function csvField(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return safe !== text || quoted.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function inTokens({ network, token }: TransactionRecord, amount: string): string | null {
  const chain = findChain(String(network));
  const decimals = chain && findToken(chain, String(token))?.decimals;
  // Rows that were stored before events were validated may contain any text. For these the column stays empty.
  return decimals === undefined || !isAmountText(amount) ? null : formatUnits(BigInt(amount), decimals);
}
