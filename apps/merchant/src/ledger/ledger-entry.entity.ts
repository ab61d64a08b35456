import { keep, Retention } from '@tollbridge/database';
import type { LedgerAccount } from '@tollbridge/contracts';
import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { LedgerTransactionEntity } from './ledger-transaction.entity';

/**
 * An entry of a ledger transaction. Triggers require that each statement sums to zero, and reject updates and deletes.
 */
@Entity('ledger_entries')
@Retention(keep('the ledger: rows are only added, and the hash chain needs all'))
@Check(
  'ledger_entries_account_check',
  "account = ANY (ARRAY['payer', 'merchant:received', 'fees', 'refunds'])",
)
@Check('ledger_entries_amount_check', 'amount <> (0)::numeric')
@Check('ledger_entries_plausible', "abs(amount) < '1361129467683753853853498429727072845824'::numeric")
@Check('ledger_entries_position_check', '"position" > 0')
@ForeignKey(() => LedgerTransactionEntity, ['wallet', 'seq'], ['wallet', 'seq'], {
  name: 'ledger_entries_wallet_seq_fkey',
})
export class LedgerEntryEntity {
  @PrimaryColumn({ type: 'text' })
  readonly wallet: string;

  @PrimaryColumn({ type: 'bigint' })
  readonly seq: string;

  @PrimaryColumn({ type: 'smallint' })
  readonly position: number;

  @Column({ type: 'text' })
  readonly account: LedgerAccount;

  @Column({ type: 'text' })
  readonly chain: string;

  @Column({ type: 'text' })
  readonly token: string;

  @Column({ type: 'numeric', precision: 78, scale: 0 })
  readonly amount: string;
}
