import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The process that may write the ledger, until the lease expires by the clock of the database. */
@Entity('lease')
@Retention(keep('one row'))
@Check('lease_singleton_check', 'singleton')
export class LeaseRow {
  @PrimaryColumn('boolean', { default: true })
  singleton: boolean;
  @Column('uuid', { nullable: true })
  holder: string | null;
  @Column('timestamptz', { default: () => `'-infinity'` })
  expires_at: Date;
}
