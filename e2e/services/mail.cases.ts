import { createTransport } from 'nodemailer';
import { expectFailure, route } from '../covered-routes';
import type { Reply } from '../http';
import { foundIn, logsIn } from '../logs';
import type { ServicesHarness } from './services-harness';

// The API key that the simulator of inboxes accepts.
const agentmailKey = 'am_sandbox_7c1e0f9b2d';
const letter = { subject: 'Hello', text: 'Your code is 482913' };
// More calls than the circuit breaker allows for a provider that always fails.
const mostCalls = 25;

/** Disposable mail, inboxes of agents, and mail from the own domain. */
export function mailCases(it: ServicesHarness): void {
  const cases = new MailCases(it);
  cases.disposable();
  cases.inboxes();
  cases.ownDomain();
  cases.outages();
  cases.secrets();
}

class MailCases {
  private readonly shown: string[] = [];

  constructor(private readonly it: ServicesHarness) {}

  private async account(body: object = {}): Promise<any> {
    const reply = await this.it.api.post('/email/account', body);
    expect([reply.status, reply.body]).toEqual([200, expect.objectContaining({ id: expect.any(String) })]);
    const { password, token } = reply.body;
    this.shown.push(password, token);
    this.it.secrets.push(password, token);
    return reply.body;
  }

  private async deliver(to: string): Promise<void> {
    const transport = createTransport(this.it.sandbox.smtp, {});
    await transport.sendMail({ from: 'shop@example.com', to, ...letter }).finally(() => transport.close());
  }

  /** Without an API key: the token authorizes the read. */
  private read(path: string, token?: string): Promise<Reply> {
    return this.it.api.send('GET', path, undefined, token === undefined ? {} : { 'x-email-token': token });
  }

  private async outage(provider: string, mode: string): Promise<void> {
    expect((await this.it.api.post('/sandbox/oneclick/outage', { provider, mode })).status).toBe(200);
  }

  disposable(): void {
    const { it } = this;
    route('GET /email/domains', {
      OK: async () => {
        const { body } = await it.api.get('/email/domains');
        expect(body.domains).toContainEqual({ id: expect.any(String), domain: 'quickbox.test' });
      },
    });
    route('POST /email/account', {
      OK: async () => void (await this.account({ username: 'tea-drinker' })),
      'CONFLICT: rejects a name that is in use': () =>
        expectFailure(it.api.post('/email/account', { username: 'tea-drinker' }), 409, 'CONFLICT'),
    });
    route('GET /email/messages', {
      OK: async () => {
        const { address, token } = await this.account();
        await this.deliver(address);
        const { body } = await this.read('/email/messages', token);
        expect(body).toMatchObject({
          count: 1,
          messages: [{ subject: 'Hello', from: { address: 'shop@example.com' } }],
        });
        expect((await this.read(`/email/messages?token=${token}`)).body).toEqual(body);
        expect((await this.read(`/email/messages?token=${token}`, token)).body).toEqual(body);
        const { token: other } = await this.account();
        await expectFailure(
          this.read(`/email/messages?token=${token}`, other),
          400,
          'VALIDATION_ERROR',
          'token',
        );
      },
      UNAUTHORIZED: async () => {
        await expectFailure(this.read('/email/messages'), 401, 'UNAUTHORIZED');
        await expectFailure(this.read('/email/messages', 'none'), 401, 'UNAUTHORIZED');
      },
    });
    route('GET /email/messages/{id}', {
      OK: async () => {
        const { address, token } = await this.account();
        await this.deliver(address);
        const { id } = (await this.read('/email/messages', token)).body.messages[0];
        expect((await this.read(`/email/messages/${id}`, token)).body).toMatchObject({ id, code: '482913' });
        const { token: other } = await this.account();
        await expectFailure(this.read(`/email/messages/${id}`, other), 404, 'NOT_FOUND');
      },
      UNAUTHORIZED: () => expectFailure(this.read('/email/messages/abc'), 401, 'UNAUTHORIZED'),
      NOT_FOUND: async () => {
        const { token } = await this.account();
        await expectFailure(this.read('/email/messages/abc', token), 404, 'NOT_FOUND');
      },
    });
    route('POST /email/account-and-wait', {
      'OK: returns timeout=true when no message arrives': async () => {
        const { body } = await it.api.post('/email/account-and-wait', { timeout: 1 });
        expect(body).toMatchObject({ message: null, code: null, timeout: true });
        this.shown.push(body.token, body.password);
      },
      'CONFLICT: rejects a name that is in use': () =>
        expectFailure(it.api.post('/email/account-and-wait', { username: 'tea-drinker' }), 409, 'CONFLICT'),
    });
  }

