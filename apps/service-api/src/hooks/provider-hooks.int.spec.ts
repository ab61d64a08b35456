import { lithicSandboxKey } from '@tollbridge/app-sandbox';
import { cardsApi, giftApi, providerHooksApi, smsApi, type ProviderHook } from '@tollbridge/contracts';
import { DomainError, type BusOperation } from '@tollbridge/rpc';
import { eventually, ManualClock, startHttpServer, type HttpServer } from '@tollbridge/testing';
import { createHmac, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks';
import { aGiftCard } from '../gift/testing/gift-orders.builder';
import { CardHarness, owner } from '../testing/card-harness';
import { GiftHarness } from '../testing/gift-harness';
import { SmsHarness } from '../testing/sms-harness';

const { receiveHook } = providerHooksApi.operations;

interface Harness {
  call<I, O>(operation: BusOperation<I, O>, input: I): Promise<O>;
}

const hookOf = (provider: string, body: string, more: Partial<ProviderHook> = {}): ProviderHook => ({
  provider,
  body: Buffer.from(body).toString('base64'),
  ...more,
});
/** Returns `received`, or the error code. */
const send = (harness: Harness, hook: ProviderHook): Promise<string> =>
  harness.call(receiveHook, hook).then(
    () => 'received',
    (error: unknown) => (error as DomainError).code,
  );

describe('Webhooks of Reloadly', () => {
  const secret = 'a-secret-of-reloadly';
  let harness: GiftHarness;

  beforeAll(async () => {
    harness = await GiftHarness.start({ RELOADLY_WEBHOOK_SECRET: secret });
  });
  afterAll(() => harness?.close());

  const signed = (content: object, { atMs = harness.clock.now(), key = secret } = {}): ProviderHook => {
    const body = JSON.stringify(content);
    const timestamp = String(Math.floor(atMs / 1_000));
    const signature = createHmac('sha256', key).update(`${body}:${timestamp}`).digest('hex');
    const headers = { 'x-reloadly-signature': signature, 'x-reloadly-request-timestamp': timestamp };
    return hookOf('reloadly', body, { headers });
  };
  /** The body of a Reloadly webhook about a purchase, whether its status is true or not. */
  const report = (customIdentifier: string, status = 'SUCCESSFUL') => ({
    type: 'giftcard_transaction.status',
    data: { transactionId: 1, customIdentifier, status },
  });
  const order = aGiftCard({ unitPrice: 10.67 });
  /** Buys a card that is pending for 1.5 seconds of the clock. It is polled after 2 seconds. */
  const buy = async (): Promise<string> => {
    const { id, status } = await harness.call(giftApi.operations.orderGiftCard, order, randomUUID());
    expect(status).toBe('PENDING');
    return id;
  };
  const asked = (): number => [...harness.simulator.asked.values()].reduce((sum, count) => sum + count, 0);
  const statusOf = async (id: string): Promise<string> => {
    const rows = await harness.database.query<{ status: string }>(
      'SELECT status FROM purchases WHERE id = $1',
      [id],
    );
    return rows[0]!.status;
  };
  const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_300));

  it('completes a purchase before its next poll', async () => {
    const id = await buy();
    harness.clock.advance(1_600);
    await quiet();
    expect(await statusOf(id)).toBe('pending');
    expect(await send(harness, signed(report(id)))).toBe('received');
    await eventually(async () => expect(await statusOf(id)).toBe('completed'));
  });

  it('verifies the reported status with the provider', async () => {
    const id = await buy();
    const before = asked();
    expect(await send(harness, signed(report(id, 'FAILED')))).toBe('received');
    await eventually(() => expect(asked()).toBeGreaterThan(before));
    expect(await statusOf(id)).toBe('pending');
    harness.clock.advance(1_600);
    expect(await send(harness, signed(report(id, 'REFUNDED')))).toBe('received');
    await eventually(async () => expect(await statusOf(id)).toBe('completed'));
  });

  it('rejects forged, changed and old webhooks without a lookup', async () => {
    const id = await buy();
    harness.clock.advance(1_600);
    const before = asked();
    const good = signed(report(id));
    const old = signed(report(id), { atMs: harness.clock.now() - 5 * 60_000 - 1_000 });
    const forged = [
      signed(report(id), { key: 'another-secret-of-it' }),
      { ...good, body: Buffer.from(JSON.stringify(report(id, 'FAILED'))).toString('base64') },
      hookOf('reloadly', JSON.stringify(report(id))),
      old,
    ];
    for (const hook of forged) expect(await send(harness, hook)).toBe('UNAUTHORIZED');
    // The gateway forwards no body of this length: only another client of the bus could send it.
    expect(await send(harness, { ...good, body: 'A'.repeat(90_000) })).toBe('VALIDATION_ERROR');
    await quiet();
    expect(asked()).toBe(before);
    expect(await statusOf(id)).toBe('pending');
    harness.clock.advance(1_000);
    await eventually(async () => expect(await statusOf(id)).toBe('completed'));
  });

  it('causes one lookup a second at most, and none for a final purchase', async () => {
    const id = await buy();
    const hook = signed(report(id));
    const before = asked();
    const startedMs = performance.now();
    for (let count = 0; count < 30; count++) expect(await send(harness, hook)).toBe('received');
    await eventually(() => expect(asked()).toBeGreaterThan(before));
    await quiet();
    const seconds = (performance.now() - startedMs) / 1_000;
    expect(asked() - before).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
    harness.clock.advance(3_000);
    await eventually(async () => expect(await statusOf(id)).toBe('completed'));
    const statuses = () => harness.events.of(id).map(({ envelope: { data } }) => data['status']);
    await eventually(() => expect(statuses()).toContain('completed'));
    await quiet();
    const [ended, events] = [asked(), harness.events.events.length];
    expect(await send(harness, signed(report(id, 'REFUNDED')))).toBe('received');
    await quiet();
    expect([asked(), harness.events.events.length, await statusOf(id)]).toEqual([ended, events, 'completed']);
  });

  it('causes no lookup when the webhook contains no known purchase id', async () => {
    const before = asked();
    expect(await send(harness, signed(report(randomUUID())))).toBe('received');
    expect(await send(harness, signed({ hello: 'there' }))).toBe('received');
    await quiet();
    expect(asked()).toBe(before);
  });

  it('returns 404 for a provider without a secret', async () => {
    for (const provider of ['lithic', 'twilio', 'agentmail', 'resend', 'sms-activate', 'laso', 'constructor'])
      expect(await send(harness, { ...signed({}), provider })).toBe('NOT_FOUND');
  });
});

