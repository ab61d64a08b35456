import { keep, Retention } from '@tollbridge/database';
import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** Mail received over SMTP, one row for each mailbox. */
@Entity('mail_messages')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
@Index('mail_messages_mailbox', ['mailbox', 'receivedAt', 'id'])
export class MailMessageEntity {
  @PrimaryColumn('text')
  id: string;
  @Column('text')
  mailbox: string;
  @Column('json')
  content: object;
  /** Raw message. */
  @Column('text')
  source: string;
  @Column('boolean', { default: false })
  seen: boolean;
  @Column('timestamptz', { name: 'received_at' })
  receivedAt: Date;
}

/** Mail sent through the simulated providers. */
@Entity('mail_sent')
@Retention(keep('sandbox data: `npm start -- --fresh` deletes it'))
@Unique('mail_sent_provider_call_key', ['provider', 'call'])
export class SentMailEntity {
  @PrimaryColumn('text')
  id: string;
  @Column('text')
  provider: string;
  /** Idempotency key together with its caller; null without a key. */
  @Column('text', { nullable: true })
  call: string | null;
  /** Digest of the body. The same key with another body is rejected. */
  @Column('bytea')
  digest: Buffer;
  @Column('json')
  content: object;
  @Column('text', { name: 'last_event' })
  lastEvent: string;
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
