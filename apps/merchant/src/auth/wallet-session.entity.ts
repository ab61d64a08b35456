import { Retention, swept } from '@tollbridge/database';
import type { SignInScheme } from '@tollbridge/wallet-proof';
import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** A session of a wallet that has signed in. */
@Entity('wallet_sessions')
@Retention(swept({ by: 'AuthSweep', rule: '30 days after the session has expired' }))
// TypeORM cannot describe indexes with descending or INCLUDE columns, so the migrations create them.
@Index('wallet_sessions_expires', ['expiresAt'])
@Index('wallet_sessions_wallet', { synchronize: false })
@Check('wallet_sessions_chain_id_check', 'chain_id > 0')
@Check('wallet_sessions_pepper_id_check', 'octet_length(pepper_id) = 8')
@Check('wallet_sessions_scheme_check', "scheme = ANY (ARRAY['eip4361', 'ton_proof', 'solana'])")
@Check('wallet_sessions_token_hash_check', 'octet_length(token_hash) = 32')
@Check('wallet_sessions_wallet_check', "wallet <> ''")
@Unique('wallet_sessions_token_hash_key', ['tokenHash'])
export class WalletSessionEntity {
  @PrimaryColumn({ type: 'uuid' })
  readonly id: string;

  @Column({ type: 'text' })
  readonly wallet: string;

  @Column({ type: 'bytea', name: 'token_hash' })
  readonly tokenHash: Buffer;

  @Column({ type: 'bytea', name: 'pepper_id', nullable: true })
  readonly pepperId: Buffer | null;

  @Column({ type: 'text' })
  readonly scheme: SignInScheme;

  @Column({ type: 'bigint', name: 'chain_id', nullable: true })
  readonly chainId: string | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  readonly createdAt: Date;

  @Column({ type: 'timestamptz', name: 'expires_at' })
  readonly expiresAt: Date;

  @Column({ type: 'timestamptz', name: 'revoked_at', nullable: true })
  readonly revokedAt: Date | null;
}