describe('Webhooks of Lithic, AgentMail and Resend', () => {
  const secret = `whsec_${Buffer.from('a key of twenty-four byte').toString('base64')}`;
  const clock = new ManualClock();
  let harness: CardHarness;

  beforeAll(async () => {
    harness = await CardHarness.start(clock);
    await harness.startApp({
      LITHIC_WEBHOOK_SECRET: secret,
      AGENTMAIL_WEBHOOK_SECRET: secret,
      RESEND_WEBHOOK_SECRET: secret,
    });
  });
  afterAll(() => harness?.close());

  const signed = (provider: string, content: object, prefix: 'svix' | 'webhook', atMs = clock.now()) => {
    const body = JSON.stringify(content);
    const signature = new Webhook(secret).sign('msg_1', new Date(atMs), body);
    const timestamp = String(Math.floor(atMs / 1_000));
    const headers = {
      [`${prefix}-id`]: 'msg_1',
      [`${prefix}-timestamp`]: timestamp,
      [`${prefix}-signature`]: signature,
    };
    return hookOf(provider, body, { headers });
  };
  const shown = async () => (await harness.call(cardsApi.operations.myCards, { wallet: owner })).cards[0]!;

  it('refreshes a card from its issuer, whatever state the webhook reports', async () => {
    await harness.call(cardsApi.operations.getCard, { wallet: owner, amount: 25 });
    const { issuerCardId, status } = await shown();
    expect(status).toBe('open');
    const patched = await fetch(`${harness.issuers.running.url}/lithic/v1/cards/${issuerCardId}`, {
      method: 'PATCH',
      headers: { authorization: lithicSandboxKey, 'content-type': 'application/json' },
      body: JSON.stringify({ state: 'PAUSED' }),
    });
    expect(patched.status).toBe(200);
    const content = { event_type: 'card.updated', card_token: issuerCardId, state: 'CLOSED' };
    expect(await send(harness, signed('lithic', content, 'svix'))).toBe('UNAUTHORIZED');
    expect((await shown()).status).toBe('open');
    expect(await send(harness, signed('lithic', content, 'webhook'))).toBe('received');
    await eventually(async () => expect((await shown()).status).toBe('paused'));
    const unknown = { ...content, card_token: randomUUID() };
    expect(await send(harness, signed('lithic', unknown, 'webhook'))).toBe('received');
    const old = signed('lithic', content, 'webhook', clock.now() - 6 * 60_000);
    expect(await send(harness, old)).toBe('UNAUTHORIZED');
  });

  it('verifies mail webhooks, which change nothing', async () => {
    for (const provider of ['agentmail', 'resend']) {
      const good = signed(provider, { type: 'email.delivered' }, 'svix');
      expect(await send(harness, good)).toBe('received');
      expect(await send(harness, { ...good, body: Buffer.from('{}').toString('base64') })).toBe(
        'UNAUTHORIZED',
      );
      const old = signed(provider, {}, 'svix', clock.now() - 6 * 60_000);
      expect(await send(harness, old)).toBe('UNAUTHORIZED');
    }
  });
});

