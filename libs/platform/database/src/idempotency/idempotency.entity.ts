import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { PersonalData } from '../retention/personal-data';
import { Retention, swept } from '../retention/retention';

/** An idempotency key, the call that claimed it, and the stored reply. */
@Entity('idempotency_keys')
@PersonalData({ columns: ['reply'], unless: 'answered_at IS NULL' })
@Retention(swept({ by: 'IdempotencySweep', rule: 'a day after the call' }))
@Index('idempotency_keys_created', ['created_at'])
@Check('idempotency_keys_key_check', 'octet_length(key) = 32')
@Check('idempotency_keys_input_check', 'octet_length(input) = 32')
@Check('idempotency_reply_fits', 'octet_length(reply) <= 1000000')
@Check('idempotency_answered', '(reply IS NULL) = (answered_at IS NULL)')
export class IdempotencyKeyRow {
  /** SHA-256 of the operation, the caller and the key. */
  @PrimaryColumn('bytea')
  key: Buffer;
  /** HMAC of the input. */
  @Column('bytea')
  input: Buffer;
  /** Identifies the call that is being served. */
  @Column('uuid')
  claim: string;
  @Column('timestamptz')
  lease_until: Date;
  /** The encoded reply as sent on the bus, encrypted if `is_sealed`. */
  @Column('bytea', { nullable: true })
  reply: Buffer | null;
  @Column('boolean', { default: false })
  is_sealed: boolean;
  /** Error code of a failed reply. */
  @Column('text', { nullable: true })
  failure: string | null;
  @Column('timestamptz', { nullable: true })
  answered_at: Date | null;
  @Column('timestamptz')
  created_at: Date;
}
