import { transaction, type Database } from '@tollbridge/database';

export interface StoredTransaction {
  /** Raw address. */
  account: string;
  lt: bigint;
  /** Hexadecimal. */
  hash: string;
  /** Base64. */
  boc: string;
  /** Masterchain block that contains the transaction; 0 for transactions of earlier versions. */
  seqno: number;
  /** Hash of the first transaction of its trace; null for transactions of earlier versions. */
  trace: string | null;
}

/** A transaction with the hashes of its incoming message, which clients find it by. */
export interface NewTransaction extends Omit<StoredTransaction, 'seqno'> {
  trace: string;
  messageHashes: readonly string[];
}

export interface ChainState {
  genesisAtMs: number;
  /** Highest assigned logical time. */
  lt: bigint;
}

/** The changes of one message, which are stored in one commit. */
export interface ChainChange extends ChainState {
  /** Account states by raw address. */
  accounts: ReadonlyMap<string, string>;
  transactions: readonly NewTransaction[];
  /** Masterchain block that contains all of these transactions. */
  seqno: number;
}

interface TransactionRow {
  account: string;
  lt: string;
  hash: string;
  boc: string;
  seqno: number;
  trace: string | null;
}

const placed = `SELECT account, lt, t.hash, t.boc, coalesce(seqno, 0) AS seqno, trace
       FROM ton_transactions t LEFT JOIN ton_places p USING (account, lt)`;

/** Transactions of an account in published blocks. Bounds are inclusive. */
export interface IndexQuery {
  account: string;
  fromLt: bigint | undefined;
  toLt: bigint | undefined;
  /** Number of the block. */
  seqno: number | undefined;
  minSeqno: number;
  maxSeqno: number;
  limit: number;
  isAscending: boolean;
}

export interface TransactionsPage {
  account: string;
  /** Inclusive; undefined for the newest. */
  fromLt?: bigint | undefined;
  /** Exclusive. */
  toLt: bigint;
  limit: number;
}

export class TonRepository {
  // Uses SQL over the pool, because tests of other apps start simulators with a pool but without entities.
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** Returns undefined before the genesis. */
  async state(): Promise<ChainState | undefined> {
    const { rows } = await this.database.pool.query<{ genesis_at: Date; lt: string }>(
      'SELECT genesis_at, lt FROM ton_chain',
    );
    return rows.map(({ genesis_at, lt }) => ({ genesisAtMs: genesis_at.getTime(), lt: BigInt(lt) }))[0];
  }

  async commit({ genesisAtMs, lt, accounts, transactions, seqno }: ChainChange): Promise<void> {
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
      // Fails on a duplicate lt, which detects two processes on one chain.
      await client.query(
        `WITH new AS (
           SELECT * FROM unnest($1::text[], $2::numeric[], $3::text[], $4::text[], $5::text[], $6::text[])
             AS n (account, lt, hash, boc, trace, message_hashes)
         ), stored AS (
           INSERT INTO ton_transactions (account, lt, hash, boc) SELECT account, lt, hash, boc FROM new
         )
         INSERT INTO ton_places (account, lt, hash, seqno, trace, message_hashes)
         SELECT account, lt, hash, $7, trace, string_to_array(message_hashes, ' ') FROM new`,
        [
          transactions.map(({ account }) => account),
          transactions.map((it) => String(it.lt)),
          transactions.map(({ hash }) => hash),
          transactions.map(({ boc }) => boc),
          transactions.map(({ trace }) => trace),
          transactions.map(({ messageHashes }) => messageHashes.join(' ')),
          seqno,
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

  /** Returns transactions, newest first. */
  async transactions({ account, fromLt, toLt, limit }: TransactionsPage): Promise<StoredTransaction[]> {
    const { rows } = await this.database.pool.query<TransactionRow>(
      `${placed}
       WHERE account = $1 AND ($2::numeric IS NULL OR lt <= $2) AND lt > $3 ORDER BY lt DESC LIMIT $4`,
      [account, fromLt === undefined ? null : String(fromLt), String(toLt), limit],
    );
    return rows.map(toTransaction);
  }

  async indexed(query: IndexQuery): Promise<StoredTransaction[]> {
    const { account, fromLt, toLt, seqno, minSeqno, maxSeqno, limit, isAscending } = query;
    const { rows } = await this.database.pool.query<TransactionRow>(
      `${placed}
       WHERE account = $1 AND ($2::numeric IS NULL OR lt >= $2) AND ($3::numeric IS NULL OR lt <= $3)
         AND ($4::integer IS NULL OR seqno = $4) AND coalesce(seqno, 0) BETWEEN $7 AND $5
       ORDER BY lt ${isAscending ? 'ASC' : 'DESC'} LIMIT $6`,
      [
        account,
        fromLt?.toString() ?? null,
        toLt?.toString() ?? null,
        seqno ?? null,
        maxSeqno,
        limit,
        minSeqno,
      ],
    );
    return rows.map(toTransaction);
  }

  /** Returns the trace that contains this transaction, or a transaction with this incoming message. */
  async trace(
    of: { hash: string } | { messageHash: string },
    maxSeqno: number,
  ): Promise<StoredTransaction[]> {
    const [where, value] =
      'hash' in of ? ['hash = $1', of.hash] : ['message_hashes @> ARRAY[$1]', of.messageHash];
    const { rows } = await this.database.pool.query<TransactionRow>(
      `${placed}
       WHERE trace = (SELECT trace FROM ton_places WHERE ${where} LIMIT 1) AND seqno <= $2
       ORDER BY lt, account`,
      [value, maxSeqno],
    );
    return rows.map(toTransaction);
  }

  /** Returns the account's last transaction in blocks up to the given block. */
  async lastTransaction(account: string, seqno: number): Promise<{ lt: bigint; hash: string } | undefined> {
    const { rows } = await this.database.pool.query<{ lt: string; hash: string }>(
      `SELECT lt, t.hash FROM ton_transactions t LEFT JOIN ton_places p USING (account, lt)
       WHERE account = $1 AND coalesce(seqno, 0) <= $2 ORDER BY lt DESC LIMIT 1`,
      [account, seqno],
    );
    return rows.map(({ lt, hash }) => ({ lt: BigInt(lt), hash }))[0];
  }
}

const toTransaction = ({ lt, ...rest }: TransactionRow): StoredTransaction => ({ ...rest, lt: BigInt(lt) });
