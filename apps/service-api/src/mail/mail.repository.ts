import { Injectable } from '@nestjs/common';
import { Database } from '@tollbridge/database';
import type { Pool } from 'pg';
import { Like, type Repository } from 'typeorm';
import { AgentAddressRow } from './agents/agent-addresses.entity';
import { AgentInboxRow } from './agents/agent-inboxes.entity';

/** In the place of an agent's id, before an address that its owner sends from. Ids of agents have no space. */
export const senderPrefix = 'from ';

/** Owners of inboxes and addresses. */
@Injectable()
export class MailOwners {
  private readonly pool: Pool;
  private readonly inboxes: Repository<AgentInboxRow>;
  private readonly addresses: Repository<AgentAddressRow>;

  constructor({ pool, dataSource }: Database) {
    this.pool = pool;
    this.inboxes = dataSource.getRepository(AgentInboxRow);
    this.addresses = dataSource.getRepository(AgentAddressRow);
  }

  /**
   * Stores the owner of an inbox. Returns false when another wallet owns it. SQL: the conflict clause has a condition.
   */
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

  hasInbox(wallet: string, inboxId: string): Promise<boolean> {
    return this.inboxes.existsBy({ wallet, inbox_id: inboxId });
  }

  /**
   * The stored address of an agent, or the first free candidate; undefined when none is free. SQL: one statement claims
   * it.
   */
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
      const meanwhile = await this.addresses.findOneBy({ wallet, agent_id: agentId, domain });
      if (meanwhile) return meanwhile.address;
    }
    return undefined;
  }

  /** The addresses that a wallet owns because it sent from them. */
  countSenders(wallet: string): Promise<number> {
    return this.addresses.countBy({ wallet, agent_id: Like(`${senderPrefix}%`) });
  }

  hasAddress(wallet: string, address: string): Promise<boolean> {
    return this.addresses.existsBy({ wallet, address });
  }
}