describe('Webhooks of sms-activate and Twilio', () => {
  const token = 'a-token-of-24-characters';
  let harness: SmsHarness;
  let receiver: HttpServer;

  beforeAll(async () => {
    receiver = await startHttpServer(() => ({ status: 200 }));
    // This interval exceeds the duration of the test, so only a webhook can cause a lookup.
    const settings = {
      SMS_NUMBERS_WEBHOOK_TOKEN: token,
      SMS_NUMBERS_LOOK_MS: '30000',
      SERVICE_API_HOOKS_URL: `${receiver.url}/hooks/`,
    };
    harness = await SmsHarness.start(() => settings);
    await harness.startApp(settings);
  });
  afterAll(async () => {
    await harness?.close();
    await receiver?.close();
  });

  it('ends the wait for a code in every process', async () => {
    const { numbers } = harness.simulators.smsActivate;
    numbers.codeAfterMs = 60_000;
    const startedMs = performance.now();
    const calls = Array.from({ length: 4 }, () =>
      harness.call(smsApi.operations.awaitCode, { service: 'tg', country: 44, timeout: 60 }),
    );
    await eventually(async () => {
      const rented = (await harness.purchases()).filter(({ status }) => status === 'pending');
      expect(rented).toHaveLength(4);
    });
    for (const rented of numbers.all()) rented.codeAtMs = harness.clock.now();
    for (const { provider_id: activationId } of await harness.purchases()) {
      const body = JSON.stringify({ activationId, phoneNumber: '1', smsCode: '000000', smsText: 'lie' });
      expect(await send(harness, hookOf('sms-activate', body))).toBe('UNAUTHORIZED');
      expect(await send(harness, hookOf('sms-activate', body, { token: `${token}x` }))).toBe('UNAUTHORIZED');
      expect(await send(harness, hookOf('sms-activate', body, { token }))).toBe('received');
    }
    const codes = (await Promise.all(calls)).map(({ code }) => code);
    expect(codes.sort()).toEqual(
      numbers
        .all()
        .map(({ code }) => code)
        .sort(),
    );
    expect(performance.now() - startedMs).toBeLessThan(25_000);
    expect((await harness.purchases()).map(({ status }) => status)).toEqual(Array(4).fill('completed'));
  });

  it('reconciles a message with a lost reply before its next poll', async () => {
    const to = '+12025550155';
    const lost = harness.call(smsApi.operations.sendSms, { to, body: 'Hello' });
    await expect(lost).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await harness.database.query(
      "UPDATE purchases SET check_at = now() + interval '1 hour', status = 'unknown' WHERE kind = 'sms-message'",
    );
    const last = async () => (await harness.purchases()).at(-1)!;
    // The provider calls the status callback; the test forwards it as the gateway does.
    const [first] = await eventually(() => {
      if (receiver.requests.length === 0) throw new Error('nothing came yet');
      return receiver.requests;
    });
    expect(first!.path).toBe('/hooks/twilio');
    const headers = { 'x-twilio-signature': String(first!.headers['x-twilio-signature']) };
    const changed = first!.body.replace('MessageStatus=', 'MessageStatus=x');
    expect(await send(harness, hookOf('twilio', changed, { headers }))).toBe('UNAUTHORIZED');
    expect(await send(harness, hookOf('twilio', first!.body))).toBe('UNAUTHORIZED');
    expect(await last()).toMatchObject({ status: 'unknown' });
    expect(await send(harness, hookOf('twilio', first!.body, { headers }))).toBe('received');
    const sid = new URLSearchParams(first!.body).get('MessageSid');
    await eventually(async () =>
      expect(await last()).toMatchObject({ status: 'completed', provider_id: sid }),
    );
    const form = { MessageSid: `SM${'a'.repeat(32)}`, To: '+447400999888' };
    const other = getExpectedTwilioSignature('another', `${receiver.url}/hooks/twilio`, form);
    const forged = hookOf('twilio', String(new URLSearchParams(form)), {
      headers: { 'x-twilio-signature': other },
    });
    expect(await send(harness, forged)).toBe('UNAUTHORIZED');
  });
});
