import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { SettlementState } from './settlement';

/** A row of `x402_settlements`: a payment authorisation that this deployment settles only once. */
@Entity('x402_settlements')
@Retention(keep('each authorization is settled once, for ever'))
@Unique('x402_settlements_authorization_key', ['network', 'contract', 'payer', 'authorization_nonce'])
@Unique('x402_settlements_sender_nonce_key', ['network', 'sender', 'sender_nonce'])
@Index('x402_settlements_payment_id', ['payer', 'payment_id'], {
  unique: true,
  where: 'payment_id IS NOT NULL',
})
@Index('x402_settlements_paid_by', ['network', 'tx_hash'], {
  unique: true,
  where: `state IN ('settled', 'final')`,
})
@Index('x402_settlements_recent', ['network', 'created_at'])
@Index('x402_settlements_received', ['network', 'pay_to', 'updated_at'], { where: `state = 'final'` })
@Index('x402_settlements_due', ['check_at'], { where: 'check_at IS NOT NULL' })
@Check('x402_settlements_state_check', `state IN ('sent', 'settled', 'final', 'failed')`)
@Check('x402_settlements_amount_check', 'amount > 0')
@Check('x402_settlements_open', `(state IN ('sent', 'settled')) = (check_at IS NOT NULL)`)
@Check('x402_settlements_times', 'updated_at >= created_at')
export class SettlementRow {
  @PrimaryColumn('uuid')
  id: string;
  @Column('text')
  network: string;
  @Column('text')
  scheme: string;
  /** The contract that stores the nonce of the authorisation; on Solana the token. */
  @Column('text')
  contract: string;
  @Column('text')
  payer: string;
  @Column('text')
  authorization_nonce: string;
  @Column('text')
  payload_hash: string;
  @Column('text', { nullable: true })
  payment_id: string | null;
  @Column('text')
  token: string;
  @Column('text')
  pay_to: string;
  @Column('numeric', { precision: 78, scale: 0 })
  amount: string;
  /** In Unix seconds; on Solana the last block height. */
  @Column('bigint')
  valid_before: string;
  @Column('text')
  call_to: string;
  @Column('text')
  call_data: string;
  @Column('text')
  state: SettlementState;
  /** The account that pays for gas. */
  @Column('text')
  sender: string;
  /** Null on chains without nonces of senders. */
  @Column('bigint', { nullable: true })
  sender_nonce: string | null;
  @Column('text')
  tx_hash: string;
  @Column('text', { nullable: true })
  reason: string | null;
  /** The head of the chain at the claim. */
  @Column('bigint')
  since_height: string;
  /** The call that was answered with success. */
  @Column('text', { nullable: true })
  answered_to: string | null;
  @Column('timestamptz', { nullable: true })
  check_at: Date | null;
  @Column('timestamptz')
  created_at: Date;
  @Column('timestamptz')
  updated_at: Date;
}

/**
 * A row of `x402_transactions`: a signed transaction, stored before it is sent. Transactions of one settlement replace
 * each other.
 */
@Entity('x402_transactions')
@Retention(keep('money record: every transaction that was signed'))
@Index('x402_transactions_settlement', ['settlement_id'])
@Check('x402_transactions_kind_check', `kind IN ('settle', 'cancel')`)
export class SettlementTransactionRow {
  @PrimaryColumn('text')
  hash: string;
  @Column('uuid')
  @ForeignKey(() => SettlementRow, { name: 'x402_transactions_settlement_id_fkey' })
  settlement_id: string;
  @Column('text')
  kind: 'settle' | 'cancel';
  @Column('text')
  raw: string;
  @Column('bigint')
  gas_limit: string;
  @Column('numeric', { precision: 78, scale: 0 })
  max_fee: string;
  @Column('numeric', { precision: 78, scale: 0 })
  tip: string;
  @Column('timestamptz')
  created_at: Date;
}
