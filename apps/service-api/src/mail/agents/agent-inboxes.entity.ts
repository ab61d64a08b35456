import { keep, PersonalData, Retention } from '@tollbridge/database';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The owner of an inbox. At the provider, all inboxes belong to this deployment. */
@Entity('agent_inboxes')
@PersonalData({ columns: ['name'] })
@Retention(keep('binds an inbox to its wallet: it is never given to another'))
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
