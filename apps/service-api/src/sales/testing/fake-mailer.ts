import { startHttpServer, type HttpReply, type HttpServer, type SeenRequest } from '@tollbridge/testing';

/** `lost`: sends, and the reply is lost. `slow`: sends after the promise. */
export type MailerMode = 'send' | 'lost' | 'reject' | Promise<void>;

/** Fake mail provider that sends one mail for each idempotency key. */
export class FakeMailer {
  /** Ids of sent mails, by idempotency key. */
  readonly sent = new Map<string, string>();
  server: HttpServer;
  mode: MailerMode = 'send';

  static async start(): Promise<FakeMailer> {
    const mailer = new FakeMailer();
    mailer.server = await startHttpServer((request) => mailer.answer(request));
    return mailer;
  }

  private async answer({ headers }: SeenRequest): Promise<HttpReply> {
    const { mode } = this;
    if (typeof mode === 'object') await mode;
    if (mode === 'reject') return { status: 422, body: { name: 'validation_error' } };
    const key = String(headers['idempotency-key']);
    if (!this.sent.has(key)) this.sent.set(key, `mail-${this.sent.size + 1}`);
    return mode === 'lost' ? { status: 503 } : { body: { id: this.sent.get(key) } };
  }

  get asked(): number {
    return this.server.requests.length;
  }

  reset(): void {
    this.sent.clear();
    this.server.requests.length = 0;
    this.mode = 'send';
  }
}
