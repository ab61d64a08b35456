import { agentmailApi, emailApi, resendApi } from '@tollbridge/contracts';
import { DomainError } from '@tollbridge/rpc';
import { eventually } from '@tollbridge/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { alice, bob, MailApp } from '../testing/mail-app';
import { WaitingCalls } from '../waiting/waiting-calls';

const { listEmailDomains, createEmailAccount, listEmailMessages, getEmailMessage } = emailApi.operations;
const { createEmailAccountAndWait } = emailApi.operations;
const { createAgentInbox, sendFromAgentInbox } = agentmailApi.operations;
const { sendEmail, makeAgentEmail } = resendApi.operations;

let app: MailApp;
beforeAll(async () => {
  app = await MailApp.start();
});
afterAll(() => app?.close());

const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'OK',
    (error: DomainError) => error.code,
  );
const fieldsOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'OK',
    (error: DomainError) => (error.details as { field: string }[]).map(({ field }) => field).sort(),
  );
let keys = 0;
const newKey = (): string => `key-of-these-tests-${++keys}`;

describe('Disposable mail', () => {
  it('creates an account and reads its messages and code', async () => {
    const { domains } = await app.call(listEmailDomains, {});
    expect(domains.map(({ domain }) => domain)).toEqual(['quickbox.test', 'tempbox.test']);
    const account = await app.call(createEmailAccount, { username: 'Tea-Shop' });
    expect(account).toMatchObject({
      address: 'tea-shop@quickbox.test',
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
    });

    await app.mail.send({
      from: 'Shop <shop@example.com>',
      to: account.address,
      subject: 'Confirm',
      html: '<p>Your verification code:</p><b>482</b>-<b>913</b>',
    });

    const { token } = account;
    const { messages, count, page } = await app.call(listEmailMessages, { token }, { principal: 'public' });
    expect([count, page]).toEqual([1, 1]);
    expect(messages).toMatchObject([
      { from: { address: 'shop@example.com', name: 'Shop' }, subject: 'Confirm' },
    ]);
    const message = await app.call(getEmailMessage, { token, id: messages[0]!.id }, { principal: 'public' });
    expect(message).toMatchObject({
      text: '',
      html: expect.stringContaining('482'),
      code: '482913',
      truncated: false,
    });
  });

  it('rejects a foreign token', async () => {
    const [one, other] = [await app.call(createEmailAccount, {}), await app.call(createEmailAccount, {})];
    expect(one.address).not.toBe(other.address);
    await app.mail.send({ from: 'a@example.com', to: one.address, subject: 'Another', text: 'x' });
    const { messages } = await app.call(listEmailMessages, { token: one.token });
    const { id } = messages[0]!;
    expect((await app.call(listEmailMessages, { token: other.token })).messages).toEqual([]);
    expect(await codeOf(app.call(getEmailMessage, { token: other.token, id }))).toBe('NOT_FOUND');
    for (const token of [undefined, 'none', `${one.token}x`])
      expect(await codeOf(app.call(getEmailMessage, { ...(token && { token }), id }))).toBe('UNAUTHORIZED');
    expect(await fieldsOf(app.call(listEmailMessages, { token: 'a\r\nb', page: 0 }))).toEqual([
      'page',
      'token',
    ]);
    expect(await fieldsOf(app.call(getEmailMessage, { token: 'a', id: '../me' }))).toEqual(['id']);
  });

  it('rejects a taken address', async () => {
    const made = await Promise.all(
      Array.from({ length: 5 }, () => codeOf(app.call(createEmailAccount, { username: 'race' }))),
    );
    expect(made.sort()).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT', 'CONFLICT', 'OK']);
    for (const username of ['a b', 'a@b', '-a', 'a\r\nb', 'x'.repeat(41), 'ä'])
      expect(await fieldsOf(app.call(createEmailAccount, { username }))).toEqual(['username']);
  });

  it('replays the same account from a sealed reply', async () => {
    const idempotencyKey = newKey();
    const [first, again] = [
      await app.call(createEmailAccount, {}, { idempotencyKey }),
      await app.call(createEmailAccount, {}, { idempotencyKey }),
    ];
    expect(again).toEqual(first);
    const rows = await app.database.query<{ reply: Buffer }>('SELECT reply FROM idempotency_keys');
    const stored = rows.map(({ reply }) => reply?.toString('latin1') ?? '').join();
    expect(stored).not.toContain(first.password);
    expect(stored).not.toContain(first.token.slice(0, 40));
  });
});

