import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The head of a merchant's ledger. Writers lock this row. */
@Entity('ledgers')
@Retention(keep('the head of each ledger'))
@Index('ledgers_halted', ['haltedAt'], { where: 'halted_at IS NOT NULL' })
@Check('ledgers_check', '(halted_at IS NULL) = (halted_segment IS NULL)')
@Check('ledgers_last_hash_check', 'octet_length(last_hash) = 32')
export class LedgerEntity {
  @PrimaryColumn({ type: 'text' })
  readonly wallet: string;

  @Column({ type: 'bigint', name: 'last_seq', default: 0 })
  readonly lastSeq: string;

  @Column({ type: 'bytea', name: 'last_hash', default: () => "decode(repeat('00', 32), 'hex')" })
  readonly lastHash: Buffer;

  @Column({ type: 'timestamptz', name: 'halted_at', nullable: true })
  readonly haltedAt: Date | null;

  @Column({ type: 'bigint', name: 'halted_segment', nullable: true })
  readonly haltedSegment: string | null;
}
