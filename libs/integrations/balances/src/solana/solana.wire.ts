import {
  UnreadableReply,
  readAmount,
  readAmountNumber,
  readFields,
  readList,
  readText,
} from '@tollbridge/http';
import { readRpcResult } from '../json-rpc';
import { requireSame } from '../wire-fields';

// https://solana.com/docs/rpc/http/getbalance, https://solana.com/docs/rpc/http/gettokenaccountsbyowner

// 32 bytes in base58.
const publicKey = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

export interface MintAmount {
  amountAtomic: bigint;
  lockedAtomic: bigint;
}

/**
 * Parses lamports as a plain number. Above nine million coins it exceeds 2^53. It is 0 for an account that does not
 * exist.
 */
export function readLamports(reply: unknown): bigint {
  return readAmountNumber(readFields(readRpcResult(reply), 'result')['value'], 'value');
}

/** Adds up accounts by mint, because a wallet may have several. The balance of a frozen account cannot be sent. */
export function readTokenAccounts(reply: unknown, owner: string): Map<string, MintAmount> {
  const accounts = readList(readFields(readRpcResult(reply), 'result')['value'], 'value');
  const amounts = new Map<string, MintAmount>();
  for (const entry of accounts) {
    const account = readFields(readFields(entry, 'value[]')['account'], 'account');
    const parsed = readFields(readFields(account['data'], 'data')['parsed'], 'parsed');
    const info = readFields(parsed['info'], 'info');
    requireSame(info['owner'], owner, 'owner');
    const mint = readText(info['mint'], 'mint');
    if (!publicKey.test(mint)) throw new UnreadableReply('mint is malformed');
    const amount = readAmount(readFields(info['tokenAmount'], 'tokenAmount')['amount'], 'amount');
    const before = amounts.get(mint) ?? { amountAtomic: 0n, lockedAtomic: 0n };
    amounts.set(mint, {
      amountAtomic: before.amountAtomic + amount,
      lockedAtomic: before.lockedAtomic + (isFrozen(info['state']) ? amount : 0n),
    });
  }
  return amounts;
}

function isFrozen(state: unknown): boolean {
  if (state !== 'initialized' && state !== 'frozen') throw new UnreadableReply('state is malformed');
  return state === 'frozen';
}
