import { PersonalData, pruneAlong, Retention } from '@tollbridge/database';
import type { PurchaseStatus } from '@tollbridge/contracts';
import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { Rejection } from './purchase';
import { hasPersonalData, withoutPersonalData } from './purchase-personal-data';

@Entity('purchases')
@PersonalData({
  columns: ['terms', 'result', 'refusal', 'reference'],
  unless: "status IN ('buying', 'unknown', 'pending') OR check_at IS NOT NULL",
})
@Retention(
  pruneAlong({
    days: 'RETENTION_PURCHASE_DETAILS_DAYS',
    column: 'updated_at',
    key: 'id',
    keyType: 'uuid',
    where: `status IN ('completed', 'failed', 'refunded', 'refused') AND check_at IS NULL AND ${hasPersonalData}`,
    set: `terms = ${withoutPersonalData('terms')}, result = ${withoutPersonalData('result')}`,
    rule: 'the purchase stays; phone numbers, e-mail addresses, names and account numbers in it are replaced',
  }),
)
@Unique('purchases_wallet_kind_reference_key', ['wallet', 'kind', 'reference'])
@Index('purchases_due', ['check_at'], { where: 'check_at IS NOT NULL' })
@Index('purchases_provider', ['provider_id'], { where: 'provider_id IS NOT NULL' })
// TypeORM cannot express a descending column or `kind IN (...)`.
@Index('purchases_wallet', { synchronize: false })
@Index('purchases_sms_provider_ids', { synchronize: false })
@Check('purchases_wallet_check', "wallet <> ''")
@Check(
  'purchases_status_check',
  "status IN ('buying', 'unknown', 'pending', 'completed', 'failed', 'refunded', 'refused')",
)
@Check('purchases_refused', "(status = 'refused') = (refusal IS NOT NULL)")
@Check('purchases_leased', "(status = 'buying') = (lease_until IS NOT NULL)")
@Check('purchases_ended', "status IN ('buying', 'unknown', 'pending') OR check_at IS NULL")
@Check('purchases_times', 'updated_at >= created_at')
export class PurchaseRow {
  @PrimaryColumn('uuid')
  id: string;
  @Column('text')
  wallet: string;
  @Column('uuid', { nullable: true })
  key_id: string | null;
  @Column('text')
  kind: string;
  @Column('text')
  reference: string;
  @Column('json')
  terms: Record<string, unknown>;
  @Column('text')
  status: PurchaseStatus;
  @Column('text', { nullable: true })
  provider_id: string | null;
  @Column('json', { nullable: true })
  result: Record<string, unknown> | null;
  @Column('json', { nullable: true })
  refusal: Rejection | null;
  @Column('numeric', { nullable: true })
  value_usd: string | null;
  @Column('timestamptz', { nullable: true })
  lease_until: Date | null;
  @Column('timestamptz', { nullable: true })
  check_at: Date | null;
  @Column('integer', { default: 0 })
  checks: number;
  @Column('integer', { default: 1 })
  version: number;
  @Column('timestamptz')
  created_at: Date;
  @Column('timestamptz')
  updated_at: Date;
  @Column('text', { nullable: true })
  provider: string | null;
}
