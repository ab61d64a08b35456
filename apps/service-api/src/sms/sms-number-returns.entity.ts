import { Retention, swept } from '@tollbridge/database';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A rented number that will be returned to its provider. */
@Entity('sms_number_returns')
@Retention(swept({ by: 'SmsRepository', rule: 'when the number is returned or used' }))
@Index('sms_number_returns_due', ['return_at'])
export class SmsNumberReturnRow {
  @PrimaryColumn('uuid')
  purchase_id: string;
  @Column('timestamptz')
  return_at: Date;
  @Column('integer', { default: 0 })
  attempts: number;
}
