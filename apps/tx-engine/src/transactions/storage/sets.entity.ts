import { pruneAlong, Retention } from '@tollbridge/database';
import type { TransactionState } from '@tollbridge/contracts';
import type { RouteToken } from '@tollbridge/routing';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { SetFailure } from '../transaction-set';

const states = `'built', 'signing', 'submitting', 'submitted', 'confirming', 'completed', 'failed', 'expired'`;

/** A row of `transaction_sets`. Amounts in JSON columns are strings (`json.ts`). */
@Entity('transaction_sets')
@Retention(
  pruneAlong({
    days: 'RETENTION_UNSIGNED_SETS_DAYS',
    column: 'valid_until',
    key: 'id',
    keyType: 'uuid',
    where: `state = 'expired' AND executed_at IS NULL AND check_at IS NULL
      AND NOT EXISTS (SELECT FROM nonce_claims c WHERE c.set_id = t.id)`,
    rule: 'expired sets that were never signed; all other sets stay',
  }),
)
@Index('transaction_sets_due', ['check_at'], { where: 'check_at IS NOT NULL' })
@Index('transaction_sets_unsigned', ['valid_until'], { where: `state = 'built'` })
@Index('transaction_sets_batch', ['batch_id'], { where: `state = 'built' AND batch_id IS NOT NULL` })
@Check('transaction_sets_state_check', `state IN (${states})`)
export class SetRow {
  @PrimaryColumn('uuid')
  id: string;
  @Column('text')
  owner: string;
  @Column('uuid')
  quote_id: string;
  @Column('text', { default: '' })
  terms: string;
  @Column('uuid', { nullable: true })
  replaced_by: string | null;
  @Column('uuid', { nullable: true })
  batch_id: string | null;
  @Column('text')
  state: TransactionState;
  /** Incremented by every change. An update applies only to the version that it was made from. */
  @Column('integer', { default: 1 })
  version: number;
  @Column('text')
  provider: string;
  @Column('json')
  from_token: RouteToken;
  @Column('json')
  to_token: RouteToken;
  @Column('text')
  user_address: string;
  @Column('text')
  recipient: string;
  @Column('numeric', { precision: 78, scale: 0 })
  amount_in: string;
  @Column('numeric', { precision: 78, scale: 0 })
  amount_out: string;
  @Column('numeric', { precision: 78, scale: 0 })
  min_amount_out: string;
  @Column('json')
  steps: unknown;
  @Column('json')
  transactions: unknown;
  @Column('integer')
  estimated_seconds: number;
  @Column('text', { nullable: true })
  gas_cost_usd: string | null;
  @Column('text', { nullable: true })
  saved_usd: string | null;
  @Column('timestamptz')
  valid_until: Date;
  @Column('integer')
  origin_confirmations: number;
  @Column('integer')
  destination_confirmations: number;
  @Column('json', { nullable: true })
  delivery: unknown;
  @Column('json', { nullable: true })
  failure: SetFailure | null;
  @Column('timestamptz')
  created_at: Date;
  @Column('timestamptz', { nullable: true })
  executed_at: Date | null;
  @Column('timestamptz', { nullable: true })
  ended_at: Date | null;
  /** The time of the worker's next poll; null while the set waits for signatures, and when it is final. */
  @Column('timestamptz', { nullable: true })
  check_at: Date | null;
}
