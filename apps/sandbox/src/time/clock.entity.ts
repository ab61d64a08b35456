import { keep, Retention } from '@tollbridge/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The time that the sandbox is ahead of the real time, in a single row. */
@Entity('clock')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
export class ClockEntity {
  @PrimaryColumn('text')
  name: 'sandbox';
  @Column('bigint', { name: 'ahead_ms' })
  aheadMs: string;
}
