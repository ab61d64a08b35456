import { Column, Entity, PrimaryColumn } from 'typeorm';
import { keep, Retention } from './retention';

/** Pruning progress of a table. A replica locks the row while it prunes the table. */
@Entity('retention_progress')
@Retention(keep('one row for each table that is pruned'))
export class RetentionProgressRow {
  @PrimaryColumn('text')
  table_name: string;
  /** Key of the last row that was visited; null at the start of a pass. */
  @Column('text', { nullable: true })
  position: string | null;
  /** Start of the current pass. */
  @Column('timestamptz')
  started_at: Date;
  /** Time of the next batch. */
  @Column('timestamptz')
  due_at: Date;
  /** Rows with an earlier time may be deleted; null before the first deletion. */
  @Column('timestamptz', { nullable: true })
  pruned_until: Date | null;
  @Column('bigint', { default: 0 })
  pruned_rows: string;
}
