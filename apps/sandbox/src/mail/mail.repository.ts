import type { Database } from '@tollbridge/database';
import type { MailProvider } from './domains';

export interface MailAddress {
  address: string;
  name: string;
}

export interface MailContent {
  /** Includes the angle brackets. */
  messageId: string;
  from: MailAddress;
  to: MailAddress[];
  cc: MailAddress[];
  subject: string;
  text: string;
  html: string | null;
  /** Size of the whole message in bytes. */
  size: number;
  attachments: { filename: string; contentType: string; size: number }[];
}

export interface StoredMail {
  id: string;
  mailbox: string;
  content: MailContent;
  seen: boolean;
  receivedAtMs: number;
}

/** Mail sent through a provider. */
export interface SentMail {
  id: string;
  content: Record<string, unknown>;
  digest: Buffer;
  lastEvent: string;
  createdAtMs: number;
}

interface MailRow {
  id: string;
  mailbox: string;
  content: MailContent;
  seen: boolean;
  received_at: Date;
}

interface SentRow {
  id: string;
  content: Record<string, unknown>;
  digest: Buffer;
  last_event: string;
  created_at: Date;
}

// Above this number, older mail of the mailbox is deleted.
const maxMailboxMessages = 100;
const pageSize = 30;

/** Received and sent mail. */
export class MailRepository {
  // Uses SQL over the pool, because tests of other apps start simulators with a pool but without entities.
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  async deliver(
    mailbox: string,
    { id, content, source }: { id: string; content: MailContent; source: string },
    nowMs: number,
  ): Promise<void> {
    const { pool } = this.database;
    await pool.query({
      name: 'mail-deliver',
      text: `INSERT INTO mail_messages (id, mailbox, content, source, received_at) VALUES ($1, $2, $3, $4, $5)`,
      values: [id, mailbox, JSON.stringify(content), source, new Date(nowMs)],
    });
    await pool.query({
      name: 'mail-bound',
      text: `DELETE FROM mail_messages WHERE id IN (
               SELECT id FROM mail_messages WHERE mailbox = $1 ORDER BY received_at DESC, id OFFSET $2)`,
      values: [mailbox, maxMailboxMessages],
    });
  }

  /** Returns a page of mail, newest first. */
  async list(mailbox: string, page = 1): Promise<{ messages: StoredMail[]; total: number }> {
    const { pool } = this.database;
    const { rows } = await pool.query<MailRow>({
      name: 'mail-list',
      text: `SELECT id, mailbox, content, seen, received_at FROM mail_messages WHERE mailbox = $1
             ORDER BY received_at DESC, id LIMIT $2 OFFSET $3`,
      values: [mailbox, pageSize, (page - 1) * pageSize],
    });
    const counted = await pool.query<{ total: string }>({
      name: 'mail-count',
      text: 'SELECT count(*) AS total FROM mail_messages WHERE mailbox = $1',
      values: [mailbox],
    });
    return { messages: rows.map(mailOf), total: Number(counted.rows[0]!.total) };
  }

  async find(mailbox: string, id: string): Promise<(StoredMail & { source: string }) | undefined> {
    const { rows } = await this.database.pool.query<MailRow & { source: string }>({
      name: 'mail-find',
      text: `SELECT id, mailbox, content, seen, received_at, source FROM mail_messages WHERE mailbox = $1 AND id = $2`,
      values: [mailbox, id],
    });
    return rows.map((row) => ({ ...mailOf(row), source: row.source }))[0];
  }

  async markSeen(mailbox: string, id: string, seen: boolean): Promise<void> {
    await this.database.pool.query({
      name: 'mail-seen',
      text: 'UPDATE mail_messages SET seen = $3 WHERE mailbox = $1 AND id = $2',
      values: [mailbox, id, seen],
    });
  }

  /** Deletes one message, or the whole mailbox without an id. */
  async delete(mailbox: string, id: string | null = null): Promise<void> {
    await this.database.pool.query({
      name: 'mail-delete',
      text: 'DELETE FROM mail_messages WHERE mailbox = $1 AND ($2::text IS NULL OR id = $2)',
      values: [mailbox, id],
    });
  }

  /** Stores mail to send, or returns the mail that the same call has stored before. */
  async claimSend(
    provider: MailProvider,
    call: string | null,
    mail: Omit<SentMail, 'lastEvent'>,
  ): Promise<{ sent: SentMail; isNew: boolean }> {
    const { pool } = this.database;
    const { rows } = await pool.query<SentRow>({
      name: 'mail-claim-send',
      text: `INSERT INTO mail_sent (id, provider, call, digest, content, last_event, created_at)
             VALUES ($1, $2, $3, $4, $5, 'queued', $6)
             ON CONFLICT (provider, call) DO NOTHING RETURNING *`,
      values: [
        mail.id,
        provider,
        call,
        mail.digest,
        JSON.stringify(mail.content),
        new Date(mail.createdAtMs),
      ],
    });
    if (rows[0]) return { sent: sentOf(rows[0]), isNew: true };
    const former = await pool.query<SentRow>({
      name: 'mail-sent-call',
      text: 'SELECT * FROM mail_sent WHERE provider = $1 AND call = $2',
      values: [provider, call],
    });
    return { sent: sentOf(former.rows[0]!), isNew: false };
  }

  async recordEvent(id: string, lastEvent: string): Promise<void> {
    await this.database.pool.query({
      name: 'mail-sent-event',
      text: 'UPDATE mail_sent SET last_event = $2 WHERE id = $1',
      values: [id, lastEvent],
    });
  }

  async findSent(provider: MailProvider, id: string): Promise<SentMail | undefined> {
    const { rows } = await this.database.pool.query<SentRow>({
      name: 'mail-sent-find',
      text: 'SELECT * FROM mail_sent WHERE provider = $1 AND id = $2',
      values: [provider, id],
    });
    return rows.map(sentOf)[0];
  }
}

const mailOf = ({ id, mailbox, content, seen, received_at }: MailRow): StoredMail => ({
  id,
  mailbox,
  content,
  seen,
  receivedAtMs: received_at.getTime(),
});

const sentOf = ({ id, content, digest, last_event, created_at }: SentRow): SentMail => ({
  id,
  content,
  digest,
  lastEvent: last_event,
  createdAtMs: created_at.getTime(),
});
