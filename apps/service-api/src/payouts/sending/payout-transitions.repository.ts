import type { PayoutState } from '@tollbridge/contracts';
import { callContext, type CallContext } from '@tollbridge/rpc';
import type { TransactionClient } from '@tollbridge/database';
import { appendPayoutUpdated } from './payout-events.repository';

/** The context of changes that the relayer makes without a client's request. */
export const relayerContext = (): CallContext => callContext({ principal: 'relayer' });

/** Locks the row of a payout. @returns its state; null for a preview */
export async function lockPayout(client: TransactionClient, payoutId: string): Promise<PayoutState | null> {
  const { rows } = await client.query<{ state: PayoutState | null }>({
    name: 'payout-lock',
    text: 'SELECT state FROM payouts WHERE id = $1 FOR UPDATE',
    values: [payoutId],
  });
  return rows[0]?.state ?? null;
}

/** Changes the state of a payout and appends its event. The caller must have locked the row. */
export async function transitionPayout(
  client: TransactionClient,
  { payoutId, state, at }: { payoutId: string; state: PayoutState; at: Date },
  context: CallContext,
): Promise<void> {
  await client.query({
    name: 'payout-transition',
    text: 'UPDATE payouts SET state = $2, version = version + 1, updated_at = $3 WHERE id = $1',
    values: [payoutId, state, at],
  });
  await appendPayoutUpdated(client, payoutId, context);
}
