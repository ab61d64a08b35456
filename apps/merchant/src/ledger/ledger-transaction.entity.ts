import { keep, Retention } from '@tollbridge/database';
import type { LedgerKind } from '@tollbridge/contracts';
import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { LedgerEntity } from './ledger.entity';

/** A ledger transaction, chained by hashes. Triggers reject updates, deletes and transactions without entries. */
@Entity('ledger_transactions')
@Retention(keep('the ledger: rows are only added, and the hash chain needs all'))
@Check('ledger_transactions_hash_check', 'octet_length(hash) = 32')
@Check('ledger_transactions_kind_check', "kind = ANY (ARRAY['payment', 'refund', 'reversal', 'correction'])")
@Check('ledger_transactions_previous_hash_check', 'octet_length(previous_hash) = 32')
@Unique('ledger_transactions_reference_version_key', ['reference', 'version'])
@Check('ledger_transactions_seq_check', 'seq > 0')
@Unique('ledger_transactions_id_key', ['id'])
export class LedgerTransactionEntity {
  @ForeignKey(() => LedgerEntity, { name: 'ledger_transactions_wallet_fkey' })
  @PrimaryColumn({ type: 'text' })
  readonly wallet: string;

  @PrimaryColumn({ type: 'bigint' })
  readonly seq: string;

  @Column({ type: 'uuid' })
  readonly id: string;

  @Column({ type: 'text' })
  readonly kind: LedgerKind;

  @Column({ type: 'text' })
  readonly reference: string;

  @Column({ type: 'integer' })
  readonly version: number;

  @Column({ type: 'timestamptz', name: 'occurred_at' })
  readonly occurredAt: Date;

  @Column({ type: 'bytea', name: 'previous_hash' })
  readonly previousHash: Buffer;

  @Column({ type: 'bytea' })
  readonly hash: Buffer;
}
