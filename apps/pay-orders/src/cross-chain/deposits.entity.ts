import { keep, Retention } from '@tollbridge/database';
import type { RouteState } from '@tollbridge/routing';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrderRow } from '../orders/storage/orders.entity';

/**
 * A row of `route_commits`: the request for a deposit address, stored before it is sent. A row without an outcome means
 * that the process ended between the provider's reply and the commit. Then no client has the address.
 */
@Entity('route_commits')
@Retention(keep('every deposit address that was ever asked for: money can arrive there at any time'))
@Index('route_commits_open', ['asked_at'], { where: 'outcome IS NULL' })
@Check('route_commits_outcome_check', `outcome IN ('committed', 'refused', 'unavailable', 'unknown')`)
export class RouteCommitRow {
  @PrimaryColumn('uuid')
  order_id: string;
  @Column('json')
  request: unknown;
  @Column('timestamptz')
  asked_at: Date;
  @Column('text', { nullable: true })
  outcome: 'committed' | 'refused' | 'unavailable' | 'unknown' | null;
  @Column('text', { nullable: true })
  reason: string | null;
  @Column('timestamptz', { nullable: true })
  answered_at: Date | null;
}

/** A row of `deposits`: the deposit address of a cross-chain order, and its state at the provider. */
@Entity('deposits')
@Retention(keep('the signed quote of each deposit address, for disputes'))
// `deposits_address` is unique over an expression, which TypeORM cannot express.
@Index('deposits_address', { synchronize: false })
@Index('deposits_due', ['check_at'], { where: 'closed_at IS NULL' })
@Check('deposits_amount_check', 'amount > 0')
@Check('deposits_min_amount_check', 'min_amount > 0')
@Check(
  'deposits_state_check',
  `state IN ('waiting', 'seen', 'incomplete', 'processing', 'delivered', 'refunded', 'failed')`,
)
@Check('deposits_settlement_proof_check', `settlement_proof IN ('chain', 'provider')`)
export class DepositRow {
  @PrimaryColumn('uuid')
  @ForeignKey(() => OrderRow, { name: 'deposits_order_id_fkey' })
  order_id: string;
  @Column('text')
  address: string;
  @Column('text', { nullable: true })
  memo: string | null;
  @Column('numeric', { precision: 78, scale: 0 })
  amount: string;
  @Column('numeric', { precision: 78, scale: 0 })
  min_amount: string;
  @Column('integer')
  decimals: number;
  @Column('integer')
  estimated_seconds: number;
  /** The provider refunds later deposits. */
  @Column('timestamptz')
  deadline: Date;
  /** The provider's whole signed reply, byte for byte: json, not jsonb. */
  @Column('json')
  signed_quote: unknown;
  @Column('text', { default: 'waiting' })
  state: RouteState;
  @Column('text', { nullable: true })
  deposit_tx: string | null;
  /** Every deposit that the provider reported. */
  @Column('text', { array: true, default: '{}' })
  deposit_txs: string[];
  @Column('text', { nullable: true })
  delivery_tx: string | null;
  @Column('numeric', { precision: 78, scale: 0, nullable: true })
  deposited: string | null;
  @Column('numeric', { precision: 78, scale: 0, nullable: true })
  amount_in: string | null;
  @Column('numeric', { precision: 78, scale: 0, nullable: true })
  amount_out: string | null;
  @Column('numeric', { precision: 78, scale: 0, nullable: true })
  refunded: string | null;
  @Column('text', { nullable: true })
  refund_reason: string | null;
  @Column('text', { nullable: true })
  settlement_proof: 'chain' | 'provider' | null;
  /** The reason that a reported delivery does not settle the order yet. */
  @Column('text', { nullable: true })
  problem: string | null;
  /** The transaction that the payer reported, until it is submitted to the provider. */
  @Column('text', { nullable: true })
  reported_tx: string | null;
  @Column('timestamptz', { nullable: true })
  answered_at: Date | null;
  @Column('timestamptz')
  check_at: Date;
  /** When the deposit reached a final state. Later deposits can still change it. */
  @Column('timestamptz', { nullable: true })
  ended_at: Date | null;
  /** When the checks of the deposit ended, because nothing can change any more. */
  @Column('timestamptz', { nullable: true })
  closed_at: Date | null;
}

/** A row of `settlement_claims`: a transfer to a merchant, which settles only one order. */
@Entity('settlement_claims')
@Retention(keep('a transfer settles one order, for ever'))
@Index('settlement_claims_order', ['order_id'])
export class SettlementClaimRow {
  @PrimaryColumn('text')
  chain: string;
  @PrimaryColumn('text')
  tx_hash: string;
  /** -1 for a transfer of the chain's native coin. */
  @PrimaryColumn('integer')
  log_index: number;
  @Column('uuid')
  @ForeignKey(() => OrderRow, { name: 'settlement_claims_order_id_fkey' })
  order_id: string;
}