  inboxes(): void {
    const { it } = this;
    const inbox = async (name: string): Promise<string> =>
      (await it.api.post('/agentmail/inboxes', { name })).body.inbox_id;
    route('POST /agentmail/inboxes', {
      OK: async () => {
        const { body } = await it.api.post('/agentmail/inboxes', { name: 'Tea Shop' });
        expect(body).toMatchObject({ inboxId: 'tea-shop@agentmail.test', name: 'Tea Shop' });
      },
      'CONFLICT: rejects a name that another customer has': async () => {
        const simulators = it.sandbox.simulators.oneclick.replace(/\/oneclick$/, '');
        const headers = { authorization: `Bearer ${agentmailKey}`, 'content-type': 'application/json' };
        const body = JSON.stringify({ username: 'taken' });
        await fetch(`${simulators}/agentmail/v0/inboxes`, { method: 'POST', headers, body });
        await expectFailure(it.api.post('/agentmail/inboxes', { name: 'Taken' }), 409, 'CONFLICT');
      },
    });
    route('POST /agentmail/send', {
      OK: async () => {
        const { address, token } = await this.account();
        const mail = { inbox_id: await inbox('Tea Shop'), to: address, ...letter };
        expect((await it.api.post('/agentmail/send', mail)).body.messageId).toMatch(/^<.+>$/);
        const { messages } = (await this.read('/email/messages', token)).body;
        expect(messages).toMatchObject([{ from: { address: 'tea-shop@agentmail.test', name: 'Tea Shop' } }]);
        const to = `${address}\r\nBcc: other@quickbox.test`;
        await expectFailure(it.api.post('/agentmail/send', { ...mail, to }), 400, 'VALIDATION_ERROR', 'to');
      },
      'NOT_FOUND: rejects an inbox of another wallet': () =>
        expectFailure(
          it.api.post('/agentmail/send', { inbox_id: 'taken@agentmail.test', to: 'a@b.test', ...letter }),
          404,
          'NOT_FOUND',
        ),
      'PURCHASE_REFUSED: reports mail that the provider rejects': async () => {
        const mail = { inbox_id: await inbox('Tea Shop'), to: 'customer@example.com', ...letter };
        await expectFailure(it.api.post('/agentmail/send', mail), 422, 'PURCHASE_REFUSED');
      },
    });
  }

  ownDomain(): void {
    const { it } = this;
    route('POST /resend/agent-email', {
      OK: async () => {
        const { body } = await it.api.post('/resend/agent-email', { agentId: 'shop' });
        expect(body).toEqual({
          address: expect.stringMatching(/^shop-\w+@tollbridge\.test$/),
          domain: 'tollbridge.test',
        });
        expect((await it.api.post('/resend/agent-email', { agentId: 'shop' })).body).toEqual(body);
      },
    });
    route('POST /resend/send', {
      'OK: sends one mail for one Idempotency-Key': async () => {
        const { address: to, token } = await this.account();
        const { address: from } = (await it.api.post('/resend/agent-email', { agentId: 'shop' })).body;
        const headers = {
          authorization: `Bearer ${it.sandbox.merchant.secret}`,
          'idempotency-key': 'mail-1',
        };
        const body = JSON.stringify({ to, from: `Shop <${from}>`, ...letter });
        const [one, other] = [
          await it.api.send('POST', '/resend/send', body, { ...headers, 'content-type': 'application/json' }),
          await it.api.send('POST', '/resend/send', body, { ...headers, 'content-type': 'application/json' }),
        ];
        expect([one.status, other.body]).toEqual([200, one.body]);
        expect((await this.read('/email/messages', token)).body).toMatchObject({ count: 1 });
        const mail = { to, ...letter, from: 'shop@example.com' };
        await expectFailure(it.api.post('/resend/send', mail), 400, 'VALIDATION_ERROR', 'from');
      },
      'PURCHASE_REFUSED: reports mail that the provider rejects': () =>
        expectFailure(
          it.api.post('/resend/send', { to: 'a@example.com', ...letter }),
          422,
          'PURCHASE_REFUSED',
        ),
    });
  }

  /** Last: the circuit of a provider that has failed often remains open for some seconds. */
  outages(): void {
    const { it } = this;
    const down = (title: string, provider: string, call: () => Promise<Reply>): void =>
      route(title, {
        'UPSTREAM_UNAVAILABLE: fails while the provider is down': async () => {
          await this.outage(provider, 'down');
          const codes: string[] = [];
          try {
            // A mail that may have been sent results in 504, until the open circuit stops all calls.
            while (codes.at(-1) !== 'UPSTREAM_UNAVAILABLE' && codes.length < mostCalls) {
              const { status, body } = await call();
              expect([status, body.code]).toEqual(
                body.code === 'OUTCOME_UNKNOWN' ? [504, body.code] : [502, 'UPSTREAM_UNAVAILABLE'],
              );
              codes.push(body.code);
            }
          } finally {
            await this.outage(provider, 'up');
          }
          expect(codes.at(-1)).toBe('UPSTREAM_UNAVAILABLE');
        },
      });
    down('GET /email/domains', 'mailtm', () => it.api.get('/email/domains'));
    down('POST /email/account', 'mailtm', () => it.api.post('/email/account', {}));
    down('POST /email/account-and-wait', 'mailtm', () => it.api.post('/email/account-and-wait', {}));
    down('GET /email/messages', 'mailtm', () => this.read('/email/messages', 'abc'));
    down('GET /email/messages/{id}', 'mailtm', () => this.read('/email/messages/abc', 'abc'));
    const mail = { to: 'a@b.test', ...letter };
    down('POST /agentmail/send', 'agentmail', () =>
      it.api.post('/agentmail/send', { inbox_id: 'tea-shop@agentmail.test', ...mail }),
    );
    down('POST /agentmail/inboxes', 'agentmail', () => it.api.post('/agentmail/inboxes', { name: 'Other' }));
    down('POST /resend/send', 'resend', () => it.api.post('/resend/send', mail));
  }

  secrets(): void {
    test('no log contains a password or token of a mailbox', () => {
      const texts = logsIn(this.it.harness.directory);
      // The logs are from this run.
      expect(texts.some((text) => text.includes('/email/messages'))).toBe(true);
      expect(this.shown.length).toBeGreaterThan(10);
      expect(foundIn(texts, this.shown)).toEqual([]);
    });
  }
}
