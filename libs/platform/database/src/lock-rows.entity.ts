import { Entity, PrimaryColumn } from 'typeorm';
import { keep, Retention } from './retention/retention';

/** A row that transactions lock by name; it holds nothing else. */
@Entity('lock_rows')
@Retention(keep('at most 1,024 rows for each kind of lock'))
export class LockRow {
  /** What is locked. */
  @PrimaryColumn('text')
  kind: string;
  /** A hash of the name. */
  @PrimaryColumn('smallint')
  slot: number;
}
