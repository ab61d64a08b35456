import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

/** Committed quotes of the 1Click simulator. */
@Entity('swaps')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
@Unique('swaps_deposit_address_deposit_memo_key', ['depositAddress', 'depositMemo'])
@Index('swaps_watched', ['originChain', 'watchedUntil'])
@Index('swaps_undecided', ['id'], {
  where: 'seen_amount > handled_amount OR deposited_amount > handled_amount OR submitted_tx IS NOT NULL',
})
@Check(
  'swaps_status_check',
  `status IN ('PENDING_DEPOSIT', 'KNOWN_DEPOSIT_TX', 'INCOMPLETE_DEPOSIT', 'PROCESSING', 'SUCCESS', 'REFUNDED', 'FAILED')`,
)
@Check('swaps_times', 'updated_at >= created_at')
export class SwapEntity {
  @PrimaryColumn('uuid')
  id: string;
  @Column('text', { name: 'deposit_address' })
  depositAddress: string;
  /** Empty when the quote has its own address. */
  @Column('text', { name: 'deposit_memo' })
  depositMemo: string;
  /** Private key of a deposit address on a local node; null on other chains. */
  @Column('text', { name: 'deposit_key', nullable: true })
  depositKey: string | null;
  @Column('text', { name: 'origin_chain' })
  originChain: string;
  @Column('text', { name: 'origin_symbol' })
  originSymbol: string;
  @Column('text', { name: 'destination_chain' })
  destinationChain: string;
  @Column('text', { name: 'destination_symbol' })
  destinationSymbol: string;
  @Column('json')
  response: object;
  @Column('text')
  outcome: string;
  @Column('text', { default: 'PENDING_DEPOSIT' })
  status: string;
  @Column('timestamptz')
  deadline: Date;
  /** The time until which the watcher polls for late deposits. */
  @Column('timestamptz', { name: 'watched_until' })
  watchedUntil: Date;
  /** Height of the origin chain at the time of the quote. No deposit is older. */
  @Column('bigint', { name: 'from_height', default: 0 })
  fromHeight: string;
  @Column('text', { name: 'submitted_tx', nullable: true })
  submittedTx: string | null;
  /** The time when a deposit was first seen. */
  @Column('timestamptz', { name: 'seen_at', nullable: true })
  seenAt: Date | null;
  /** Total received at the newest block, including swept amounts. */
  @Column('numeric', { name: 'seen_amount', precision: 78, scale: 0, default: 0 })
  seenAmount: string;
  /** Total received with the required confirmations. */
  @Column('numeric', { name: 'deposited_amount', precision: 78, scale: 0, default: 0 })
  depositedAmount: string;
  /** The part of the deposits that was already decided about. The rest came later and is refunded. */
  @Column('numeric', { name: 'handled_amount', precision: 78, scale: 0, default: 0 })
  handledAmount: string;
  @Column('numeric', { name: 'amount_in', precision: 78, scale: 0, nullable: true })
  amountIn: string | null;
  @Column('numeric', { name: 'amount_out', precision: 78, scale: 0, nullable: true })
  amountOut: string | null;
  @Column('text', { name: 'refund_reason', nullable: true })
  refundReason: string | null;
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}

/** Deposit transactions of a swap. */
@Entity('swap_deposits')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
export class SwapDepositEntity {
  @ForeignKey(() => SwapEntity, { name: 'swap_deposits_swap_id_fkey' })
  @PrimaryColumn('uuid', { name: 'swap_id' })
  swapId: string;
  @PrimaryColumn('text', { name: 'tx_hash' })
  txHash: string;
  @Column('timestamptz', { name: 'seen_at' })
  seenAt: Date;
}
