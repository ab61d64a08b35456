import { Retention, swept } from '@tollbridge/database';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One successful sign-in, or all identical rejected sign-ins of one day. */
@Entity('sign_in_records')
@Retention(swept({ by: 'AuthSweep', rule: '90 days after the last sign-in' }))
@Index('sign_in_records_last', ['lastAt'])
@Index('sign_in_records_refusals', ['wallet', 'reason', 'caller', 'day'], {
  unique: true,
  where: "outcome = 'refused'",
})
@Check('sign_in_records_check', "(outcome = 'refused') = (reason <> '')")
@Check('sign_in_records_count_check', 'count > 0')
@Check('sign_in_records_outcome_check', "outcome = ANY (ARRAY['signed_in', 'refused'])")
export class SignInRecordEntity {
  @PrimaryColumn({ type: 'uuid' })
  readonly id: string;

  @Column({ type: 'text' })
  readonly wallet: string;

  @Column({ type: 'text' })
  readonly scheme: string;

  @Column({ type: 'text' })
  readonly outcome: 'signed_in' | 'refused';

  @Column({ type: 'text' })
  readonly reason: string;

  @Column({ type: 'text' })
  readonly caller: string;

  @Column({ type: 'date' })
  readonly day: string;

  @Column({ type: 'integer' })
  readonly count: number;

  @Column({ type: 'timestamptz', name: 'first_at' })
  readonly firstAt: Date;

  @Column({ type: 'timestamptz', name: 'last_at' })
  readonly lastAt: Date;
}
