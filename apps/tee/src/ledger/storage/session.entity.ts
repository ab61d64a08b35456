import { keep, pruneBelow, Retention } from '@tollbridge/database';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The amount spent under one grant of a wallet to a session key or a hash chain. */
@Entity('sessions')
@Retention(keep('what was spent under each grant'))
@Check('sessions_grant_digest_check', 'octet_length(grant_digest) = 32')
@Check('sessions_check', 'spent >= 0 AND spent <= max_total')
@Check('sessions_link_check', 'octet_length(link) = 32')
export class SessionRow {
  @PrimaryColumn('bytea')
  grant_digest: Buffer;
  @Column('bytea')
  account: Buffer;
  @Column('bytea')
  nonce: Buffer;
  @Column('bigint')
  spent: string;
  @Column('numeric', { precision: 39, scale: 0 })
  max_total: string;
  /** Unix seconds, as in the signed grant. */
  @Column('bigint')
  valid_before: string;
  @Column('bytea', { nullable: true })
  link: Buffer | null;
}

/** The nonce of a payment or grant that must never be charged. */
@Entity('cancellations')
@Retention(keep('a cancelled payment may be valid until any later time'))
export class CancellationRow {
  @PrimaryColumn('bytea')
  account: Buffer;
  @PrimaryColumn('bytea')
  nonce: Buffer;
  @Column('timestamptz')
  created_at: Date;
}

/** The nonce of an owner's order, used once. */
@Entity('used_nonces')
@Retention(
  pruneBelow({
    days: 7,
    column: 'valid_before',
    isUnixSeconds: true,
    orderBy: 'valid_before',
    rule: 'the order of the owner has expired, so it is rejected also without its nonce',
  }),
)
@Index('used_nonces_old', ['valid_before'])
export class UsedNonceRow {
  @PrimaryColumn('bytea')
  account: Buffer;
  @PrimaryColumn('bytea')
  nonce: Buffer;
  @Column('bigint')
  valid_before: string;
}
