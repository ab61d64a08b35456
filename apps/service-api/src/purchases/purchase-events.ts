import { purchaseEvents, type PurchaseChanged } from '@tollbridge/contracts';
import type { CallContext, EventEnvelope } from '@tollbridge/rpc';
import { v7 as uuid } from 'uuid';
import type { Purchase } from './purchase';

const { type, version } = purchaseEvents['purchase-changed'];

export function toPurchaseChanged(purchase: Purchase): PurchaseChanged {
  return {
    purchase_id: purchase.id,
    kind: purchase.kind,
    status: purchase.status,
    wallet_address: purchase.wallet,
    key_id: purchase.keyId,
    provider_id: purchase.providerId,
    value_usd: purchase.valueUsd,
    version: purchase.version,
    updated_at: new Date(purchase.updatedAtMs).toISOString(),
  };
}

/** Returns the event of a purchase in its new state. */
export function purchaseChangedEvent(
  purchase: Purchase,
  { requestId, traceparent }: Pick<CallContext, 'requestId' | 'traceparent'>,
): EventEnvelope<PurchaseChanged> {
  const data = toPurchaseChanged(purchase);
  return {
    id: uuid(),
    type,
    version,
    aggregateId: purchase.id,
    aggregateVersion: purchase.version,
    occurredAt: data.updated_at,
    requestId,
    traceparent,
    data,
  };
}
