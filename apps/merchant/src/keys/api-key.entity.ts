import { keep, PersonalData, Retention } from '@tollbridge/database';
import type { Permission } from '@tollbridge/rpc';
import type { KeyPlan } from '@tollbridge/contracts';
import type { Environment } from '@tollbridge/config';
import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** An API key. Only an HMAC of its secret is stored. */
@Entity('api_keys')
@PersonalData({ columns: ['label'] })
@Retention(keep('deleted keys stay, so that orders and spends name them'))
// TypeORM cannot describe indexes with descending or INCLUDE columns, so the migrations create them.
@Index('api_keys_owner', { synchronize: false })
@Check('api_keys_burst_check', 'burst > 0')
@Check('api_keys_environment_check', "environment = ANY (ARRAY['sandbox', 'test', 'production'])")
@Check('api_keys_key_digest_check', 'octet_length(key_digest) = 32')
@Check('api_keys_max_per_tx_check', 'max_per_tx >= (0)::numeric')
@Check('api_keys_monthly_budget_check', 'monthly_budget >= (0)::numeric')
@Check('api_keys_owner_check', "owner <> ''")
@Check('api_keys_pepper_id_check', 'octet_length(pepper_id) = 8')
@Check('api_keys_per_minute_check', 'per_minute > 0')
@Check('api_keys_permissions_check', "permissions <@ ARRAY['read', 'pay', 'write', 'settings', 'webhooks']")
@Check('api_keys_plan_check', "plan = ANY (ARRAY['free', 'pro', 'enterprise'])")
@Check('api_keys_previous_pepper_id_check', 'octet_length(previous_pepper_id) = 8')
@Check('api_keys_previous_secret', '(previous_secret_hash IS NULL) = (previous_secret_until IS NULL)')
@Check('api_keys_previous_secret_hash_check', 'octet_length(previous_secret_hash) = 32')
@Check('api_keys_rate', '(per_minute IS NULL) = (burst IS NULL)')
@Check('api_keys_secret_hash_check', 'octet_length(secret_hash) = 32')
@Unique('api_keys_key_key', ['key'])
@Unique('api_keys_key_digest_key', ['keyDigest'])
@Unique('api_keys_secret_hash_key', ['secretHash'])
@Unique('api_keys_previous_secret_hash_key', ['previousSecretHash'])
@Check('api_keys_times', 'updated_at >= created_at')
export class ApiKeyEntity {
  @PrimaryColumn({ type: 'uuid' })
  readonly id: string;

  @Column({ type: 'text' })
  readonly owner: string;

  @Column({ type: 'text' })
  readonly label: string;

  @Column({ type: 'text' })
  readonly key: string;

  @Column({ type: 'bytea', name: 'key_digest' })
  readonly keyDigest: Buffer;

  @Column({ type: 'bytea', name: 'secret_hash' })
  readonly secretHash: Buffer;

  @Column({ type: 'bytea', name: 'pepper_id', nullable: true })
  readonly pepperId: Buffer | null;

  @Column({ type: 'bytea', name: 'previous_pepper_id', nullable: true })
  readonly previousPepperId: Buffer | null;

  @Column({ type: 'bytea', name: 'previous_secret_hash', nullable: true })
  readonly previousSecretHash: Buffer | null;

  @Column({ type: 'timestamptz', name: 'previous_secret_until', nullable: true })
  readonly previousSecretUntil: Date | null;

  @Column({ type: 'text', array: true })
  readonly permissions: Permission[];

  @Column({ type: 'text', default: 'free' })
  readonly plan: KeyPlan;

  @Column({ type: 'integer', name: 'per_minute', nullable: true })
  readonly perMinute: number | null;

  @Column({ type: 'integer', nullable: true })
  readonly burst: number | null;

  @Column({ type: 'text' })
  readonly environment: Environment;

  @Column({ type: 'numeric', name: 'monthly_budget', nullable: true })
  readonly monthlyBudget: string | null;

  @Column({ type: 'numeric', name: 'max_per_tx', nullable: true })
  readonly maxPerTx: string | null;

  @Column({ type: 'boolean', default: true })
  readonly enabled: boolean;

  @Column({ type: 'timestamptz', name: 'deleted_at', nullable: true })
  readonly deletedAt: Date | null;

  @Column({ type: 'integer', default: 1 })
  readonly version: number;

  @Column({ type: 'timestamptz', name: 'created_at' })
  readonly createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at' })
  readonly updatedAt: Date;
}
