import { Database, systemClock } from '@tollbridge/database';
import {
  eventually,
  freshDatabase,
  startHttpServer,
  type FreshDatabase,
  type HttpServer,
  type SeenRequest,
} from '@tollbridge/testing';
import { AgentMailClient } from 'agentmail';
import Lithic from 'lithic';
import { createHmac } from 'node:crypto';
import { Resend } from 'resend';
import { Webhook } from 'standardwebhooks';
import twilio from 'twilio';
import { agentmailKey, type AgentmailSimulator } from '../agentmail/agentmail.simulator';
import { lithicSandboxKey } from '../lithic/lithic';
import { audienceOf, sandboxClient } from '../reloadly/tokens';
import { resendKey } from '../resend/resend.simulator';
import { startServiceSimulators, type RunningServiceSimulators } from '../simulators/service-simulators';
import { smsActivateKey } from '../sms-activate/sms-activate';
import { twilioAccount } from '../twilio/twilio';
import { hookSecrets } from './sandbox-secrets';
import { migrateSandbox } from '../simulators/open-simulators';

let fresh: FreshDatabase;
let database: Database;
let receiver: HttpServer;
let running: RunningServiceSimulators;
let resend: Resend;
let agentmail: AgentMailClient;
let lithic: Lithic;

beforeAll(async () => {
  fresh = await freshDatabase('sandbox', migrateSandbox);
  database = await Database.open({ app: 'sandbox', url: fresh.runtimeUrl, entities: [], maxConnections: 4 });
  receiver = await startHttpServer(() => ({ status: 200, body: {} }));
  const parts = { database, clock: systemClock, onError: () => undefined };
  running = await startServiceSimulators({ ...parts, hooksUrl: `${receiver.url}/hooks` });
  resend = new Resend(resendKey, { baseUrl: `${running.url}/resend` });
  const own = { baseUrl: `${running.url}/agentmail`, maxRetries: 0 };
  agentmail = new AgentMailClient({ apiKey: agentmailKey, ...own });
  lithic = new Lithic({ apiKey: lithicSandboxKey, baseURL: `${running.url}/lithic`, maxRetries: 0 });
});
afterAll(async () => {
  await running?.close();
  await receiver?.close();
  await database?.close();
  await fresh?.drop();
});
beforeEach(() => void receiver.requests.splice(0));

/** Waits for this number of requests to a URL and returns them. */
const received = (path: string, count = 1): Promise<SeenRequest[]> =>
  eventually(() => {
    const found = receiver.requests.filter((request) => request.path === path);
    if (found.length < count) throw new Error(`${found.length} of ${count} arrived at ${path}`);
    return found;
  });
const header = ({ headers }: SeenRequest, name: string): string => String(headers[name]);
const changed = (body: string): string => `${body.slice(0, -1)} }`;
const standard = (request: SeenRequest, prefix = 'svix') => ({
  'webhook-id': header(request, `${prefix}-id`),
  'webhook-timestamp': header(request, `${prefix}-timestamp`),
  'webhook-signature': header(request, `${prefix}-signature`),
});

it('accepts Resend webhooks with the official SDK, and rejects modified ones', async () => {
  const { data } = await resend.emails.send({
    from: 'Shop <shop@tollbridge.test>',
    to: 'inbox@tollbridge.test',
    subject: 'Hello',
    text: 'Hi',
  });
  // Mail to the own domain is received immediately, before the delivery event.
  const all = await received('/hooks/resend', 3);
  const verify = (request: SeenRequest, payload: string) => {
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, ...rest } = standard(request);
    const headers = { id, timestamp, signature: rest['webhook-signature'] };
    return resend.webhooks.verify({ payload, headers, webhookSecret: hookSecrets.resend });
  };
  const events = all.map((request) => verify(request, request.body));
  expect(events.map(({ type }) => type)).toEqual(['email.received', 'email.sent', 'email.delivered']);
  expect(events[2]).toMatchObject({ data: { email_id: data!.id, to: ['inbox@tollbridge.test'] } });
  expect(() => verify(all[0]!, changed(all[0]!.body))).toThrow('No matching signature');
  const twice = all.map((request) => header(request, 'svix-id'));
  expect(new Set(twice).size).toBe(3);
});

