import { Column, Entity, PrimaryColumn } from 'typeorm';
import { keep, Retention } from '../retention/retention';

/** A process's exclusive right to a piece of work, until it expires by the clock of the database. */
@Entity('leases')
@Retention(keep('one row for each piece of work and each living replica'))
export class LeaseRow {
  @PrimaryColumn('text')
  name: string;
  /** Id of the process; null after a release. */
  @Column('uuid', { nullable: true })
  holder: string | null;
  /** Fencing token: it increases with every new holder, so that writes of earlier holders are rejected. */
  @Column('bigint', { default: 1 })
  term: string;
  @Column('timestamptz')
  expires_at: Date;
}
