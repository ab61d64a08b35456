import type { Database } from '@tollbridge/database';

export interface Inbox {
  inboxId: string;
  displayName: string | null;
  clientId: string | null;
  metadata: Record<string, unknown> | null;
  createdAtMs: number;
}

interface InboxRow {
  inbox_id: string;
  display_name: string | null;
  client_id: string | null;
  metadata: Record<string, unknown> | null;
  created_at: Date;
}

export class InboxesRepository {
  // Uses SQL over the pool, because tests of other apps start simulators with a pool but without entities.
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** Returns false when the address or the client id is already used. */
  async add({ inboxId, displayName, clientId, metadata, createdAtMs }: Inbox): Promise<boolean> {
    const { rowCount } = await this.database.pool.query({
      name: 'agentmail-add',
      text: `INSERT INTO agentmail_inboxes (inbox_id, display_name, client_id, metadata, created_at)
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
      values: [inboxId, displayName, clientId, metadata && JSON.stringify(metadata), new Date(createdAtMs)],
    });
    return rowCount === 1;
  }

  find(inboxId: string): Promise<Inbox | undefined> {
    return this.one('agentmail-find', 'inbox_id = $1', inboxId);
  }

  ofClient(clientId: string): Promise<Inbox | undefined> {
    return this.one('agentmail-of-client', 'client_id = $1', clientId);
  }

  /** Returns inboxes, oldest first. */
  async list(limit: number): Promise<Inbox[]> {
    const { rows } = await this.database.pool.query<InboxRow>({
      name: 'agentmail-list',
      text: 'SELECT * FROM agentmail_inboxes ORDER BY created_at, inbox_id LIMIT $1',
      values: [limit],
    });
    return rows.map(inboxOf);
  }

  async delete(inboxId: string): Promise<void> {
    await this.database.pool.query('DELETE FROM agentmail_inboxes WHERE inbox_id = $1', [inboxId]);
  }

  private async one(name: string, condition: string, value: string): Promise<Inbox | undefined> {
    const text = `SELECT * FROM agentmail_inboxes WHERE ${condition}`;
    return (await this.database.pool.query<InboxRow>({ name, text, values: [value] })).rows.map(inboxOf)[0];
  }
}

const inboxOf = ({ inbox_id, display_name, client_id, metadata, created_at }: InboxRow): Inbox => ({
  inboxId: inbox_id,
  displayName: display_name,
  clientId: client_id,
  metadata,
  createdAtMs: created_at.getTime(),
});
