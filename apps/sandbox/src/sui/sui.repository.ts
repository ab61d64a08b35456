import { transaction, type Database } from '@tollbridge/database';
import type { Owner, SuiObject } from './objects';

export interface StoredChange {
  readonly id: string;
  readonly before: { readonly version: number; readonly type: string } | null;
  readonly after: { readonly version: number; readonly type: string } | null;
}

/** The parts of a transaction that replies contain, as JSON. */
export interface StoredOutcome {
  readonly sender: string;
  /** Null for a transaction that succeeded. */
  readonly failure: string | null;
  readonly changes: readonly StoredChange[];
  readonly balanceChanges: readonly { owner: string; coinType: string; amount: string }[];
}

export interface StoredTransaction {
  readonly sequence: number;
  readonly digest: string;
  readonly checkpoint: number;
  readonly data: Uint8Array;
  readonly signatures: readonly string[];
  readonly effects: Uint8Array;
  readonly outcome: StoredOutcome;
}

export interface StoredEvent {
  readonly sequence: number;
  readonly position: number;
  readonly checkpoint: number;
  readonly type: string;
  readonly contents: Uint8Array;
  readonly digest: string;
}

export interface EventsPage {
  type?: string | undefined;
  /** Returns only the events of this transaction. */
  digest?: string | undefined;
  /** Exclusive. */
  aboveCheckpoint?: number | undefined;
  belowCheckpoint: number;
  /** Exclusive. */
  after?: { sequence: number; position: number } | undefined;
  limit: number;
}

/** The changes of one transaction, which are stored in one commit. */
export interface ChainChange {
  transaction: StoredTransaction;
  events: readonly { type: string; contents: Uint8Array }[];
  written: readonly SuiObject[];
  deleted: readonly string[];
}

interface ObjectRow {
  id: string;
  version: string;
  digest: string;
  owner_kind: Owner['kind'];
  owner: string | null;
  shared_at: string | null;
  type: string;
  contents: Buffer;
  previous_transaction: string;
}

interface TransactionRow {
  sequence: string;
  digest: string;
  checkpoint: string;
  transaction_data: Buffer;
  signatures: string[];
  effects: Buffer;
  outcome: StoredOutcome;
}

interface EventRow {
  sequence: string;
  position: number;
  checkpoint: string;
  type: string;
  contents: Buffer;
  digest: string;
}

type Client = { query(text: string, values: unknown[]): Promise<unknown> };

/** State of the local Sui network. */
export class SuiRepository {
  // Uses SQL over the pool, because tests of other apps start simulators with a pool but without entities.
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** Returns undefined before the genesis. */
  async genesisAtMs(): Promise<number | undefined> {
    const { rows } = await this.database.pool.query<{ genesis_at: Date }>('SELECT genesis_at FROM sui_chain');
    return rows[0]?.genesis_at.getTime();
  }

  async createGenesis(atMs: number, objects: readonly SuiObject[]): Promise<void> {
    await transaction(this.database.pool, async (client) => {
      await client.query('INSERT INTO sui_chain (genesis_at) VALUES ($1)', [new Date(atMs)]);
      await writeObjects(client, objects);
    });
  }

  async addObjects(objects: readonly SuiObject[]): Promise<void> {
    await transaction(this.database.pool, (client) => writeObjects(client, objects));
  }

