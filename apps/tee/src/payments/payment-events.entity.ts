import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The position of the payment events: receipts up to `seq` are published. */
@Entity('told')
@Retention(keep('one row'))
@Check('told_singleton_check', 'singleton')
export class PaymentEventPositionRow {
  @PrimaryColumn('boolean', { default: true })
  singleton: boolean;
  @Column('bigint')
  seq: string;
  @Column('bigint')
  at_ms: string;
}
