import { keep, Retention } from '@tollbridge/database';
import type { SignInScheme } from '@tollbridge/wallet-proof';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An address with a signed proof that it receives payments for a merchant's wallet. */
@Entity('proven_receivers')
@Retention(keep('a setting of the merchant'))
@Index('proven_receivers_address', ['address'])
@Check('proven_receivers_address_check', "address <> ''")
@Check('proven_receivers_chain_id_check', 'chain_id >= 0')
@Check('proven_receivers_scheme_check', "scheme = ANY (ARRAY['eip4361', 'ton_proof', 'solana'])")
@Check('proven_receivers_wallet_check', "wallet <> ''")
export class ProvenReceiverEntity {
  @PrimaryColumn({ type: 'text' })
  readonly wallet: string;

  @PrimaryColumn({ type: 'text' })
  readonly address: string;

  @Column({ type: 'text' })
  readonly scheme: SignInScheme;

  @PrimaryColumn({ type: 'bigint', name: 'chain_id' })
  readonly chainId: string;

  @Column({ type: 'timestamptz', name: 'proven_at' })
  readonly provenAt: Date;
}
