import { Column, Entity, PrimaryColumn } from 'typeorm';
import { keep, Retention } from '../retention/retention';

/** The right of one process to do one piece of work, until it expires by the clock of the database. */
@Entity('leases')
@Retention(keep('one row for each piece of work and each living replica'))
export class LeaseRow {
  @PrimaryColumn('text')
  name: string;
  /** The process; null after a release. */
  @Column('uuid', { nullable: true })
  holder: string | null;
  /** Rises with every new holder: fences writes of an earlier one. */
  @Column('bigint', { default: 1 })
  term: string;
  @Column('timestamptz')
  expires_at: Date;
}
