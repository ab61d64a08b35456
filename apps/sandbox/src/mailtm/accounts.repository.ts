import type { Database } from '@tollbridge/database';

export interface MailtmAccount {
  id: string;
  address: string;
  salt: Buffer;
  passwordDigest: Buffer;
  createdAtMs: number;
}

interface AccountRow {
  id: string;
  address: string;
  salt: Buffer;
  password_digest: Buffer;
  created_at: Date;
}

export class MailtmAccounts {
  // Uses SQL over the pool, because tests of other apps start simulators with a pool but without entities.
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** Returns false when the address is already used. */
  async add({ id, address, salt, passwordDigest, createdAtMs }: MailtmAccount): Promise<boolean> {
    const { rowCount } = await this.database.pool.query({
      name: 'mailtm-add',
      text: `INSERT INTO mailtm_accounts (id, address, salt, password_digest, created_at) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (address) DO NOTHING`,
      values: [id, address, salt, passwordDigest, new Date(createdAtMs)],
    });
    return rowCount === 1;
  }

  find(id: string): Promise<MailtmAccount | undefined> {
    return this.one('mailtm-find', 'id = $1', id);
  }

  withAddress(address: string): Promise<MailtmAccount | undefined> {
    return this.one('mailtm-by-address', 'address = $1', address);
  }

  async delete(id: string): Promise<void> {
    await this.database.pool.query('DELETE FROM mailtm_accounts WHERE id = $1', [id]);
  }

  private async one(name: string, condition: string, value: string): Promise<MailtmAccount | undefined> {
    const text = `SELECT * FROM mailtm_accounts WHERE ${condition}`;
    const { rows } = await this.database.pool.query<AccountRow>({ name, text, values: [value] });
    return rows.map((row) => ({
      id: row.id,
      address: row.address,
      salt: row.salt,
      passwordDigest: row.password_digest,
      createdAtMs: row.created_at.getTime(),
    }))[0];
  }
}
