import { transaction, type Database } from '@tollbridge/database';
import type { TransactionMeta } from './transaction-meta';

export interface AccountState {
  lamports: bigint;
  /** Address of the program that is the owner. */
  owner: string;
  data: Uint8Array;
  executable: boolean;
}

export interface StoredTransaction {
  slot: number;
  /** Position within the slot's transactions. */
  position: number;
  signature: string;
  wire: Buffer;
  meta: TransactionMeta;
}

export interface StoredState {
  genesisAtMs: number;
  accounts: ReadonlyMap<string, AccountState>;
  /** Slot and position of the newest transaction; undefined before the first. */
  newest: { slot: number; position: number } | undefined;
}

/** The changes of one transaction, which are stored in one commit. */
export interface StateChange {
  /** Accounts by address; undefined for a closed account. */
  accounts: ReadonlyMap<string, AccountState | undefined>;
  transaction?: StoredTransaction & { addresses: readonly string[] };
}

export interface SignaturesPage {
  address: string;
  /** Excludes this signature and newer ones. */
  before: string | undefined;
  /** Excludes this signature and older ones. */
  until: string | undefined;
  lastSlot: number;
  limit: number;
}

interface TransactionRow {
  slot: string;
  position: number;
  signature: string;
  wire: Buffer;
  meta: TransactionMeta;
}

const columns = 'slot, position, signature, wire, meta';

export class SolanaRepository {
  // Uses SQL over the pool, because tests of other apps start simulators with a pool but without entities.
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** Returns undefined before the genesis. */
  async state(): Promise<StoredState | undefined> {
    const { pool } = this.database;
    const chain = await pool.query<{ genesis_at: Date }>('SELECT genesis_at FROM solana_chain');
    const [row] = chain.rows;
    if (!row) return undefined;
    const accounts = await pool.query<{
      address: string;
      lamports: string;
      owner: string;
      data: Buffer;
      executable: boolean;
    }>('SELECT address, lamports, owner, data, executable FROM solana_accounts');
    const newest = await pool.query<{ slot: string; position: number }>(
      'SELECT slot, position FROM solana_transactions ORDER BY slot DESC, position DESC LIMIT 1',
    );
    return {
      genesisAtMs: row.genesis_at.getTime(),
      accounts: new Map(
        accounts.rows.map(({ address, lamports, ...rest }) => [
          address,
          { ...rest, lamports: BigInt(lamports) },
        ]),
      ),
      newest: newest.rows.map(({ slot, position }) => ({ slot: Number(slot), position }))[0],
    };
  }

  async begin(genesisAtMs: number, accounts: ReadonlyMap<string, AccountState>): Promise<void> {
    await transaction(this.database.pool, async (client) => {
      await client.query('INSERT INTO solana_chain (genesis_at) VALUES ($1)', [new Date(genesisAtMs)]);
      await writeAccounts(client, accounts);
    });
  }

  /** Commits a change. It fails on a duplicate position, which detects two processes on one chain. */
  async commit({ accounts, transaction: added }: StateChange): Promise<void> {
    await transaction(this.database.pool, async (client) => {
      await writeAccounts(client, accounts);
      if (!added) return;
      const { slot, position, signature, wire, meta, addresses } = added;
      await client.query(
        `INSERT INTO solana_transactions (${columns}, addresses) VALUES ($1, $2, $3, $4, $5, $6)`,
        [slot, position, signature, wire, JSON.stringify(meta), [...addresses]],
      );
    });
  }

  async transaction(signature: string): Promise<StoredTransaction | undefined> {
    const [found] = await this.read('signature = $1', [signature]);
    return found;
  }

  transactionsOf(slot: number): Promise<StoredTransaction[]> {
    return this.read('slot = $1 ORDER BY position', [slot]);
  }

  /** Returns signatures, newest first; none if a given signature is unknown. */
  async signatures({
    address,
    before,
    until,
    lastSlot,
    limit,
  }: SignaturesPage): Promise<StoredTransaction[]> {
    const [upper, lower] = await Promise.all([this.place(before), this.place(until)]);
    if ((before !== undefined && !upper) || (until !== undefined && !lower)) return [];
    return this.read(
      `addresses @> ARRAY[$1] AND slot <= $2
         AND ($3::bigint IS NULL OR (slot, position) < ($3, $4::integer))
         AND ($5::bigint IS NULL OR (slot, position) > ($5, $6::integer))
       ORDER BY slot DESC, position DESC LIMIT $7`,
      [
        address,
        lastSlot,
        upper?.slot ?? null,
        upper?.position ?? null,
        lower?.slot ?? null,
        lower?.position ?? null,
        limit,
      ],
    );
  }

  private async place(signature: string | undefined): Promise<StoredTransaction | undefined> {
    return signature === undefined ? undefined : this.transaction(signature);
  }

  private async read(where: string, values: unknown[]): Promise<StoredTransaction[]> {
    const { rows } = await this.database.pool.query<TransactionRow>(
      `SELECT ${columns} FROM solana_transactions WHERE ${where}`,
      values,
    );
    return rows.map(({ slot, ...rest }) => ({ ...rest, slot: Number(slot) }));
  }
}

type Client = Parameters<Parameters<typeof transaction>[1]>[0];

async function writeAccounts(
  client: Client,
  accounts: ReadonlyMap<string, AccountState | undefined>,
): Promise<void> {
  const closed = [...accounts].flatMap(([address, state]) => (state ? [] : [address]));
  const left = [...accounts].flatMap(([address, state]) => (state ? [{ address, ...state }] : []));
  await client.query('DELETE FROM solana_accounts WHERE address = ANY($1)', [closed]);
  await client.query(
    `INSERT INTO solana_accounts (address, lamports, owner, data, executable)
     SELECT * FROM unnest($1::text[], $2::numeric[], $3::text[], $4::bytea[], $5::boolean[])
     ON CONFLICT (address) DO UPDATE SET lamports = excluded.lamports, owner = excluded.owner,
       data = excluded.data, executable = excluded.executable`,
    [
      left.map(({ address }) => address),
      left.map(({ lamports }) => String(lamports)),
      left.map(({ owner }) => owner),
      left.map(({ data }) => Buffer.from(data)),
      left.map(({ executable }) => executable),
    ],
  );
}
