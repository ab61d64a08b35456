import Mailjs from '@cemalgnlts/mailjs';
import { AgentMailClient } from 'agentmail';
import { Resend } from 'resend';
import { agentmailKey } from '../agentmail/agentmail.simulator';
import { resendKey } from '../resend/resend.simulator';
import { startMailHarness, type MailHarness } from '../testing/mail-harness';

let harness: MailHarness;
let mailjs: Mailjs;
let agentmail: AgentMailClient;
let resend: Resend;

const mailbox = (baseUrl: string): Mailjs => Object.assign(new Mailjs(), { baseUrl });

beforeAll(async () => {
  harness = await startMailHarness();
  mailjs = mailbox(harness.mailtm);
  agentmail = new AgentMailClient({ apiKey: agentmailKey, baseUrl: harness.agentmail, maxRetries: 0 });
  resend = new Resend(resendKey, { baseUrl: harness.resend });
});
afterAll(() => harness?.close());

describe('mail.tm SDK against the simulator', () => {
  it('creates an account, reads mail of any SMTP client, and deletes the account', async () => {
    const { data: domains } = await mailjs.getDomains();
    expect(domains[0]).toMatchObject({ domain: 'quickbox.test', isActive: true, isPrivate: false });
    expect((await mailjs.getDomain(domains[1]!.id)).data.domain).toBe('tempbox.test');
    const address = `sdk@${domains[0]!.domain}`;
    expect(await mailjs.register(address, 'pass-1')).toMatchObject({
      status: true,
      statusCode: 201,
      data: { address },
    });
    expect(await mailjs.login(address, 'pass-1')).toMatchObject({
      status: true,
      data: { id: expect.any(String) },
    });
    expect((await mailjs.me()).data).toMatchObject({ address, used: 0, quota: 40_000_000 });

    await harness.send({
      from: 'Shop <shop@example.com>',
      to: `Me <${address}>`,
      subject: 'Grüße: 482913',
      text: 'Your code is 482913',
      html: '<p>Your code is <b>482913</b></p>',
      attachments: [{ filename: 'a.txt', content: 'abc' }],
    });

    const { data: messages } = await mailjs.getMessages();
    expect(messages).toMatchObject([
      {
        from: { address: 'shop@example.com', name: 'Shop' },
        to: [{ address, name: 'Me' }],
        subject: 'Grüße: 482913',
        intro: 'Your code is 482913',
        seen: false,
        hasAttachments: true,
      },
    ]);
    const { id } = messages[0]!;
    expect((await mailjs.getMessage(id)).data).toMatchObject({
      text: 'Your code is 482913',
      html: ['<p>Your code is <b>482913</b></p>'],
      attachments: [{ filename: 'a.txt', size: 3 }],
    });
    expect((await mailjs.getSource(id)).data.data).toContain('Subject:');
    expect((await mailjs.setMessageSeen(id)).data).toEqual({ seen: true });
    expect((await mailjs.getMessages()).data[0]!.seen).toBe(true);
    expect((await mailjs.me()).data.used).toBeGreaterThan(100);
    expect(await mailjs.deleteMessage(id)).toMatchObject({ statusCode: 204 });
    expect((await mailjs.getMessages()).data).toEqual([]);
    expect(await mailjs.deleteMe()).toMatchObject({ statusCode: 204 });
    expect((await mailbox(harness.mailtm).login(address, 'pass-1')).statusCode).toBe(401);
  });

  it("reports the provider's rejections", async () => {
    const other = mailbox(harness.mailtm);
    expect(await other.me()).toMatchObject({ status: false, statusCode: 401 });
    expect(await other.register('a@gmail.com', 'x')).toMatchObject({ status: false, statusCode: 422 });
    expect(await other.register('twice@quickbox.test', 'x')).toMatchObject({ statusCode: 201 });
    const again = await other.register('twice@quickbox.test', 'x');
    expect(again).toMatchObject({ statusCode: 422, message: 'address: This value is already used.' });
    expect(await other.login('twice@quickbox.test', 'y')).toMatchObject({ statusCode: 401 });
    expect(await other.loginWithToken('e30.e30.e30')).toMatchObject({ statusCode: 401 });
    await other.login('twice@quickbox.test', 'x');
    const { token } = other as unknown as { token: string };
    const forged = `${token.slice(0, -3)}AAA`;
    expect(await mailbox(harness.mailtm).loginWithToken(forged)).toMatchObject({ statusCode: 401 });
    expect(await other.getMessage('0'.repeat(24))).toMatchObject({ statusCode: 404 });
  });

  it('creates one account for two concurrent requests', async () => {
    const made = await Promise.all(
      Array.from({ length: 5 }, () => mailbox(harness.mailtm).register('race@quickbox.test', 'x')),
    );
    expect(made.map(({ statusCode }) => statusCode).sort()).toEqual([201, 422, 422, 422, 422]);
  });

  it('returns Hydra collections without an Accept header', async () => {
    const reply = await fetch(`${harness.mailtm}/domains`, { headers: { accept: 'application/ld+json' } });
    expect(reply.headers.get('content-type')).toMatch(/^application\/ld\+json/);
    expect(await reply.json()).toMatchObject({ '@type': 'hydra:Collection', 'hydra:totalItems': 2 });
  });
});

