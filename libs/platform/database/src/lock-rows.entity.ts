import { Entity, PrimaryColumn } from 'typeorm';
import { keep, Retention } from './retention/retention';

/** A row that transactions lock by name. It stores no other data. */
@Entity('lock_rows')
@Retention(keep('at most 1,024 rows for each kind of lock'))
export class LockRow {
  /** Kind of the locked object. */
  @PrimaryColumn('text')
  kind: string;
  /** A hash of the name. */
  @PrimaryColumn('smallint')
  slot: number;
}
