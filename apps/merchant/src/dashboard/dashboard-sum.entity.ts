import { keep, Retention } from '@tollbridge/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Sums of one day (UTC). The row with the day -infinity contains the sums of all days. */
@Entity('dashboard_sums')
@Retention(keep('sums that the dashboard shows; former generations are deleted by the rebuild'))
export class DashboardSumEntity {
  @PrimaryColumn({ type: 'integer' })
  readonly generation: number;

  @PrimaryColumn({ type: 'text' })
  readonly wallet: string;

  @PrimaryColumn({ type: 'date' })
  readonly day: string;

  @PrimaryColumn({ type: 'text' })
  readonly network: string;

  @PrimaryColumn({ type: 'text' })
  readonly token: string;

  @Column({ type: 'bigint' })
  readonly completed: string;

  @Column({ type: 'bigint' })
  readonly unsuccessful: string;

  @Column({ type: 'bigint' })
  readonly unpriced: string;

  @Column({ type: 'numeric' })
  readonly amount: string;

  @Column({ type: 'numeric', name: 'value_usd' })
  readonly valueUsd: string;

  @Column({ type: 'bigint', default: 0 })
  readonly confirmed: string;

  /** The unsuccessful payments that expired before they were paid. */
  @Column({ type: 'bigint', default: 0 })
  readonly expired: string;
}
