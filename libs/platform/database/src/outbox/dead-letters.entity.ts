import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { PersonalData } from '../retention/personal-data';
import { keep, Retention } from '../retention/retention';

const deadLetters = keep('each waits for an operator; deleted once it is handled');

/** An event that could not be handled. */
@Entity('dead_letters')
@PersonalData({ columns: ['event', 'reason'] })
@Retention(deadLetters)
export class DeadLetterRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;
  @Column('text')
  consumer: string;
  /** Text of the message as received. */
  @Column('text')
  event: string;
  @Column('text')
  reason: string;
  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;
}

/** A dead letter in a schema with `deadLetterRetries`. */
@Entity('dead_letters')
@PersonalData({ columns: ['event', 'reason'] })
@Retention(deadLetters)
export class RetriedDeadLetterRow extends DeadLetterRow {
  /** When the app retries it, or the end of a replica's lease on it; null until an operator requests a retry. */
  @Column('timestamptz', { nullable: true })
  retry_at: Date | null;
}
