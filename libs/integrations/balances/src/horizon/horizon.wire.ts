import { UnreadableReply, readAmountNumber, readFields, readList, readText } from '@tollbridge/http';
import { parseUnits } from '@tollbridge/money';
import type { Amount } from '../holding';
import { requireSame } from '../wire-fields';

// https://developers.stellar.org/docs/data/apis/horizon/api-reference/retrieve-an-account,
// https://developers.stellar.org/docs/learn/fundamentals/lumens#minimum-balance

const decimals = 7;
const baseReserveAtomic = 5_000_000n;

/**
 * Returns balances by `CODE:ISSUER`, with the coin as `native`. Missing assets have no trustline and a zero balance.
 */
export function readAccount(reply: unknown, address: string): Map<string, Amount> {
  const account = readFields(reply, 'account');
  requireSame(account['account_id'], address, 'account_id');
  const count = (field: string) => readAmountNumber(account[field], field);
  const entries = 2n + count('subentry_count') + count('num_sponsoring') - count('num_sponsored');
  const reserve = entries > 0n ? entries * baseReserveAtomic : 0n;
  const amounts = new Map<string, Amount>();
  for (const value of readList(account['balances'], 'balances')) {
    const balance = readFields(value, 'balances[]');
    // Shares of a liquidity pool cannot be sent.
    if (balance['asset_type'] === 'liquidity_pool_shares') continue;
    const amountAtomic = stroops(balance['balance'], 'balance');
    const offered = stroops(balance['selling_liabilities'], 'selling_liabilities');
    if (balance['asset_type'] === 'native') {
      amounts.set('native', { amountAtomic, lockedAtomic: reserve + offered });
    } else {
      const lockedAtomic = balance['is_authorized'] === false ? amountAtomic : offered;
      amounts.set(assetName(balance), { amountAtomic, lockedAtomic });
    }
  }
  if (!amounts.has('native')) throw new UnreadableReply('balances is malformed');
  return amounts;
}

function assetName(balance: Record<string, unknown>): string {
  const issuer = readText(balance['asset_issuer'], 'asset_issuer');
  if (!/^G[A-Z2-7]{55}$/.test(issuer)) throw new UnreadableReply('asset_issuer is malformed');
  return `${readText(balance['asset_code'], 'asset_code')}:${issuer}`;
}

/** Whether Horizon reports "no such account", which differs from the 404 of a wrong URL. */
export function isUnfunded(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !('type' in body)) return false;
  return typeof body.type === 'string' && body.type.endsWith('/horizon-errors/not_found');
}

function stroops(value: unknown, field: string): bigint {
  const text = readText(value, field);
  if (!/^\d{1,12}\.\d{7}$/.test(text)) throw new UnreadableReply(`${field} is malformed`);
  return parseUnits(text, decimals);
}
