import { keep, Retention } from '@tollbridge/database';
import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** The owner of an agent's address. */
@Entity('agent_addresses')
@Retention(keep('binds an address to its wallet: it is never given to another'))
@Unique('agent_addresses_wallet_agent_id_domain_key', ['wallet', 'agent_id', 'domain'])
@Check('agent_addresses_wallet_check', "wallet <> ''")
export class AgentAddressRow {
  @PrimaryColumn('text')
  address: string;
  @Column('text')
  wallet: string;
  @Column('text')
  agent_id: string;
  @Column('text')
  domain: string;
  @Column('timestamptz')
  created_at: Date;
}