it("sends the selected events to a webhook registered with Resend, signed with the webhook's secret", async () => {
  const endpoint = `${receiver.url}/own/resend`;
  const { data: made } = await resend.webhooks.create({ endpoint, events: ['email.bounced'] });
  expect((await resend.webhooks.get(made!.id)).data).toMatchObject({ endpoint, status: 'enabled' });
  expect((await resend.webhooks.list()).data!.data).toHaveLength(1);
  const mail = { from: 'shop@tollbridge.test', subject: 'Hello', text: 'Hi' };
  await resend.emails.send({ ...mail, to: 'unknown@agentmail.test' });
  const [request] = await received('/own/resend');
  expect(new Webhook(made!.signing_secret).verify(request!.body, standard(request!))).toMatchObject({
    type: 'email.bounced',
  });
  expect((await resend.webhooks.remove(made!.id)).data).toMatchObject({ deleted: true });
  expect((await resend.webhooks.get(made!.id)).error).toMatchObject({ name: 'not_found' });
});

it('sends AgentMail events of sent and received mail to URLs registered with the SDK', async () => {
  const inbox = await agentmail.inboxes.create({ username: 'hooks' });
  const url = `${receiver.url}/own/agentmail`;
  const wish = { url, eventTypes: ['message.received' as const], clientId: 'hook-1' };
  const made = await agentmail.webhooks.create(wish);
  expect((await agentmail.webhooks.create(wish)).webhookId).toBe(made.webhookId);
  expect((await agentmail.webhooks.get(made.webhookId)).url).toBe(url);
  const letter = { to: [inbox.inboxId], subject: 'Code', text: '482913' };
  const { messageId } = await agentmail.inboxes.messages.send(inbox.inboxId, letter);
  const [own] = await received('/own/agentmail');
  expect(new Webhook(made.secret).verify(own!.body, standard(own!))).toMatchObject({
    type: 'event',
    event_type: 'message.received',
    message: { inbox_id: inbox.inboxId, message_id: messageId, subject: 'Code' },
  });
  const all = await received('/hooks/agentmail', 3);
  const verify = (request: SeenRequest, body: string) =>
    new Webhook(hookSecrets.agentmail).verify(body, standard(request)) as { event_type: string };
  expect(all.map((request) => verify(request, request.body).event_type)).toEqual([
    'message.received',
    'message.sent',
    'message.delivered',
  ]);
  expect(() => verify(all[1]!, changed(all[1]!.body))).toThrow();
  await agentmail.webhooks.delete(made.webhookId);
  await expect(agentmail.webhooks.get(made.webhookId)).rejects.toMatchObject({ statusCode: 404 });
});

it('accepts Lithic webhooks with the official SDK, and rejects modified ones', async () => {
  const url = `${receiver.url}/own/lithic`;
  const subscription = await lithic.events.subscriptions.create({ url, event_types: ['card.updated'] });
  const { secret } = await lithic.events.subscriptions.retrieveSecret(subscription.token);
  const card = await lithic.cards.create({ type: 'VIRTUAL', spend_limit: 2_500 });
  await lithic.cards.update(card.token, { state: 'PAUSED' });
  const [first, second] = await received('/hooks/lithic', 2);
  const unwrap = (request: SeenRequest, body: string, key: string) =>
    lithic.webhooks.unwrap(body, request.headers as Record<string, string>, key);
  expect(unwrap(first!, first!.body, hookSecrets.lithic)).toEqual({
    event_type: 'card.created',
    card_token: card.token,
  });
  expect(unwrap(second!, second!.body, hookSecrets.lithic)).toMatchObject({ state: 'PAUSED' });
  expect(() => unwrap(first!, changed(first!.body), hookSecrets.lithic)).toThrow('No matching signature');
  const [own] = await received('/own/lithic');
  expect(unwrap(own!, own!.body, secret!)).toMatchObject({ event_type: 'card.updated' });
  expect(await lithic.events.subscriptions.retrieve(subscription.token)).toMatchObject({ url });
  await lithic.events.subscriptions.delete(subscription.token);
  await expect(lithic.events.subscriptions.retrieve(subscription.token)).rejects.toMatchObject({
    status: 404,
  });
});