describe('AgentMail SDK against the simulator', () => {
  it('creates one inbox for a client id, sends from it, and reads the reply', async () => {
    const inbox = await agentmail.inboxes.create({
      username: 'shop',
      displayName: 'Shop',
      clientId: 'order-1',
    });
    expect(inbox).toMatchObject({ inboxId: 'shop@agentmail.test', displayName: 'Shop', clientId: 'order-1' });
    expect(inbox.createdAt).toBeInstanceOf(Date);
    const again = await agentmail.inboxes.create({
      username: 'shop',
      displayName: 'Shop',
      clientId: 'order-1',
    });
    expect(again.inboxId).toBe(inbox.inboxId);
    await expect(agentmail.inboxes.create({ username: 'shop' })).rejects.toMatchObject({ statusCode: 403 });
    const guest = await agentmail.inboxes.create();
    expect(guest.inboxId).toMatch(/^[0-9a-f]{24}@agentmail\.test$/);

    const letter = {
      to: [guest.inboxId],
      subject: 'Hello',
      text: 'How are you?',
      html: '<p>How are you?</p>',
    };
    const sent = await agentmail.inboxes.messages.send(inbox.inboxId, letter, { idempotencyKey: 'letter-1' });
    const repeated = await agentmail.inboxes.messages.send(inbox.inboxId, letter, {
      idempotencyKey: 'letter-1',
    });
    expect(repeated).toEqual(sent);
    expect(sent.messageId).toMatch(/^<.+@agentmail\.test>$/);

    const { messages } = await agentmail.inboxes.messages.list(guest.inboxId);
    expect(messages).toMatchObject([
      { from: 'Shop <shop@agentmail.test>', subject: 'Hello', messageId: sent.messageId },
    ]);
    const read = await agentmail.inboxes.messages.get(guest.inboxId, sent.messageId);
    expect(read).toMatchObject({ text: 'How are you?', html: '<p>How are you?</p>' });
  });

  it('sends once for one idempotency key, and rejects another message with it', async () => {
    const inbox = await agentmail.inboxes.create({ username: 'keyed' });
    const send = async (key: string, text: string) => {
      const url = `${harness.agentmail}/v0/inboxes/${encodeURIComponent(inbox.inboxId)}/messages/send`;
      const headers = { authorization: `Bearer ${agentmailKey}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ to: [inbox.inboxId], subject: 'Once', text });
      return fetch(url, { method: 'POST', headers: { ...headers, 'idempotency-key': key }, body });
    };
    const [one, other] = await Promise.all([send('k', 'one'), send('k', 'one')]);
    expect(await one.json()).toEqual(await other.json());
    expect((await send('k', 'two')).status).toBe(409);
    expect((await agentmail.inboxes.messages.list(inbox.inboxId)).count).toBe(1);
  });

  it('rejects a wrong API key, and returns 404 for unknown resources', async () => {
    const stranger = new AgentMailClient({ apiKey: 'am_other', baseUrl: harness.agentmail, maxRetries: 0 });
    await expect(stranger.inboxes.list()).rejects.toMatchObject({ statusCode: 403 });
    await expect(agentmail.inboxes.get('unknown@agentmail.test')).rejects.toMatchObject({ statusCode: 404 });
    await expect(agentmail.inboxes.create({ username: 'a b' })).rejects.toMatchObject({ statusCode: 400 });
    await expect(agentmail.inboxes.create({ domain: 'example.com' })).rejects.toMatchObject({
      statusCode: 400,
    });
  });
});

describe('Resend SDK against the simulator', () => {
  const letter = { from: 'Shop <hello@tollbridge.test>', subject: 'Hello', text: 'Your code is 7731' };

  it('sends once for one idempotency key, over SMTP into a mailbox', async () => {
    await mailjs.register('to-resend@quickbox.test', 'x');
    await mailjs.login('to-resend@quickbox.test', 'x');
    const mail = { ...letter, to: 'to-resend@quickbox.test' };

    const { data, error } = await resend.emails.send(mail, { idempotencyKey: 'one' });
    expect(error).toBeNull();
    expect((await resend.emails.send(mail, { idempotencyKey: 'one' })).data).toEqual(data);

    const { data: messages } = await mailjs.getMessages();
    expect(messages).toMatchObject([
      { from: { address: 'hello@tollbridge.test', name: 'Shop' }, subject: 'Hello' },
    ]);
    expect((await resend.emails.get(data!.id)).data).toMatchObject({
      object: 'email',
      id: data!.id,
      to: ['to-resend@quickbox.test'],
      last_event: 'delivered',
    });
    const other = await resend.emails.send({ ...mail, subject: 'Other' }, { idempotencyKey: 'one' });
    expect(other.error).toMatchObject({ name: 'invalid_idempotent_request', statusCode: 409 });
    const batch = await resend.batch.send([mail, mail]);
    expect(batch.data!.data).toHaveLength(2);
    expect((await mailjs.getMessages()).data).toHaveLength(3);
  });

  it('reports undeliverable mail', async () => {
    for (const to of ['unknown@quickbox.test', 'unknown@elsewhere.invalid']) {
      const { data } = await resend.emails.send({ ...letter, to });
      expect((await resend.emails.get(data!.id)).data).toMatchObject({ last_event: 'bounced' });
    }
  });

  it("reports the provider's rejections", async () => {
    const send = async (changes: object) =>
      (await resend.emails.send({ ...letter, to: 'a@b.test', ...changes })).error;
    expect(await send({ from: 'a@example.com' })).toMatchObject({
      name: 'validation_error',
      statusCode: 403,
    });
    expect(await send({ from: 'invalid' })).toMatchObject({ name: 'invalid_from_address', statusCode: 422 });
    expect(await send({ to: 'a@example.com' })).toMatchObject({ name: 'validation_error', statusCode: 422 });
    expect(await send({ text: undefined })).toMatchObject({ name: 'validation_error', statusCode: 422 });
    expect(await send({ to: 'a@b.test\r\nBcc: c@d.test' })).toMatchObject({ statusCode: 422 });
    expect(await send({ to: Array.from({ length: 51 }, (_, at) => `a${at}@b.test`) })).toMatchObject({
      statusCode: 422,
    });
    const stranger = new Resend('re_other', { baseUrl: harness.resend });
    expect((await stranger.emails.send({ ...letter, to: 'a@b.test' })).error).toMatchObject({
      name: 'invalid_api_key',
    });
    const key = 'k'.repeat(257);
    const long = await resend.emails.send({ ...letter, to: 'a@b.test' }, { idempotencyKey: key });
    expect(long.error).toMatchObject({ name: 'invalid_idempotency_key', statusCode: 400 });
    expect((await resend.emails.get('none')).error).toMatchObject({ name: 'not_found', statusCode: 404 });
  });
});
