import { Injectable } from '@nestjs/common';
import { Database } from '@tollbridge/database';
import type { Pool } from 'pg';
import { Like, type Repository } from 'typeorm';
import { AgentAddressRow } from './agents/agent-addresses.entity';
import { AgentInboxRow } from './agents/agent-inboxes.entity';

/** Stored instead of an agent id for an address that its owner sends from. Agent ids contain no space. */
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
   * Stores the owner of an inbox. Returns false when another wallet owns the inbox. SQL: conditional conflict clause.
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
   * Returns the stored address of an agent, or claims the first free candidate. Undefined when no candidate is free.
   * SQL: one statement claims the address.
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
      // Another agent has it, or a concurrent call for this agent has claimed it.
      const meanwhile = await this.addresses.findOneBy({ wallet, agent_id: agentId, domain });
      if (meanwhile) return meanwhile.address;
    }
    return undefined;
  }

  /** Counts the addresses that a wallet owns because it has sent from them. */
  countSenders(wallet: string): Promise<number> {
    return this.addresses.countBy({ wallet, agent_id: Like(`${senderPrefix}%`) });
  }

  hasAddress(wallet: string, address: string): Promise<boolean> {
    return this.addresses.existsBy({ wallet, address });
  }
}
