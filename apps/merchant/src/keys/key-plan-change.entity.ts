import { keep, Retention } from '@tollbridge/database';
import type { KeyPlan } from '@tollbridge/contracts';
import { Check, Column, Entity, ForeignKey, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { ApiKeyEntity } from './api-key.entity';

/** A change of a key's plan. The table is append-only: a trigger rejects updates and deletes. */
@Entity('key_plan_changes')
@Retention(keep('an audit log: rows are only added'))
@Check(
  'key_plan_changes_real',
  '(from_plan <> to_plan) OR (from_per_minute IS DISTINCT FROM to_per_minute) OR (from_burst IS DISTINCT FROM to_burst)',
)
@Check('key_plan_changes_from_plan_check', "from_plan = ANY (ARRAY['free', 'pro', 'enterprise'])")
@Unique('key_plan_changes_key_id_key_version_key', ['keyId', 'keyVersion'])
@Check('key_plan_changes_operator_check', "operator <> ''")
@Check('key_plan_changes_reason_check', "reason <> ''")
@Check('key_plan_changes_to_plan_check', "to_plan = ANY (ARRAY['free', 'pro', 'enterprise'])")
export class KeyPlanChangeEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  readonly seq: string;

  @ForeignKey(() => ApiKeyEntity, { name: 'key_plan_changes_key_id_fkey' })
  @Column({ type: 'uuid', name: 'key_id' })
  readonly keyId: string;

  @Column({ type: 'text' })
  readonly owner: string;

  @Column({ type: 'text', name: 'from_plan' })
  readonly fromPlan: KeyPlan;

  @Column({ type: 'text', name: 'to_plan' })
  readonly toPlan: KeyPlan;

  @Column({ type: 'integer', name: 'from_per_minute', nullable: true })
  readonly fromPerMinute: number | null;

  @Column({ type: 'integer', name: 'from_burst', nullable: true })
  readonly fromBurst: number | null;

  @Column({ type: 'integer', name: 'to_per_minute', nullable: true })
  readonly toPerMinute: number | null;

  @Column({ type: 'integer', name: 'to_burst', nullable: true })
  readonly toBurst: number | null;

  @Column({ type: 'text' })
  readonly operator: string;

  @Column({ type: 'text' })
  readonly caller: string;

  @Column({ type: 'text' })
  readonly reason: string;

  @Column({ type: 'text', name: 'request_id' })
  readonly requestId: string;

  @Column({ type: 'integer', name: 'key_version' })
  readonly keyVersion: number;

  @Column({ type: 'timestamptz', name: 'changed_at' })
  readonly changedAt: Date;
}
