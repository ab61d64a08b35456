import type { Purchase } from './purchase';
import type { PurchaseRow } from './purchases.entity';

export function fromRow(row: PurchaseRow): Purchase {
  return {
    id: row.id,
    wallet: row.wallet,
    keyId: row.key_id,
    kind: row.kind,
    reference: row.reference,
    terms: row.terms,
    status: row.status,
    provider: row.provider,
    providerId: row.provider_id,
    result: row.result,
    refusal: row.refusal,
    valueUsd: row.value_usd,
    checks: row.checks,
    version: row.version,
    createdAtMs: row.created_at.getTime(),
    updatedAtMs: row.updated_at.getTime(),
  };
}
