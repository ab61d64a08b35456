import type { Address, Slice } from '@ton/core';
import type { AccountTransaction } from '../account-reader';
import { isExecuted } from '../deposits';
import { jettonOps } from '../jettons';

/** Jettons that a wallet received: its transaction succeeded, so its code has verified the wallet that sent them. */
export interface JettonReceipt {
  readonly queryId: bigint;
  readonly amountAtomic: bigint;
  /** Raw address of the owner that sent them; null for minted ones. */
  readonly from: string | null;
  readonly comment: string | null;
}

/** Undefined for a transaction that received no jettons. */
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

/** A text comment: an operation of 0 and text. Null for other bodies and for an empty one. */
export function readComment(body: Slice): string | null {
  if (body.remainingBits < 32 || body.remainingBits % 8 !== 0 || body.preloadUint(32) !== 0) return null;
  try {
    return body.skip(32).loadStringTail();
  } catch {
    return null;
  }
}