describe('Account and wait', () => {
  it('returns the first message and its code', async () => {
    const waiting = app.call(createEmailAccountAndWait, { username: 'waits', timeout: 20 });
    const letter = {
      from: 'a@example.com',
      to: 'waits@quickbox.test',
      subject: '[Shop] Your code',
      text: 'Use 771204 to verify your account. It expires in 10 minutes.',
    };
    // The provider rejects the mail until the account exists.
    await eventually(() => app.mail.send(letter));
    const reply = await waiting;
    expect(reply).toMatchObject({
      address: 'waits@quickbox.test',
      code: '771204',
      timeout: false,
      message: { subject: '[Shop] Your code', text: expect.stringContaining('771204') },
    });
    expect((await app.call(listEmailMessages, { token: reply.token })).count).toBe(1);
  });

  it('times out without holding a database connection', async () => {
    const begunMs = performance.now();
    const waiting = Promise.all(
      Array.from({ length: 30 }, () => app.call(createEmailAccountAndWait, { timeout: 2 })),
    );
    await pause(1_000);
    // Thirty calls wait, while the pool has twenty connections.
    expect(await app.call(makeAgentEmail, { agentId: 'meanwhile' })).toMatchObject({
      domain: 'tollbridge.test',
    });
    const replies = await waiting;
    // One after another, the calls would take 60 s.
    expect(performance.now() - begunMs).toBeLessThan(30_000);
    for (const reply of replies) expect(reply).toMatchObject({ message: null, code: null, timeout: true });
    expect(new Set(replies.map(({ address }) => address)).size).toBe(30);
  });

  it('ends when the client disconnects', async () => {
    const calls = jest.spyOn(app.apps[0]!.context.get(WaitingCalls, { strict: false }), 'during');
    const before = app.mail.requests();
    const left = new AbortController();
    const waiting = codeOf(
      app.call(createEmailAccountAndWait, { timeout: 60, username: 'left' }, { signal: left.signal }),
    );
    // Four requests: domains, account, token and messages.
    await eventually(() => expect(app.mail.requests() - before).toBeGreaterThanOrEqual(4));
    left.abort();
    expect(await Promise.race([waiting, pause(30_000, 'still waits')])).not.toBe('still waits');
    await eventually(() => expect(calls.mock.calls.map(([{ signal }]) => signal?.aborted)).toEqual([true]));
    calls.mockRestore();
    // Requests that were already sent arrive within this time.
    await pause(300);
    const requests = app.mail.requests();
    // Longer than one pause between polls.
    await pause(2_500);
    expect(app.mail.requests()).toBe(requests);
  });

  it('continues after an outage of the provider', async () => {
    const { outage } = app.mail.simulators['mailtm']!;
    const before = app.mail.requests();
    const waiting = app.call(createEmailAccountAndWait, { username: 'patient', timeout: 30 });
    // Four requests: domains, account, token and messages.
    await eventually(() => expect(app.mail.requests() - before).toBeGreaterThanOrEqual(4));
    outage.mode = 'down';
    await pause(2_000);
    outage.mode = 'up';
    await app.mail.send({
      from: 'a@example.com',
      to: 'patient@quickbox.test',
      subject: 'PIN: 4821',
      text: ' ',
    });
    expect(await waiting).toMatchObject({ code: '4821', timeout: false });
  });

  it('rejects a timeout below 1 second, above 120 seconds, or with a fraction', async () => {
    for (const timeout of [0, -1, 1.5, 121])
      expect(await fieldsOf(app.call(createEmailAccountAndWait, { timeout }))).toEqual(['timeout']);
  });
});

