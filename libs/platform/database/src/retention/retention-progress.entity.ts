import { Column, Entity, PrimaryColumn } from 'typeorm';
import { keep, Retention } from './retention';

/** How far a table is pruned. Its row is the lock of the replica that prunes. */
@Entity('retention_progress')
@Retention(keep('one row for each table that is pruned'))
export class RetentionProgressRow {
  @PrimaryColumn('text')
  table_name: string;
  /** Key of the last row that was visited; null at the start of a pass. */
  @Column('text', { nullable: true })
  position: string | null;
  /** When the pass began. */
  @Column('timestamptz')
  started_at: Date;
  /** When the next batch runs. */
  @Column('timestamptz')
  due_at: Date;
  /** Rows with an earlier time may be deleted; null before the first deletion. */
  @Column('timestamptz', { nullable: true })
  pruned_until: Date | null;
  @Column('bigint', { default: 0 })
  pruned_rows: string;
}
