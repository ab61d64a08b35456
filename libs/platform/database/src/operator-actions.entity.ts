import { Check, Column, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { keep, Retention } from './retention/retention';

/** An action of an operator. The table is append-only: a trigger rejects updates and deletes. */
@Entity('operator_actions')
@Retention(keep('the audit log: rows are only added'))
@Unique('operator_actions_id_key', ['id'])
@Check('operator_actions_operator_check', "operator <> ''")
@Check('operator_actions_caller_check', "caller <> ''")
@Check('operator_actions_action_check', "action <> ''")
@Check('operator_actions_outcome_check', "outcome = ANY (ARRAY['done', 'failed'])")
@Check('operator_actions_failed', "(outcome = 'failed') = (error IS NOT NULL)")
export class OperatorActionRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  seq: string;
  @Column('uuid')
  id: string;
  @Column('timestamptz', { default: () => 'now()' })
  at: Date;
  /** Name of the operator. */
  @Column('text')
  operator: string;
  /** The app identity that signed the call, or the command. */
  @Column('text')
  caller: string;
  @Column('text')
  action: string;
  @Column('text')
  target: string;
  @Column('text')
  reason: string;
  @Column('text')
  outcome: 'done' | 'failed';
  @Column('json', { nullable: true })
  before: object | null;
  @Column('json', { nullable: true })
  after: object | null;
  @Column('text', { nullable: true })
  error: string | null;
  @Column('text')
  request_id: string;
}
