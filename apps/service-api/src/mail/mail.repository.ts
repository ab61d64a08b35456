import { Injectable } from '@nestjs/common';
import { Database } from '@tollbridge/database';
import type { Pool } from 'pg';

/** Owners of inboxes and addresses. */
@Injectable()
export class MailOwners {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /** Stores the owner of an inbox. Returns false when another wallet owns it. SQL: the conflict clause has a condition. */
  async claimInbox(
    { inboxId, wallet, name }: { inboxId: string; wallet: string; name: string },
    nowMs: number,
  ): Promise<boolean> {
    const { rowCount } = await this.pool.query({
      name: 'agent-inbox-claim',
      text: `INSERT INTO agent_inboxes AS i (inbox_id, wallet, name, created_at) VALUES ($1, $2, $3, $4)
             ON CONFLICT (inbox_id) DO UPDATE SET name = excluded.name WHERE i.wallet = excluded.wallet`,
      values: [inboxId, wallet, name, new Date(nowMs)],
    });
    return rowCount === 1;
  }

  async hasInbox(wallet: string, inboxId: string): Promise<boolean> {
    const { rows } = await this.pool.query({
      name: 'agent-inbox-has',
      text: 'SELECT 1 FROM agent_inboxes WHERE wallet = $1 AND inbox_id = $2',
      values: [wallet, inboxId],
    });
    return rows.length > 0;
  }

  /** The stored address of an agent, or the first free candidate; undefined when none is free. SQL: one statement claims it. */
  async addressOf(
    { wallet, agentId, domain }: { wallet: string; agentId: string; domain: string },
    candidates: readonly string[],
    nowMs: number,
  ): Promise<string | undefined> {
    for (const address of candidates) {
      const { rows } = await this.pool.query<{ address: string }>({
        name: 'agent-address-claim',
        text: `WITH known AS (
                 SELECT address FROM agent_addresses WHERE wallet = $2 AND agent_id = $3 AND domain = $4
               ), made AS (
                 INSERT INTO agent_addresses (address, wallet, agent_id, domain, created_at)
                 SELECT $1, $2, $3, $4, $5 WHERE NOT EXISTS (SELECT FROM known)
                 ON CONFLICT DO NOTHING RETURNING address
               )
               SELECT address FROM known UNION ALL SELECT address FROM made`,
        values: [address, wallet, agentId, domain, new Date(nowMs)],
      });
      if (rows[0]) return rows[0].address;
      // Taken by another agent, or claimed by a concurrent call of this one.
      const { rows: meanwhile } = await this.pool.query<{ address: string }>({
        name: 'agent-address-find',
        text: 'SELECT address FROM agent_addresses WHERE wallet = $1 AND agent_id = $2 AND domain = $3',
        values: [wallet, agentId, domain],
      });
      if (meanwhile[0]) return meanwhile[0].address;
    }
    return undefined;
  }

  async hasAddress(wallet: string, address: string): Promise<boolean> {
    const { rows } = await this.pool.query({
      name: 'agent-address-has',
      text: 'SELECT 1 FROM agent_addresses WHERE wallet = $1 AND address = $2',
      values: [wallet, address],
    });
    return rows.length > 0;
  }
}