describe('Inboxes of agents', () => {
  it('creates an inbox once per wallet, and sends mail from it', async () => {
    const inbox = await app.call(createAgentInbox, { name: 'Tea & Söhne' });
    expect(inbox).toMatchObject({ inboxId: 'tea-sohne@agentmail.test', name: 'Tea & Söhne' });
    expect(inbox.inbox_id).toBe(inbox.inboxId);
    expect((await app.call(createAgentInbox, { name: 'Tea & Söhne' })).inboxId).toBe(inbox.inboxId);
    expect(await codeOf(app.call(createAgentInbox, { name: 'tea sohne' }, { wallet: bob }))).toBe('CONFLICT');
    expect(await fieldsOf(app.call(createAgentInbox, { name: '日本' }))).toEqual(['name']);

    const account = await app.call(createEmailAccount, {});
    const letter = {
      inbox_id: inbox.inboxId,
      to: account.address,
      subject: 'Hello',
      text: 'Line one\r\n\tLine two',
    };
    const sent = await app.call(sendFromAgentInbox, letter);
    expect(sent).toEqual({ messageId: expect.stringMatching(/^<.+>$/), threadId: expect.any(String) });
    const { token } = account;
    const { messages } = await app.call(listEmailMessages, { token });
    expect(messages).toMatchObject([
      { from: { address: inbox.inboxId, name: 'Tea & Söhne' }, subject: 'Hello' },
    ]);
    expect((await app.call(getEmailMessage, { token, id: messages[0]!.id })).text).toMatch(
      /^Line one\n\tLine two/,
    );
  });

  it('hides an inbox from other wallets', async () => {
    const { inboxId: inbox_id } = await app.call(createAgentInbox, { name: 'mine' });
    const letter = { inbox_id, to: 'a@quickbox.test', subject: 'x', text: 'x' };
    expect(await codeOf(app.call(sendFromAgentInbox, letter, { wallet: bob }))).toBe('NOT_FOUND');
    const none = { ...letter, inbox_id: 'none@agentmail.test' };
    expect(await codeOf(app.call(sendFromAgentInbox, none))).toBe('NOT_FOUND');
  });

  it('sends once per Idempotency-Key', async () => {
    const { inboxId: inbox_id } = await app.call(createAgentInbox, { name: 'once' });
    const account = await app.call(createEmailAccount, {});
    const letter = { inbox_id, to: account.address, subject: 'Once', text: 'x' };
    const idempotencyKey = newKey();
    const first = await app.call(sendFromAgentInbox, letter, { idempotencyKey });
    expect(await app.call(sendFromAgentInbox, letter, { idempotencyKey })).toEqual(first);
    // Simulates a crash before the reply was stored.
    await app.database.query('DELETE FROM idempotency_keys');
    expect(await app.call(sendFromAgentInbox, letter, { idempotencyKey })).toEqual(first);
    expect((await app.call(listEmailMessages, { token: account.token })).count).toBe(1);
  });
});

