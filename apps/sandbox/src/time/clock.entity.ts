import { keep, Retention } from '@tollbridge/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the sandbox is ahead of the real time: one row. */
@Entity('clock')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
export class ClockEntity {
  @PrimaryColumn('text')
  name: 'sandbox';
  @Column('bigint', { name: 'ahead_ms' })
  aheadMs: string;
}
