import type { Address, Slice } from '@ton/core';
import type { AccountTransaction } from '../account-reader';
import { isExecuted } from '../deposits';
import { jettonOps } from '../jettons';

/** Jettons that a wallet received. Its transaction succeeded, so its code has verified the sending wallet. */
export interface JettonReceipt {
  readonly queryId: bigint;
  readonly amountAtomic: bigint;
  /** Raw address of the sending owner; null for minted jettons. */
  readonly from: string | null;
  readonly comment: string | null;
}

/** Returns undefined for a transaction that received no jettons. */
export function readJettonReceipt(transaction: AccountTransaction): JettonReceipt | undefined {
  const message = transaction.parsed.inMessage;
  if (message?.info.type !== 'internal' || message.info.bounced || !isExecuted(transaction)) return undefined;
  const body = message.body.beginParse();
  try {
    if (body.loadUint(32) !== jettonOps.internalTransfer) return undefined;
    const [queryId, amountAtomic] = [body.loadUintBig(64), body.loadCoins()];
    const from: Address | null = body.loadMaybeAddress();
    body.loadMaybeAddress();
    body.loadCoins();
    const payload = body.loadBit() ? body.loadRef().beginParse() : body;
    return { queryId, amountAtomic, from: from && from.toRawString(), comment: readComment(payload) };
  } catch {
    return undefined;
  }
}

/** Returns a text comment: an operation code of 0 and text. Returns null for other bodies and for an empty body. */
export function readComment(body: Slice): string | null {
  if (body.remainingBits < 32 || body.remainingBits % 8 !== 0 || body.preloadUint(32) !== 0) return null;
  try {
    return body.skip(32).loadStringTail();
  } catch {
    return null;
  }
}
