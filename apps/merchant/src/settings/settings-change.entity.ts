import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** The audit log of settings. */
@Entity('settings_changes')
@Retention(keep('an audit log: rows are only added'))
// TypeORM cannot describe indexes with descending or INCLUDE columns, so the migrations create them.
@Index('settings_changes_wallet', { synchronize: false })
@Check('settings_changes_change_check', "change = ANY (ARRAY['stored', 'deleted'])")
export class SettingsChangeEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  readonly seq: string;

  @Column({ type: 'text' })
  readonly wallet: string;

  @Column({ type: 'text' })
  readonly change: 'stored' | 'deleted';

  @Column({ type: 'text', name: 'request_id' })
  readonly requestId: string;

  @Column({ type: 'timestamptz', name: 'changed_at' })
  readonly changedAt: Date;
}
