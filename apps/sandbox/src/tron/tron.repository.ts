import { transaction, type Database, type TransactionClient } from '@tollbridge/database';

/** A block of the EVM node. */
export interface ReadBlock {
  height: number;
  hash: string;
}

/** A transaction in a block. The caller defines `body`. */
export interface StoredTransaction<Body> {
  /** 64 digits. */
  id: string;
  height: number;
  blockHash: string;
  minedAtMs: number;
  execution: string | null;
  /** Base58. */
  owner: string;
  deployed: string | null;
  freeBytes: bigint;
  body: Body;
}

/** Bytes that an account sent without a fee. */
export interface FreeUse {
  bytes: bigint;
  atMs: number;
}

// More blocks than the EVM node can revert, because it keeps fewer states.
const keptBlocks = 512;

export class TronRepository<Body extends object> {
  // Uses SQL over the pool, because tests of other apps start simulators with a pool but without entities.
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** Returns the indexed blocks, newest first. */
  async blocks(): Promise<ReadBlock[]> {
    const { rows } = await this.database.pool.query<{ height: string; hash: string }>(
      'SELECT height, hash FROM tron_blocks ORDER BY height DESC',
    );
    return rows.map(({ height, hash }) => ({ height: Number(height), hash }));
  }

  /** Stores ascending blocks with their transactions, in one transaction of the database. */
  async append(
    blocks: readonly ReadBlock[],
    transactions: readonly StoredTransaction<Body>[],
  ): Promise<void> {
    const newest = blocks.at(-1);
    if (!newest) return;
    await transaction(this.database.pool, async (client) => {
      await client.query(
        'INSERT INTO tron_blocks (height, hash) SELECT * FROM unnest($1::bigint[], $2::text[])',
        [blocks.map(({ height }) => height), blocks.map(({ hash }) => hash)],
      );
      await client.query('DELETE FROM tron_blocks WHERE height <= $1', [newest.height - keptBlocks]);
      for (const it of transactions) await insert(client, it);
    });
  }

  /** Deletes all blocks above a height, with their transactions. */
  async forgetAbove(height: number): Promise<void> {
    await transaction(this.database.pool, async (client) => {
      await client.query('DELETE FROM tron_blocks WHERE height > $1', [height]);
      await client.query('DELETE FROM tron_transactions WHERE height > $1', [height]);
    });
  }

  async find(id: string): Promise<Body | undefined> {
    return (await this.bodies('id = $1', id))[0];
  }

  ofBlock(hash: string): Promise<Body[]> {
    return this.bodies('block_hash = $1', hash);
  }

  /** Returns the deployment of a contract in base58. */
  async deploymentOf(contract: string): Promise<Body | undefined> {
    return (await this.bodies('deployed = $1', contract))[0];
  }

  /** Returns the ids of transactions by their executions on the EVM node. */
  async idsOf(executions: readonly string[]): Promise<Map<string, string>> {
    const { rows } = await this.database.pool.query<{ id: string; execution: string }>(
      'SELECT id, execution FROM tron_transactions WHERE execution = ANY($1)',
      [executions],
    );
    return new Map(rows.map(({ id, execution }) => [execution, id]));
  }

  /** Returns the bytes that an account has sent without a fee since a time, oldest first. */
  async freeUses(owner: string, sinceMs: number): Promise<FreeUse[]> {
    const { rows } = await this.database.pool.query<{ free_bytes: string; mined_at: Date }>(
      `SELECT free_bytes, mined_at FROM tron_transactions
       WHERE owner = $1 AND mined_at > $2 AND free_bytes > 0 ORDER BY mined_at, height`,
      [owner, new Date(sinceMs)],
    );
    return rows.map(({ free_bytes, mined_at }) => ({ bytes: BigInt(free_bytes), atMs: mined_at.getTime() }));
  }

  private async bodies(condition: string, value: string): Promise<Body[]> {
    const { rows } = await this.database.pool.query<{ body: Body }>(
      `SELECT body FROM tron_transactions WHERE ${condition} ORDER BY height`,
      [value],
    );
    return rows.map(({ body }) => body);
  }
}

/** Inserts or updates a transaction: after a reorganisation, it may be mined again in another block. */
async function insert<Body>(client: TransactionClient, it: StoredTransaction<Body>): Promise<void> {
  await client.query(
    `INSERT INTO tron_transactions (id, height, block_hash, mined_at, execution, owner, deployed, free_bytes, body)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (id) DO UPDATE SET height = excluded.height, block_hash = excluded.block_hash,
       mined_at = excluded.mined_at, execution = excluded.execution, body = excluded.body`,
    [
      it.id,
      it.height,
      it.blockHash,
      new Date(it.minedAtMs),
      it.execution,
      it.owner,
      it.deployed,
      String(it.freeBytes),
      JSON.stringify(it.body),
    ],
  );
}
