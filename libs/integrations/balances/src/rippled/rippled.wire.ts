import {
  type ProviderRequest,
  UnreadableReply,
  readAmount,
  readAmountNumber,
  readFields,
  readList,
  readText,
} from '@tollbridge/http';
import { type Amount, nothing } from '../holding';
import { ReadFailure } from '../read-failure';
import { requireSame } from '../wire-fields';

// https://xrpl.org/docs/references/http-websocket-apis/public-api-methods/account-methods/account_info,
// https://xrpl.org/docs/references/http-websocket-apis/public-api-methods/account-methods/account_lines,
// https://xrpl.org/docs/concepts/accounts/reserves

// Reserves since December 2024: 1 XRP, and 0.2 XRP for each object that the account owns.
const baseReserveAtomic = 1_000_000n;
const ownerReserveAtomic = 200_000n;

export function rippledRequest(method: string, params: object, signal: AbortSignal): ProviderRequest {
  const body = { method, params: [{ ledger_index: 'validated', ...params }] };
  return { method: 'POST', path: '', body, signal };
}

/** Parses drops in quotes. */
export function readAccount(reply: unknown, address: string): Amount {
  const result = readResult(reply);
  if (!result) return nothing;
  const account = readFields(result['account_data'], 'account_data');
  requireSame(account['Account'], address, 'Account');
  const objects = readAmountNumber(account['OwnerCount'], 'OwnerCount');
  const lockedAtomic = baseReserveAtomic + objects * ownerReserveAtomic;
  return { amountAtomic: readAmount(account['Balance'], 'Balance'), lockedAtomic };
}

/**
 * Returns the amount that the issuer owes in one currency. A negative balance is owed to the issuer and counts as zero.
 */
export function readLine(reply: unknown, address: string, currency: string, decimals: number): Amount {
  const result = readResult(reply);
  if (!result) return nothing;
  requireSame(result['account'], address, 'account');
  // All lines of one issuer fit into a page, so a second page is invalid.
  if (result['marker'] !== undefined) throw new UnreadableReply('marker is malformed');
  const lines = readList(result['lines'], 'lines').map((line) => readFields(line, 'lines[]'));
  const line = lines.find((candidate) => candidate['currency'] === currencyCode(currency));
  if (!line) return nothing;
  const amountAtomic = issuedAmount(readText(line['balance'], 'balance'), decimals);
  // `freeze_peer` means that the issuer has frozen this line.
  return { amountAtomic, lockedAtomic: line['freeze_peer'] === true ? amountAtomic : 0n };
}

/** Returns undefined for an account that does not exist. */
function readResult(reply: unknown): Record<string, unknown> | undefined {
  const result = readFields(readFields(reply, 'reply')['result'], 'result');
  if (result['error'] === 'actNotFound') return undefined;
  if (result['status'] !== 'success') throw new ReadFailure('the node rejected the request');
  return result;
}

/** Returns codes of three letters unchanged, and longer codes as 20 bytes. */
function currencyCode(currency: string): string {
  if (currency.length <= 3 || /^[0-9A-F]{40}$/.test(currency)) return currency;
  return Buffer.from(currency, 'ascii').toString('hex').toUpperCase().padEnd(40, '0');
}

/**
 * Parses a decimal of at most 16 digits, with an exponent if it is very large or small. Rounds down, so that the result
 * never exceeds the balance.
 */
export function issuedAmount(text: string, decimals: number): bigint {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text) ?? [];
  if (whole === '') throw new UnreadableReply('balance is malformed');
  if (sign === '-') return 0n;
  const places = Number(exponent) - fraction.length + decimals;
  const digits = BigInt(whole + fraction);
  return places >= 0 ? digits * 10n ** BigInt(places) : digits / 10n ** BigInt(-places);
}
