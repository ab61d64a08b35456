import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { ApiKeyEntity } from '../keys/api-key.entity';

/** The sum of the reserved and captured spends of a key in one month (UTC). */
@Entity('key_months')
@Retention(keep('sums of budgets, a row for each key and month'))
@Check('key_months_month_check', "month ~ '^[0-9]{4}-[0-9]{2}$'")
@Check('key_months_used_check', 'used >= (0)::numeric')
export class KeyMonthEntity {
  @ForeignKey(() => ApiKeyEntity, { name: 'key_months_key_id_fkey' })
  @PrimaryColumn({ type: 'uuid', name: 'key_id' })
  readonly keyId: string;

  @PrimaryColumn({ type: 'text' })
  readonly month: string;

  @Column({ type: 'numeric', default: 0 })
  readonly used: string;

  @Column({ type: 'boolean', name: 'is_warned', default: false })
  readonly isWarned: boolean;

  @Column({ type: 'boolean', name: 'is_reached', default: false })
  readonly isReached: boolean;
}
