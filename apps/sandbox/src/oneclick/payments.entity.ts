import { keep, Retention } from '@tollbridge/database';
import { BridgeDepositEntity } from '../across/deposits.entity';
import { SwapEntity } from './swaps.entity';
import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

/**
 * Transactions of the solver. Each is signed and stored before it is sent, so that a crash neither repeats nor loses
 * it.
 */
@Entity('swap_payments')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
@Index('swap_payments_swap', ['swapId', 'id'])
@Index('swap_payments_open', ['id'], { where: `state IN ('planned', 'signed')` })
@Index('swap_payments_nonce', ['chain', 'sender', 'nonce'], { unique: true })
@Index('swap_payments_deposit', ['depositId'], { where: 'deposit_id IS NOT NULL' })
@Check('swap_payments_state_check', `state IN ('planned', 'signed', 'mined', 'dropped')`)
@Check('swap_payments_check', `state IN ('planned', 'dropped') OR tx_hash IS NOT NULL`)
@Check(
  'swap_payments_purpose_check',
  `purpose IN ('delivery', 'surplus', 'refund', 'late-refund', 'gas', 'sweep', 'fill', 'fill-approval', 'deposit-refund')`,
)
@Check('swap_payments_owner_check', '(swap_id IS NULL) <> (deposit_id IS NULL)')
export class PaymentEntity {
  @PrimaryGeneratedColumn('increment', { type: 'bigint' })
  id: string;
  @ForeignKey(() => SwapEntity, { name: 'swap_payments_swap_id_fkey' })
  @Column('uuid', { name: 'swap_id', nullable: true })
  swapId: string | null;
  @Column('text')
  purpose: string;
  @Column('text')
  chain: string;
  /** Null for the native coin. */
  @Column('text', { nullable: true })
  token: string | null;
  @Column('text')
  sender: string;
  @Column('text')
  recipient: string;
  /** A sweep sends the balance at the time of signing. */
  @Column('numeric', { precision: 78, scale: 0 })
  amount: string;
  @Column('text', { default: 'planned' })
  state: string;
  @Column('bigint', { nullable: true })
  nonce: string | null;
  @Column('text', { nullable: true })
  raw: string | null;
  @Column('text', { name: 'tx_hash', nullable: true })
  txHash: string | null;
  @Column('bigint', { nullable: true })
  height: string | null;
  @ForeignKey(() => BridgeDepositEntity, { name: 'swap_payments_deposit_id_fkey' })
  @Column('bigint', { name: 'deposit_id', nullable: true })
  depositId: string | null;
}
