import type { SwapStep } from '@tollbridge/routing';
import { fromJson } from '../../json';
import type { SetRow } from './sets.entity';
import type { Delivery, SetTransaction, TransactionSet } from '../transaction-set';

/** The columns of a new set. */
export const newSetColumns = [
  'id',
  'owner',
  'quote_id',
  'terms',
  'batch_id',
  'state',
  'version',
  'provider',
  'from_token',
  'to_token',
  'user_address',
  'recipient',
  'amount_in',
  'amount_out',
  'min_amount_out',
  'steps',
  'transactions',
  'estimated_seconds',
  'gas_cost_usd',
  'saved_usd',
  'valid_until',
  'origin_confirmations',
  'destination_confirmations',
  'created_at',
].join(', ');

/** Returns the columns of a set, with amounts as strings. */
export function toRow(set: TransactionSet): object {
  return {
    id: set.id,
    owner: set.owner,
    quote_id: set.quoteId,
    terms: set.terms,
    batch_id: set.batchId,
    state: set.state,
    version: set.version,
    provider: set.provider,
    from_token: set.from,
    to_token: set.to,
    user_address: set.user,
    recipient: set.recipient,
    amount_in: String(set.amountInAtomic),
    amount_out: String(set.amountOutAtomic),
    min_amount_out: String(set.minAmountOutAtomic),
    steps: set.steps,
    transactions: set.transactions,
    estimated_seconds: set.estimatedSeconds,
    gas_cost_usd: set.gasCostUsd,
    saved_usd: set.savedUsd,
    valid_until: new Date(set.validUntilMs),
    origin_confirmations: set.originConfirmations,
    destination_confirmations: set.destinationConfirmations,
    created_at: new Date(set.createdAtMs),
  };
}

export function fromRow(row: SetRow): TransactionSet {
  return {
    id: row.id,
    owner: row.owner,
    quoteId: row.quote_id,
    terms: row.terms,
    replacedBy: row.replaced_by,
    batchId: row.batch_id,
    state: row.state,
    version: row.version,
    provider: row.provider,
    from: row.from_token,
    to: row.to_token,
    user: row.user_address,
    recipient: row.recipient,
    amountInAtomic: BigInt(row.amount_in),
    amountOutAtomic: BigInt(row.amount_out),
    minAmountOutAtomic: BigInt(row.min_amount_out),
    steps: fromJson<SwapStep[]>(row.steps),
    transactions: fromJson<SetTransaction[]>(row.transactions),
    estimatedSeconds: row.estimated_seconds,
    gasCostUsd: row.gas_cost_usd,
    savedUsd: row.saved_usd,
    validUntilMs: row.valid_until.getTime(),
    originConfirmations: row.origin_confirmations,
    destinationConfirmations: row.destination_confirmations,
    delivery: fromJson<Delivery | null>(row.delivery),
    failure: row.failure,
    createdAtMs: row.created_at.getTime(),
    executedAtMs: row.executed_at?.getTime() ?? null,
    endedAtMs: row.ended_at?.getTime() ?? null,
  };
}