  /** Commits a change. It fails on a duplicate sequence number, which detects two processes on one chain. */
  async commit({ transaction: it, events, written, deleted }: ChainChange): Promise<void> {
    await transaction(this.database.pool, async (client) => {
      await client.query(
        `INSERT INTO sui_transactions (sequence, digest, checkpoint, transaction_data, signatures, effects, outcome)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [
          it.sequence,
          it.digest,
          it.checkpoint,
          Buffer.from(it.data),
          it.signatures,
          Buffer.from(it.effects),
          JSON.stringify(it.outcome),
        ],
      );
      for (const [position, { type, contents }] of events.entries())
        await client.query(
          'INSERT INTO sui_events (sequence, position, checkpoint, type, contents) VALUES ($1, $2, $3, $4, $5)',
          [it.sequence, position, it.checkpoint, type, Buffer.from(contents)],
        );
      await client.query('DELETE FROM sui_objects WHERE id = ANY($1)', [deleted]);
      await writeObjects(client, written);
    });
  }

  async objects(ids: readonly string[]): Promise<SuiObject[]> {
    const { rows } = await this.database.pool.query<ObjectRow>(
      'SELECT * FROM sui_objects WHERE id = ANY($1)',
      [ids],
    );
    return rows.map(objectOf);
  }

  /** Returns objects in the order of their ids. */
  async ownedObjects(page: {
    owner: string;
    type?: string | undefined;
    after?: string | undefined;
    limit: number;
  }): Promise<SuiObject[]> {
    const { rows } = await this.database.pool.query<ObjectRow>(
      `SELECT * FROM sui_objects WHERE owner_kind = 'address' AND owner = $1 AND ($2::text IS NULL OR type = $2)
       AND ($3::text IS NULL OR id > $3) ORDER BY id LIMIT $4`,
      [page.owner, page.type ?? null, page.after ?? null, page.limit],
    );
    return rows.map(objectOf);
  }

  async transactions(digests: readonly string[]): Promise<StoredTransaction[]> {
    const { rows } = await this.database.pool.query<TransactionRow>(
      'SELECT * FROM sui_transactions WHERE digest = ANY($1)',
      [digests],
    );
    return rows.map(transactionOf);
  }

  /** Returns the newest transaction. */
  async lastTransaction(): Promise<StoredTransaction | undefined> {
    const { rows } = await this.database.pool.query<TransactionRow>(
      'SELECT * FROM sui_transactions ORDER BY sequence DESC LIMIT 1',
    );
    return rows.map(transactionOf)[0];
  }

  /** Returns events in the order of the chain. */
  async events({
    type,
    digest,
    aboveCheckpoint,
    belowCheckpoint,
    after,
    limit,
  }: EventsPage): Promise<StoredEvent[]> {
    const { rows } = await this.database.pool.query<EventRow>(
      `SELECT e.*, t.digest FROM sui_events e JOIN sui_transactions t USING (sequence)
       WHERE ($1::text IS NULL OR e.type = $1) AND ($2::text IS NULL OR t.digest = $2)
       AND e.checkpoint > $3 AND e.checkpoint < $4 AND (e.sequence, e.position) > ($5, $6)
       ORDER BY e.sequence, e.position LIMIT $7`,
      [
        type ?? null,
        digest ?? null,
        aboveCheckpoint ?? -1,
        belowCheckpoint,
        after?.sequence ?? -1,
        after?.position ?? -1,
        limit,
      ],
    );
    return rows.map(({ sequence, checkpoint, ...rest }) => {
      return { ...rest, sequence: Number(sequence), checkpoint: Number(checkpoint) };
    });
  }
}

async function writeObjects(client: Client, objects: readonly SuiObject[]): Promise<void> {
  for (const { id, version, digest, owner, type, contents, previousTransaction } of objects)
    await client.query(
      `INSERT INTO sui_objects (id, version, digest, owner_kind, owner, shared_at, type, contents, previous_transaction)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT (id) DO UPDATE SET version = excluded.version, digest = excluded.digest, owner_kind = excluded.owner_kind,
       owner = excluded.owner, shared_at = excluded.shared_at, contents = excluded.contents,
       previous_transaction = excluded.previous_transaction`,
      [
        id,
        String(version),
        digest,
        owner.kind,
        owner.kind === 'shared' ? null : owner.id,
        owner.kind === 'shared' ? String(owner.version) : null,
        type,
        Buffer.from(contents),
        previousTransaction,
      ],
    );
}

function objectOf(row: ObjectRow): SuiObject {
  const { id, digest, type } = row;
  return {
    id,
    digest,
    type,
    version: BigInt(row.version),
    owner:
      row.owner_kind === 'shared'
        ? { kind: 'shared', version: BigInt(row.shared_at!) }
        : { kind: row.owner_kind, id: row.owner! },
    contents: Uint8Array.from(row.contents),
    previousTransaction: row.previous_transaction,
  };
}

function transactionOf(row: TransactionRow): StoredTransaction {
  const { digest, signatures, outcome } = row;
  return {
    digest,
    signatures,
    outcome,
    sequence: Number(row.sequence),
    checkpoint: Number(row.checkpoint),
    data: Uint8Array.from(row.transaction_data),
    effects: Uint8Array.from(row.effects),
  };
}
