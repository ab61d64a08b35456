import { v7 as uuid } from 'uuid';
import type { Payment } from './payment';

/** A pending payment before the first observation of the chain. */
export function newPayment(
  { linkId, chain, txHash }: Pick<Payment, 'linkId' | 'chain' | 'txHash'>,
  nowMs: number,
): Payment {
  return {
    id: uuid(),
    linkId,
    chain,
    txHash,
    status: 'pending',
    isVerified: false,
    isConfirmed: false,
    reason: null,
    transfer: null,
    block: null,
    valueUsd: null,
    partsAmount: null,
    partOf: null,
    orderId: null,
    isNotified: false,
    pendingSinceMs: nowMs,
    nextCheckAtMs: null,
    version: 0,
    recordedAtMs: nowMs,
    decidedAtMs: null,
    balanceAtReport: null,
  };
}
