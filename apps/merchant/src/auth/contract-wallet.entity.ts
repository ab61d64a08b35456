import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The chain of a contract wallet's first proof. */
@Entity('contract_wallets')
@Retention(keep('binds a contract wallet to its first chain'))
@Index('contract_wallets_proven', ['provenAt'])
@Check('contract_wallets_chain_id_check', 'chain_id > 0')
@Check('contract_wallets_wallet_check', "wallet <> ''")
export class ContractWalletEntity {
  @PrimaryColumn({ type: 'text' })
  readonly wallet: string;

  @Column({ type: 'bigint', name: 'chain_id' })
  readonly chainId: string;

  @Column({ type: 'timestamptz', name: 'proven_at' })
  readonly provenAt: Date;
}
