import { transaction, type Database } from '@tollbridge/database';

export interface StoredTransaction {
  /** Raw form. */
  account: string;
  lt: bigint;
  /** Hexadecimal. */
  hash: string;
  /** Base64. */
  boc: string;
}

export interface ChainState {
  genesisAtMs: number;
  /** Largest assigned logical time. */
  lt: bigint;
}

/** Effects of one message: stored as a whole, or not at all. */
export interface ChainChange extends ChainState {
  /** By raw address. */
  accounts: ReadonlyMap<string, string>;
  transactions: readonly StoredTransaction[];
}

interface TransactionRow {
  account: string;
  lt: string;
  hash: string;
  boc: string;
}

export interface TransactionsPage {
  account: string;
  /** Inclusive; the newest without it. */
  fromLt?: bigint | undefined;
  /** Exclusive. */
  toLt: bigint;
  limit: number;
}

export class TonRepository {
  // SQL over the pool: tests of other apps start simulators with a pool, without entities.
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** Undefined before the genesis. */
  async state(): Promise<ChainState | undefined> {
    const { rows } = await this.database.pool.query<{ genesis_at: Date; lt: string }>(
      'SELECT genesis_at, lt FROM ton_chain',
    );
    return rows.map(({ genesis_at, lt }) => ({ genesisAtMs: genesis_at.getTime(), lt: BigInt(lt) }))[0];
  }

  async commit({ genesisAtMs, lt, accounts, transactions }: ChainChange): Promise<void> {
    await transaction(this.database.pool, async (client) => {
      await client.query(
        `INSERT INTO ton_chain (genesis_at, lt) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET lt = excluded.lt`,
        [new Date(genesisAtMs), String(lt)],
      );
      await client.query(
        `INSERT INTO ton_accounts (address, shard_account) SELECT * FROM unnest($1::text[], $2::text[])
         ON CONFLICT (address) DO UPDATE SET shard_account = excluded.shard_account`,
        [[...accounts.keys()], [...accounts.values()]],
      );
      // Fails on a duplicate lt, and so detects two processes on one chain.
      await client.query(
        `INSERT INTO ton_transactions (account, lt, hash, boc)
         SELECT * FROM unnest($1::text[], $2::numeric[], $3::text[], $4::text[])`,
        [
          transactions.map(({ account }) => account),
          transactions.map((it) => String(it.lt)),
          transactions.map(({ hash }) => hash),
          transactions.map(({ boc }) => boc),
        ],
      );
    });
  }

  async account(address: string): Promise<string | undefined> {
    const { rows } = await this.database.pool.query<{ shard_account: string }>(
      'SELECT shard_account FROM ton_accounts WHERE address = $1',
      [address],
    );
    return rows[0]?.shard_account;
  }

  /** Newest first. */
  async transactions({ account, fromLt, toLt, limit }: TransactionsPage): Promise<StoredTransaction[]> {
    const { rows } = await this.database.pool.query<TransactionRow>(
      `SELECT account, lt, hash, boc FROM ton_transactions
       WHERE account = $1 AND ($2::numeric IS NULL OR lt <= $2) AND lt > $3 ORDER BY lt DESC LIMIT $4`,
      [account, fromLt === undefined ? null : String(fromLt), String(toLt), limit],
    );
    return rows.map(({ lt, ...rest }) => ({ ...rest, lt: BigInt(lt) }));
  }
}
