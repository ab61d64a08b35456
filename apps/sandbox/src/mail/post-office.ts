import type { Clock } from '@tollbridge/database';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { simpleParser, type AddressObject, type ParsedMail } from 'mailparser';
import { createTransport, type SendMailOptions } from 'nodemailer';
import {
  SMTPServer,
  type SMTPServerAddress,
  type SMTPServerDataStream,
  type SMTPServerSession,
} from 'smtp-server';
import { providerOf } from './domains';
import type { MailAddress, MailContent, MailRepository, StoredMail } from './mail.repository';

export interface PostOfficeOptions {
  host: string;
  port: number;
  repository: MailRepository;
  clock: Clock;
  /** Returns whether the mailbox exists on a domain of the sandbox. */
  hasMailbox(address: string): Promise<boolean>;
  /** Called for each message after its delivery to a mailbox. */
  onDelivered?(mail: StoredMail): void;
  onError(error: unknown): void;
}

// Enough for codes, letters and HTML pages. No test needs large attachments.
const maxMessageBytes = 1024 * 1024;
// Resend's own limit for one message.
const maxRecipients = 50;
const maxConnections = 50;
const silenceTimeoutMs = 30_000;
const closeTimeoutMs = 1_000;

/**
 * The SMTP server of the sandbox. It delivers mail of any client, and mail that the simulators send, to the
 * simulators' mailboxes. It relays nothing to other machines.
 */
export class PostOffice {
  private readonly server: SMTPServer;
  private port: number;

  constructor(private readonly options: PostOfficeOptions) {
    this.port = options.port;
    this.server = new SMTPServer({
      name: 'sandbox.tollbridge.test',
      banner: 'Tollbridge sandbox',
      size: maxMessageBytes,
      maxClients: maxConnections,
      socketTimeout: silenceTimeoutMs,
      closeTimeout: closeTimeoutMs,
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      logger: false,
      onRcptTo: (address, session, answer) => void this.admit(address, session).then(() => answer(), answer),
      onData: (stream, session, answer) =>
        void this.take(stream, session).then((id) => answer(null, `Queued as ${id}`), answer),
    });
    this.server.on('error', (error: Error) => options.onError(error));
  }

  /** SMTP URL for clients, available after the server listens. */
  get url(): string {
    return `smtp://${this.options.host}:${this.port}`;
  }

  async start(): Promise<void> {
    const listening = this.server.listen(this.options.port, this.options.host);
    if (!listening.listening) await once(listening, 'listening');
    this.port = (listening.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  /** Sends mail by SMTP. Returns whether the server accepted it for all recipients. */
  async send(mail: SendMailOptions): Promise<boolean> {
    const host = this.options.host === '0.0.0.0' ? '127.0.0.1' : this.options.host;
    const transport = createTransport({
      host,
      port: this.port,
      secure: false,
      ignoreTLS: true,
      connectionTimeout: 5_000,
      greetingTimeout: 5_000,
      socketTimeout: 10_000,
      // No part of a message can make this process read a file or URL.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      const { rejected } = await transport.sendMail(mail);
      return rejected.length === 0;
    } catch (error) {
      this.options.onError(error);
      return false;
    } finally {
      transport.close();
    }
  }

  private async admit({ address }: SMTPServerAddress, { envelope }: SMTPServerSession): Promise<void> {
    if (envelope.rcptTo.length >= maxRecipients) throw rejection(452, '4.5.3 Too many recipients');
    const mailbox = address.toLowerCase();
    if (!providerOf(mailbox)) throw rejection(550, '5.7.1 Relaying denied: not a domain of the sandbox');
    if (!(await this.options.hasMailbox(mailbox))) throw rejection(550, '5.1.1 No such mailbox');
  }

  private async take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      // The message is read to its end, because the client cannot be answered before.
      if (size <= maxMessageBytes) chunks.push(chunk);
    }
    if (stream.sizeExceeded || size > maxMessageBytes) throw rejection(552, '5.3.4 Message too big');
    const source = Buffer.concat(chunks);
    const content = contentOf(await simpleParser(source, parsing), size);
    const mailboxes = new Set(session.envelope.rcptTo.map(({ address }) => address.toLowerCase()));
    const id = randomBytes(12).toString('hex');
    for (const [place, mailbox] of [...mailboxes].entries()) {
      const [own, receivedAtMs] = [place === 0 ? id : newMailId(), this.options.clock.now()];
      await this.options.repository.deliver(
        mailbox,
        // PostgreSQL cannot store NUL, and mail must not contain it.
        { id: own, content, source: source.toString('utf8').replaceAll('\0', '') },
        receivedAtMs,
      );
      this.options.onDelivered?.({ id: own, mailbox, content, seen: false, receivedAtMs });
    }
    return id;
  }
}

// HTML-only mail gets no text part, because the providers add none.
const parsing = { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true };

export const newMailId = (): string => randomBytes(12).toString('hex');

const rejection = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode });

function contentOf(mail: ParsedMail, size: number): MailContent {
  const [from = { address: '', name: '' }] = addressesOf(mail.from);
  const text = (value: string | undefined): string => (value ?? '').replaceAll('\0', '');
  return {
    messageId: mail.messageId ?? `<${newMailId()}@sandbox.tollbridge.test>`,
    from,
    to: addressesOf(mail.to),
    cc: addressesOf(mail.cc),
    subject: text(mail.subject),
    text: text(mail.text),
    html: mail.html === false ? null : text(mail.html),
    size,
    attachments: mail.attachments.map((it) => ({
      filename: it.filename ?? 'attachment',
      contentType: it.contentType,
      size: it.size,
    })),
  };
}

function addressesOf(given: AddressObject | AddressObject[] | undefined): MailAddress[] {
  return [given ?? []]
    .flat()
    .flatMap(({ value }) => value)
    .map(({ address = '', name }) => ({ address, name }));
}
