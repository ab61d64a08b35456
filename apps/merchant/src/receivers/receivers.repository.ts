import { Injectable } from '@nestjs/common';
import { DomainError } from '@tollbridge/rpc';
import type { Chain, ChainFamily } from '@tollbridge/chains';
import { Database, lockRows, transaction, type TransactionClient } from '@tollbridge/database';
import type { SignInScheme } from '@tollbridge/wallet-proof';
import type { Pool } from 'pg';
import type { Repository } from 'typeorm';
import { spendNonce } from '../auth/auth.repository';
import { ProvenReceiverEntity } from './proven-receiver.entity';

export interface ProvenReceiver {
  wallet: string;
  /** The address in canonical form. */
  address: string;
  scheme: SignInScheme;
  /** The chain of a contract that signed. 0 for a key, because its proof is valid on all chains of the family. */
  chainId: number;
  provenAtMs: number;
}

/** An address on a chain. */
export interface ReceivingPlace {
  chain: Pick<Chain, 'family' | 'chainId'>;
  address: string;
}

// The maximum number for one reply.
const maxReceivers = 100;
const schemes: Partial<Record<ChainFamily, SignInScheme>> = {
  evm: 'eip4361',
  ton: 'ton_proof',
  solana: 'solana',
};

/**
 * A statement for the wallets that have proven `address`: wallets that the address has signed for, and the wallet with
 * this address. A contract that signs on another chain does not count. Uses SQL for a union over two tables.
 */
const ownersOf = (address: string, scheme: string, chainId: string): string => `
  SELECT ${address} AS wallet WHERE NOT EXISTS (
    SELECT FROM contract_wallets c WHERE c.wallet = ${address} AND c.chain_id IS DISTINCT FROM ${chainId})
  UNION SELECT r.wallet FROM proven_receivers r
  WHERE r.address = ${address} AND r.scheme = ${scheme} AND (r.chain_id = 0 OR r.chain_id = ${chainId})`;

/** The only file that reads and writes proofs of receiving addresses. */
@Injectable()
export class ReceiversRepository {
  private readonly pool: Pool;
  private readonly rows: Repository<ProvenReceiverEntity>;

  constructor({ pool, dataSource }: Database) {
    this.pool = pool;
    this.rows = dataSource.getRepository(ProvenReceiverEntity);
  }

  /**
   * Stores a proof. Uses SQL to lock the wallet's proofs until the commit.
   * @param also makes further writes in the same transaction
   * @returns false when the nonce was used before
   * @throws DomainError CONFLICT when the wallet has the maximum number of proofs
   */
  add(
    receiver: ProvenReceiver,
    nonce: { nonce: string; nonceExpiresAtMs: number },
    also: (client: TransactionClient) => Promise<void>,
  ): Promise<boolean> {
    const { wallet, address, scheme, chainId, provenAtMs } = receiver;
    return transaction(this.pool, async (client) => {
      // Serialises the proofs of a wallet, so that concurrent proofs do not exceed the maximum.
      await lockRows(client, 'receivers', [wallet]);
      if (!(await spendNonce(client, nonce))) return false;
      const { rows } = await client.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM proven_receivers
         WHERE wallet = $1 AND (address, chain_id) IS DISTINCT FROM ($2, $3::bigint)`,
        [wallet, address, chainId],
      );
      if (rows[0]!.count >= maxReceivers)
        throw new DomainError(
          'CONFLICT',
          `A wallet has at most ${maxReceivers} proven addresses; delete one first.`,
        );
      await client.query(
        `INSERT INTO proven_receivers (wallet, address, scheme, chain_id, proven_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (wallet, address, chain_id) DO UPDATE SET proven_at = excluded.proven_at`,
        [wallet, address, scheme, chainId, new Date(provenAtMs)],
      );
      await also(client);
      return true;
    });
  }

  /** The proofs of a wallet, newest first. */
  async list(wallet: string): Promise<ProvenReceiver[]> {
    const rows = await this.rows.find({
      where: { wallet },
      order: { provenAt: 'DESC', address: 'ASC', chainId: 'ASC' },
      take: maxReceivers,
    });
    return rows.map(({ address, scheme, chainId, provenAt }) => ({
      wallet,
      address,
      scheme,
      chainId: Number(chainId),
      provenAtMs: provenAt.getTime(),
    }));
  }

  /** @returns whether the wallet had a proof of this address */
  async delete(wallet: string, address: string): Promise<boolean> {
    const { affected } = await this.rows.delete({ wallet, address });
    return affected !== 0;
  }

  /** The wallets that have proven a receiving address; empty on chains where addresses cannot sign. */
  async ownersOf({ chain, address }: ReceivingPlace, by: Pick<Pool, 'query'> = this.pool): Promise<string[]> {
    const scheme = schemes[chain.family];
    if (scheme === undefined) return [];
    const { rows } = await by.query<{ wallet: string }>({
      name: 'receiver-owners',
      text: ownersOf('$1::text', '$2::text', '$3::bigint'),
      values: [address, scheme, chain.chainId],
    });
    return rows.map(({ wallet }) => wallet);
  }

  /** Whether the wallet has proven each place, in the given order. */
  async hasProven(wallet: string, places: readonly ReceivingPlace[]): Promise<boolean[]> {
    const { rows } = await this.pool.query<{ is_proven: boolean }>({
      name: 'receivers-proven',
      text: `SELECT scheme IS NOT NULL AND $1 IN (${ownersOf('place.address', 'place.scheme', 'place.chain_id')}) AS is_proven
             FROM unnest($2::text[], $3::text[], $4::bigint[]) WITH ORDINALITY AS place (address, scheme, chain_id, at)
             ORDER BY at`,
      values: [
        wallet,
        places.map(({ address }) => address),
        places.map(({ chain }) => schemes[chain.family] ?? null),
        places.map(({ chain }) => chain.chainId),
      ],
    });
    return rows.map((row) => row.is_proven);
  }
}