it('validates Twilio callbacks of each message state, and rejects other forms and URLs', async () => {
  const client = twilio(twilioAccount.sid, twilioAccount.token);
  client.api.baseUrl = `${running.url}/twilio`;
  const statusCallback = `${receiver.url}/hooks/twilio?a=1`;
  const wish = { to: '+447400123456', from: twilioAccount.from, body: 'Hi' };
  const { sid } = await client.messages.create({ ...wish, statusCallback });
  const all = await received('/hooks/twilio', 3);
  const forms = all.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
  const check = (at: number, form: object, url = statusCallback) =>
    twilio.validateRequest(twilioAccount.token, header(all[at]!, 'x-twilio-signature'), url, form);
  expect(forms.map(({ MessageStatus: status }) => status)).toEqual(['sending', 'sent', 'delivered']);
  for (const [at, form] of forms.entries()) {
    expect(form['MessageSid']).toBe(sid);
    expect(check(at, form)).toBe(true);
    expect(check(at, { ...form, MessageStatus: 'failed' })).toBe(false);
    expect(check(at, form, `${receiver.url}/hooks/twilio`)).toBe(false);
  }
  const bad = client.messages.create({ ...wish, statusCallback: 'ftp://example.com' });
  await expect(bad).rejects.toMatchObject({ code: 21609 });
});

it('sends the final state of a Reloadly purchase, signed over body and timestamp', async () => {
  const json = { 'content-type': 'application/json' };
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const init = { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) };
    return (await (await fetch(`${running.url}/reloadly${path}`, init)).json()) as any;
  };
  const { access_token } = await post('/auth/oauth/token', {
    client_id: sandboxClient.id,
    client_secret: sandboxClient.secret,
    grant_type: 'client_credentials',
    audience: audienceOf('giftcards'),
  });
  const startedMs = Date.now();
  const order = {
    productId: 1001,
    quantity: 1,
    senderName: 'Ada',
    unitPrice: 25.65,
    customIdentifier: 'o-1',
  };
  const made = await post('/giftcards/orders', order, { authorization: `Bearer ${access_token}` });
  expect(made.status).toBe('PENDING');
  const [request] = await received('/hooks/reloadly');
  expect(Date.now() - startedMs).toBeGreaterThanOrEqual(1_400);
  expect(JSON.parse(request!.body)).toMatchObject({
    type: 'giftcard_transaction.status',
    data: { transactionId: made.transactionId, customIdentifier: 'o-1', status: 'REFUNDED' },
  });
  const signed = (body: string) =>
    createHmac('sha256', hookSecrets.reloadly)
      .update(`${body}:${header(request!, 'x-reloadly-request-timestamp')}`)
      .digest('hex');
  expect(header(request!, 'x-reloadly-signature')).toBe(signed(request!.body));
  expect(signed(changed(request!.body))).not.toBe(signed(request!.body));
  const agoS = Date.now() / 1_000 - Number(header(request!, 'x-reloadly-request-timestamp'));
  expect(Math.abs(agoS)).toBeLessThan(30);
});

it('sends the code of a rented number, without a signature', async () => {
  const handler = `${running.url}/sms-activate/stubs/handler_api.php`;
  const query = { api_key: smsActivateKey, action: 'getNumber', service: 'tg', country: '187' };
  const answer = await (await fetch(`${handler}?${new URLSearchParams(query)}`)).text();
  const [, activationId, phoneNumber] = answer.split(':');
  const [request] = await received(`/hooks/sms-activate/${hookSecrets.smsActivate}`);
  expect(JSON.parse(request!.body)).toEqual({
    activationId,
    phoneNumber,
    smsCode: expect.stringMatching(/^\d{6}$/),
    smsText: expect.any(String),
  });
});

it('rejects registrations above the limit', async () => {
  const url = `${receiver.url}/many`;
  const wish = (place: number) => ({ url, eventTypes: ['message.sent' as const], clientId: `many-${place}` });
  for (let place = 0; place < 20; place++) await agentmail.webhooks.create(wish(place));
  await expect(agentmail.webhooks.create(wish(20))).rejects.toMatchObject({ statusCode: 400 });
  const { hooks } = running.simulators['agentmail'] as AgentmailSimulator;
  for (const { id } of hooks.list()) hooks.remove(id);
});