describe('Addresses of agents', () => {
  it('returns a stable address that belongs to one wallet', async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, () => app.call(makeAgentEmail, { agentId: 'shop' })),
    );
    const { address } = made[0]!;
    expect(made).toEqual(Array(8).fill({ address, domain: 'tollbridge.test' }));
    expect((await app.call(makeAgentEmail, { agentId: 'shop' }, { wallet: bob })).address).not.toBe(address);
    expect((await app.call(makeAgentEmail, { agentId: 'Shop' })).address).not.toBe(address);
    for (const agentId of ['', ' a', 'a b', 'a\r\nBcc: b', 'ä', '-a', 'x'.repeat(129)])
      expect(await fieldsOf(app.call(makeAgentEmail, { agentId }))).toEqual(['agentId']);
  });

  it('adds a longer suffix when the first is taken', async () => {
    const { address } = await app.call(makeAgentEmail, { agentId: 'taken' });
    await app.database.query('UPDATE agent_addresses SET wallet = $2 WHERE address = $1', [address, 'other']);
    const { address: other } = await app.call(makeAgentEmail, { agentId: 'taken' });
    expect(other).not.toBe(address);
    expect((await app.call(makeAgentEmail, { agentId: 'taken' })).address).toBe(other);
  });

  it('assigns an address of the own domain to the first wallet that sends from it, except role addresses', async () => {
    const { address: to } = await app.call(createEmailAccount, {});
    const from = 'Shop <Ceo@tollbridge.test>';
    const mail = { to, subject: 'Hello', text: 'Hi', from };
    for (let time = 1; time <= 2; time++)
      expect(await app.call(sendEmail, mail)).toMatchObject({ from: 'Shop <ceo@tollbridge.test>' });
    expect(await fieldsOf(app.call(sendEmail, mail, { wallet: bob }))).toEqual(['from']);
    for (const other of ['postmaster@tollbridge.test', 'support@tollbridge.test', 'shop@sub.tollbridge.test'])
      expect(await fieldsOf(app.call(sendEmail, { ...mail, from: other }))).toEqual(['from']);
    const payer = { principal: `payer:0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d:${bob}` };
    expect(await fieldsOf(app.call(sendEmail, { ...mail, from: 'bank@tollbridge.test' }, payer))).toEqual([
      'from',
    ]);
  });

  it('limits a wallet to 20 addresses claimed by sending, and still sends from its own addresses', async () => {
    const { address: to } = await app.call(createEmailAccount, {});
    const sentFrom = (name: string) =>
      app.call(sendEmail, { to, subject: 'x', text: 'x', from: `${name}@tollbridge.test` });
    await sentFrom('own');
    await app.database.query(
      `INSERT INTO agent_addresses (address, wallet, agent_id, domain, created_at)
       SELECT 'made' || n || '@tollbridge.test', wallet, 'from made' || n, domain, now()
       FROM agent_addresses, generate_series(1, 20) n WHERE agent_id = 'from own@tollbridge.test'`,
    );
    expect(await fieldsOf(sentFrom('another'))).toEqual(['from']);
    expect(await sentFrom('own')).toMatchObject({ from: 'own@tollbridge.test' });
  });

  it('sends once per Idempotency-Key, from own addresses only', async () => {
    const account = await app.call(createEmailAccount, {});
    const { address } = await app.call(makeAgentEmail, { agentId: 'sender' });
    const mail = { to: account.address, subject: 'Hello', html: '<p>Hi</p>', from: `Tea <${address}>` };
    const idempotencyKey = newKey();
    const first = await app.call(sendEmail, mail, { idempotencyKey });
    expect(first).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), from: `Tea <${address}>` });
    await app.database.query('DELETE FROM idempotency_keys');
    expect(await app.call(sendEmail, mail, { idempotencyKey })).toEqual(first);
    const { messages } = await app.call(listEmailMessages, { token: account.token });
    expect(messages).toMatchObject([{ from: { address, name: 'Tea' }, subject: 'Hello' }]);

    for (const from of [address, 'a@example.com', `Tea <${address}>`])
      expect(await fieldsOf(app.call(sendEmail, { ...mail, from }, { wallet: bob }))).toEqual(['from']);
    const { from: common } = await app.call(sendEmail, { to: account.address, subject: 'x', text: 'x' });
    expect(common).toBe('no-reply@tollbridge.test');
  });
});

