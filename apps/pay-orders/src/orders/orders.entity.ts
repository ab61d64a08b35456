import type { OrderStatus, PayMethod } from '@tollbridge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The columns of `orders` that are read; numeric and bigint come as strings. */
@Entity('orders')
export class OrderRow {
  @PrimaryColumn('uuid')
  id: string;
  @Column('text')
  status: OrderStatus;
  @Column('text')
  method: PayMethod;
  @Column('text')
  pay_chain: string;
  @Column('text')
  pay_token: string;
  @Column('text')
  settle_chain: string;
  @Column('text')
  settle_token: string;
  @Column('text')
  merchant_address: string;
  @Column('numeric')
  merchant_amount: string;
  @Column('text')
  fee_receiver: string;
  @Column('numeric')
  fee_amount: string;
  @Column('text')
  merchant_id: string;
  @Column('text')
  payer_address: string;
  @Column('boolean')
  is_payerless: boolean;
  @Column('text', { nullable: true })
  contract_address: string | null;
  @Column('text', { nullable: true })
  token_in_address: string | null;
  @Column('text', { nullable: true })
  pay_tx: string | null;
  @Column('timestamptz', { nullable: true })
  pay_tx_since: Date | null;
  @Column('bigint', { nullable: true })
  paid_height: string | null;
  @Column('text', { nullable: true })
  settle_tx: string | null;
  @Column('numeric', { nullable: true })
  settled_amount: string | null;
  @Column('text', { nullable: true })
  failure_reason: string | null;
  @Column('boolean')
  late: boolean;
  @Column('timestamptz')
  created_at: Date;
  @Column('timestamptz')
  updated_at: Date;
  @Column('timestamptz')
  expires_at: Date;
}
