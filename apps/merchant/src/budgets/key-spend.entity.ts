import { keep, PersonalData, Retention } from '@tollbridge/database';
import type { SpendKind, SpendStatus } from '@tollbridge/contracts';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { KeyMonthEntity } from './key-month.entity';
import { ApiKeyEntity } from '../keys/api-key.entity';

/** One spend of a key: an order, a set of transactions, a purchase or a payout. */
@Entity('key_spends')
@PersonalData({ columns: ['description'] })
@Retention(keep('record of what each key spent; an amount that was released may still be paid late'))
// TypeORM cannot describe indexes with descending or INCLUDE columns, so the migrations create them.
@Index('key_spends_due', ['checkAt'], { where: 'check_at IS NOT NULL' })
@Index('key_spends_key', { synchronize: false })
@Check('key_spends_checked', "(status = 'reserved') = (check_at IS NOT NULL)")
@Check('key_spends_ended', "(status = 'reserved') = (ended_at IS NULL)")
@ForeignKey(() => KeyMonthEntity, ['keyId', 'month'], ['keyId', 'month'], {
  name: 'key_spends_key_id_month_fkey',
})
@Check('key_spends_kind_check', "kind = ANY (ARRAY['order', 'swap', 'purchase', 'topup', 'payout'])")
@Check('key_spends_status_check', "status = ANY (ARRAY['reserved', 'captured', 'released'])")
@Check('key_spends_value_usd_check', 'value_usd >= (0)::numeric')
export class KeySpendEntity {
  @PrimaryColumn({ type: 'text' })
  readonly reference: string;

  @ForeignKey(() => ApiKeyEntity, { name: 'key_spends_key_id_fkey' })
  @Column({ type: 'uuid', name: 'key_id' })
  readonly keyId: string;

  @Column({ type: 'text' })
  readonly kind: SpendKind;

  @Column({ type: 'text' })
  readonly description: string;

  @Column({ type: 'numeric', name: 'value_usd', nullable: true })
  readonly valueUsd: string | null;

  @Column({ type: 'text' })
  readonly month: string;

  @Column({ type: 'text' })
  readonly status: SpendStatus;

  @Column({ type: 'text', array: true })
  readonly attempts: string[];

  @Column({ type: 'boolean', default: false })
  readonly late: boolean;

  @Column({ type: 'timestamptz', name: 'reserved_at' })
  readonly reservedAt: Date;

  @Column({ type: 'timestamptz', name: 'ended_at', nullable: true })
  readonly endedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'check_at', nullable: true })
  readonly checkAt: Date | null;
}
