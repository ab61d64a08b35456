import { keep, PersonalData, Retention } from '@tollbridge/database';
import type { OrderChanged } from '@tollbridge/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A copy of an order from its newest event. The app pay-orders stores the original. */
@Entity('orders')
@PersonalData({ columns: ['data'] })
@Retention(keep('last version of each order: older events are recognised by it, and a transfer pays once'))
@Index('orders_settled_by', ['settledBy'], { where: 'settled_by IS NOT NULL' })
export class OrderEntity {
  @PrimaryColumn({ type: 'uuid' })
  readonly id: string;

  @Column({ type: 'text' })
  readonly wallet: string;

  @Column({ type: 'integer' })
  readonly version: number;

  @Column({ type: 'json', nullable: true })
  readonly data: OrderChanged | null;

  @Column({ type: 'text', name: 'settled_by', nullable: true })
  readonly settledBy: string | null;
}
