import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { StoredAttemptState } from './attempt';
import { PaymentRequestEntity } from '../requests/payment-request.entity';

/** The newest attempt to pay a request. */
@Entity('payment_attempts')
@Retention(keep('at most one row of each payment request'))
@Index('payment_attempts_check', ['checkAt'], { where: 'check_at IS NOT NULL' })
@Check('payment_attempts_state_check', "state = ANY (ARRAY['asking', 'sent', 'failed', 'over'])")
export class PaymentAttemptEntity {
  @PrimaryColumn({ type: 'uuid', name: 'request_id' })
  @ForeignKey(() => PaymentRequestEntity, { name: 'payment_attempts_request_id_fkey' })
  readonly requestId: string;

  @Column({ type: 'uuid', name: 'payment_id' })
  readonly paymentId: string;

  @Column({ type: 'uuid', name: 'order_id' })
  readonly orderId: string;

  /** The version of the order that the payer saw. */
  @Column({ type: 'integer', name: 'order_version' })
  readonly orderVersion: number;

  /** A random identifier of the browser tab that started the attempt. */
  @Column({ type: 'text' })
  readonly holder: string;

  @Column({ type: 'text' })
  readonly state: StoredAttemptState;

  @Column({ type: 'text', name: 'tx_hash', nullable: true })
  readonly txHash: string | null;

  /**
   * Whether the attempt only warns until the chain shows its transaction, because an earlier attempt had no outcome.
   */
  @Column({ type: 'boolean', name: 'is_weak' })
  readonly isWeak: boolean;

  @Column({ type: 'integer' })
  readonly declines: number;

  @Column({ type: 'timestamptz', name: 'started_at' })
  readonly startedAt: Date;

  @Column({ type: 'timestamptz', name: 'blocks_until' })
  readonly blocksUntil: Date;

  /** When the transaction is looked up next; null when no lookup is planned. */
  @Column({ type: 'timestamptz', name: 'check_at', nullable: true })
  readonly checkAt: Date | null;
}
