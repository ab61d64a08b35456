import { Retention, swept } from '@tollbridge/database';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The nonce of an accepted proof, stored until the challenge has expired. */
@Entity('spent_nonces')
@Retention(swept({ by: 'AuthSweep', rule: 'an hour after the challenge has expired' }))
@Index('spent_nonces_expires', ['expiresAt'])
@Check('spent_nonces_nonce_check', 'octet_length(nonce) = 32')
export class SpentNonceEntity {
  @PrimaryColumn({ type: 'bytea' })
  readonly nonce: Buffer;

  @Column({ type: 'timestamptz', name: 'expires_at' })
  readonly expiresAt: Date;
}