describe('Validation without a request to the provider', () => {
  const bad = 'a@b.test\r\nBcc: c@d.test';
  const addresses = [
    bad,
    'a@b.test,c@d.test',
    'a@b.test; c@d.test',
    'A <a@b.test>',
    'a',
    'a@b',
    '@b.test',
    'a..b@c.test',
    '',
    'a@-b.test',
    `${'x'.repeat(65)}@b.test`,
    `a@${'x.'.repeat(130)}test`,
    'a@b.test\0',
    'ä@b.test',
    'a b@c.test',
    Array.from({ length: 1_000 }, (_, at) => `a${at}@b.test`) as unknown as string,
  ];

  it('rejects invalid addresses, header injection, and empty or huge mail', async () => {
    const { inboxId: inbox_id } = await app.call(createAgentInbox, { name: 'careful' });
    const requests = app.mail.requests();
    const letter = { inbox_id, to: 'a@b.test', subject: 'x', text: 'x' };
    const mail = { to: 'a@b.test', subject: 'x', text: 'x' };
    for (const to of addresses) {
      expect([to, await fieldsOf(app.call(sendFromAgentInbox, { ...letter, to }))]).toEqual([to, ['to']]);
      expect([to, await fieldsOf(app.call(sendEmail, { ...mail, to }))]).toEqual([to, ['to']]);
    }
    for (const subject of ['', 'x\r\nBcc: c@d.test', 'x\ny', 'x'.repeat(501)]) {
      expect(await fieldsOf(app.call(sendFromAgentInbox, { ...letter, subject }))).toEqual(['subject']);
      expect(await fieldsOf(app.call(sendEmail, { ...mail, subject }))).toEqual(['subject']);
    }
    for (const from of [
      'x',
      `A\r\nBcc: c@d.test <a@tollbridge.test>`,
      '"A" <a@tollbridge.test>',
      'A <a@b.test> <c@d.test>',
    ])
      expect(await fieldsOf(app.call(sendEmail, { ...mail, from }))).toEqual(['from']);
    const huge = 'x'.repeat(100_001);
    expect(await fieldsOf(app.call(sendFromAgentInbox, { ...letter, text: huge }))).toEqual(['text']);
    expect(await fieldsOf(app.call(sendEmail, { ...mail, text: huge, html: huge }))).toEqual([
      'html',
      'text',
    ]);
    for (const text of [undefined, ' \n'])
      expect(
        await fieldsOf(app.call(sendEmail, { to: 'a@b.test', subject: 'x', ...(text && { text }) })),
      ).toEqual(['text']);
    const all = { inbox_id: 'x', to: bad, subject: '', text: '', cc: 'c@d.test' } as typeof letter;
    expect(await fieldsOf(app.call(sendFromAgentInbox, all))).toEqual([
      'cc',
      'inbox_id',
      'subject',
      'text',
      'to',
    ]);
    expect(app.mail.requests()).toBe(requests);
  });
});

it('returns the rejection of the provider', async () => {
  const { inboxId: inbox_id } = await app.call(createAgentInbox, { name: 'refused' }, { wallet: alice });
  const mail = { to: 'ada@example.com', subject: 'x', text: 'x' };
  expect(await codeOf(app.call(sendEmail, mail))).toBe('PURCHASE_REFUSED');
  expect(await codeOf(app.call(sendFromAgentInbox, { inbox_id, ...mail }))).toBe('PURCHASE_REFUSED');
});

it('returns 503 for providers that are not configured', async () => {
  await app.apps[0]!.close();
  await app.startApp({ MAILTM_URL: '', AGENTMAIL_URL: '', RESEND_URL: '', RESEND_DOMAIN: '' });
  const mail = { to: 'a@b.test', subject: 'x', text: 'x' };
  for (const call of [
    app.call(listEmailDomains, {}),
    app.call(createEmailAccount, {}),
    app.call(createEmailAccountAndWait, {}),
    app.call(listEmailMessages, { token: 'x' }),
    app.call(createAgentInbox, { name: 'x' }),
    app.call(sendEmail, mail),
    app.call(makeAgentEmail, { agentId: 'x' }),
  ])
    expect(await codeOf(call)).toBe('SERVICE_UNAVAILABLE');
});
