import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The owner of an inbox: the provider has one customer, which is this deployment. */
@Entity('agent_inboxes')
@Check('agent_inboxes_wallet_check', "wallet <> ''")
export class AgentInboxRow {
  @PrimaryColumn('text')
  inbox_id: string;
  @Column('text')
  wallet: string;
  @Column('text')
  name: string;
  @Column('timestamptz')
  created_at: Date;
}
