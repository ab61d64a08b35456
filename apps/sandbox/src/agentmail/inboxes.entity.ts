import { keep, Retention } from '@tollbridge/database';
import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** Inboxes of the AgentMail simulator. */
@Entity('agentmail_inboxes')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
@Unique('agentmail_inboxes_client_id_key', ['clientId'])
export class AgentmailInboxEntity {
  @PrimaryColumn('text', { name: 'inbox_id' })
  inboxId: string;
  @Column('text', { name: 'display_name', nullable: true })
  displayName: string | null;
  /** Idempotency key of the caller: the same key returns the same inbox. */
  @Column('text', { name: 'client_id', nullable: true })
  clientId: string | null;
  @Column('json', { nullable: true })
  metadata: Record<string, unknown> | null;
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
