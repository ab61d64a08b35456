import { payoutEvents, type PayoutChanged, type PayoutState } from '@tollbridge/contracts';
import type { CallContext } from '@tollbridge/rpc';
import type { TransactionClient } from '@tollbridge/database';
import { formatUnits, parseUnits } from '@tollbridge/money';
import { v7 as uuid } from 'uuid';

interface PayoutEventRow {
  state: PayoutState;
  wallet: string;
  key_id: string | null;
  chain: string;
  token: string;
  total_atomic: string;
  fee_atomic: string;
  value_usd: string | null;
  version: number;
  updated_at: Date;
  recipient_count: string;
  paid_count: string;
  spent_atomic: string;
}

const { subject, type, version } = payoutEvents['payout-updated'];
const usdDecimals = 6;

/** Appends an event with the payout's state in this transaction. SQL: aggregates the batches. */
export async function appendPayoutUpdated(
  client: TransactionClient,
  payoutId: string,
  { requestId, traceparent }: Pick<CallContext, 'requestId' | 'traceparent'>,
): Promise<void> {
  const { rows } = await client.query<PayoutEventRow>({
    name: 'payout-event-read',
    text: `SELECT p.*, b.* FROM payouts p CROSS JOIN LATERAL (
             SELECT sum(recipient_count) AS recipient_count,
               coalesce(sum(recipient_count - cardinality(refused)) FILTER (WHERE status = 'paid'), 0) AS paid_count,
               coalesce(sum(paid_atomic + fee_paid_atomic), 0) AS spent_atomic
             FROM payout_batches WHERE payout_id = p.id) b
           WHERE p.id = $1`,
    values: [payoutId],
  });
  const row = rows[0]!;
  const data = toPayoutChanged(payoutId, row);
  const event = {
    id: uuid(),
    type,
    version,
    aggregateId: payoutId,
    aggregateVersion: row.version,
    occurredAt: data.updated_at,
    requestId,
    traceparent,
    data,
  };
  await client.query({
    name: 'payout-event-append',
    text: 'INSERT INTO outbox (id, subject, aggregate_id, payload) VALUES ($1, $2, $3, $4)',
    values: [event.id, subject, payoutId, JSON.stringify(event)],
  });
}

function toPayoutChanged(payoutId: string, row: PayoutEventRow): PayoutChanged {
  return {
    payout_id: payoutId,
    status: row.state,
    wallet_address: row.wallet,
    key_id: row.key_id,
    chain: row.chain,
    token: row.token,
    total_amount: row.total_atomic,
    fee_amount: row.fee_atomic,
    recipient_count: Number(row.recipient_count),
    paid_count: Number(row.paid_count),
    paid_usd: paidUsd(row),
    version: row.version,
    updated_at: row.updated_at.toISOString(),
  };
}

/** Returns the part of the value that was paid, rounded down to a millionth of a dollar. */
function paidUsd({ value_usd, spent_atomic, total_atomic, fee_atomic }: PayoutEventRow): string | null {
  if (value_usd === null) return null;
  const whole = BigInt(total_atomic) + BigInt(fee_atomic);
  return formatUnits((parseUnits(value_usd, usdDecimals) * BigInt(spent_atomic)) / whole, usdDecimals);
}
