import { ok, waitFor } from './client';
import { expectBadFields, expectEach, expectError, expectShape, type Shape } from './shape';
import { sendMail } from './smtp';
import { account, walk } from './walk';

const plainAddress = (number: number): string => `0x${number.toString(16).padStart(40, '0')}`;
let names = 0;
const uniqueName = (): string => `walk-${process.pid}-${Date.now().toString(36)}-${++names}`;

export function describeServices(): void {
  describe('every route of the service API', describeServiceAuthentication);
  describe('/gift', describeGifts);
  describe('/email', describeEmail);
  describe('/agentmail and /resend', describeSending);
  describe('/sms', describeSms);
  describe('/card', describeCards);
  describe('/catalog', describeCatalog);
  describe('/payout', describePayouts);
}

function describeServiceAuthentication(): void {
  const routes: [string, string][] = [
    ['GET', '/gift/giftcards/products'],
    ['POST', '/gift/giftcards/order'],
    ['GET', '/gift/airtime/detect?phone=08031234567&country=NG'],
    ['POST', '/gift/airtime/topup'],
    ['GET', '/gift/utilities/billers'],
    ['POST', '/gift/utilities/pay'],
    ['GET', '/gift/balance'],
    ['GET', '/email/domains'],
    ['POST', '/email/account'],
    ['POST', '/email/account-and-wait'],
    ['POST', '/agentmail/inboxes'],
    ['POST', '/agentmail/send'],
    ['POST', '/resend/send'],
    ['POST', '/resend/agent-email'],
    ['POST', '/sms/number'],
    ['GET', '/sms/status/1'],
    ['POST', '/sms/number-and-wait'],
    ['POST', '/sms/send'],
    ['POST', '/card/get-card'],
    ['GET', '/card/card-data?card_id=1'],
    ['GET', '/card/my-cards?wallet=0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
    ['GET', '/catalog'],
    ['GET', '/catalog/search?q=gift'],
    ['GET', '/catalog/giftcard-order'],
    ['POST', '/payout/preview'],
    ['POST', '/payout/batch'],
  ];

  const sold = [
    ...['/gift/giftcards/order', '/gift/airtime/topup', '/gift/utilities/pay'],
    ...['/sms/number', '/sms/number-and-wait', '/sms/send', '/email/account'],
    ...['/agentmail/inboxes', '/agentmail/send', '/resend/send', '/resend/agent-email'],
  ];
  it.each(routes)('rejects an anonymous %s %s', async (method, path) => {
    const reply = await walk.api.send(method, path, method === 'POST' ? {} : undefined);
    // The sandbox sells some of them.
    if (sold.includes(path)) expect([reply.status, reply.body.code]).toEqual([402, 'payment_required']);
    else expectError(reply, 401, 'UNAUTHORIZED');
  });

  it.each(routes.filter(([method]) => method === 'POST'))('validates the body of %s %s', async (_, path) => {
    const reply = await walk.secret.post(path, { unknownField: 1 });
    expectBadFields(reply, ['unknownField']);
  });
}

function describeGifts(): void {
  it('lists products, of the US if country is omitted', async () => {
    for (const [query, country] of [
      ['', 'US'],
      ['?country=US', 'US'],
    ]) {
      const products = ok(await walk.secret.get(`/gift/giftcards/products${query}`));
      expectEach(products, { productId: 'number', countryCode: 'string' });
      expect(products.length).toBeGreaterThan(0);
      expect(new Set(products.map(({ countryCode }: any) => countryCode))).toEqual(new Set([country]));
    }
  });

  it('orders a card once per customIdentifier', async () => {
    const products = ok(await walk.secret.get('/gift/giftcards/products'));
    const { productId } = products.find(({ denominationType }: any) => denominationType === 'RANGE');
    const order = {
      productId,
      countryCode: 'US',
      quantity: 1,
      unitPrice: 25,
      customIdentifier: uniqueName(),
      senderName: 'Ada',
      recipientEmail: 'ada@example.com',
    };
    const first = ok(await walk.secret.post('/gift/giftcards/order', order));
    expect(first.transactionId).toBeDefined();
    const again = ok(await walk.secret.post('/gift/giftcards/order', order));
    expect(again.transactionId).toBe(first.transactionId);
  });

  it('reports rejections and failures of a provider with their own codes', async () => {
    const order = { productId: 1001, countryCode: 'US', quantity: 1, unitPrice: 10.61, senderName: 'Ada' };
    const recipient = { customIdentifier: uniqueName(), recipientEmail: 'ada@example.com' };
    const reply = await walk.secret.post('/gift/giftcards/order', { ...order, ...recipient });
    expect([422, 502, 504]).toContain(reply.status);
    expectError(reply, reply.status);
  });

  it('detects the operator of a phone and tops it up', async () => {
    const query = 'phone=08031234567&country=NG';
    const operator = ok(await walk.secret.get(`/gift/airtime/detect?${query}`));
    expectShape(operator, { operatorId: 'number' });
    const { operatorId, minAmount: amount } = operator;
    const topup = {
      operatorId,
      amount,
      useLocalAmount: false,
      customIdentifier: uniqueName(),
      recipientPhone: { countryCode: 'NG', number: '08031234567' },
    };
    expect(ok(await walk.secret.post('/gift/airtime/topup', topup)).transactionId).toBeDefined();
    expectBadFields(await walk.secret.get('/gift/airtime/detect'), ['phone', 'country']);
  });

  it('lists billers by country and type, and pays a bill', async () => {
    const billers = ok(await walk.secret.get('/gift/utilities/billers'));
    expectEach(billers, { id: 'number', countryCode: 'string', type: 'string' });
    const [{ id: billerId, countryCode, type, minLocalTransactionAmount: amount }] = billers;
    const filtered = ok(await walk.secret.get(`/gift/utilities/billers?country=${countryCode}&type=${type}`));
    expect(filtered.map(({ id }: any) => id)).toContain(billerId);
    expect(ok(await walk.secret.get('/gift/utilities/billers?type=ANYTHING_ELSE'))).toEqual([]);
    const bill = { subscriberAccountNumber: '04223568280', amount, billerId, useLocalAmount: true };
    expectShape(ok(await walk.secret.post('/gift/utilities/pay', bill)), { status: 'string' });
  });

  it('returns the balance', async () => {
    expectShape(ok(await walk.secret.get('/gift/balance')), {
      balance: 'number',
      currencyCode: 'string',
      currencyName: 'string',
      updatedAt: 'iso',
    });
  });
}

const accountShape: Shape = { address: 'string', password: 'string', token: 'string', id: 'string' };

function describeEmail(): void {
  it('returns an address, and its messages for the token in the header or the query', async () => {
    ok(await walk.secret.get('/email/domains'));
    const username = uniqueName();
    const mailbox = ok(await walk.secret.post('/email/account', { username }));
    expectShape(mailbox, accountShape);
    expect(mailbox.address.split('@')[0]).toBe(username);
    await sendMail(walk.sandbox.smtp, mailbox.address, 'Welcome', 'Your code is 482913');
    const byHeader = walk.api.with({ 'x-email-token': mailbox.token });
    const list = await waitFor('the message arrives', async () => {
      const { messages } = ok(await byHeader.get('/email/messages'));
      return messages.length > 0 ? messages : undefined;
    });
    expect(list[0]).toMatchObject({ id: expect.any(String), subject: 'Welcome' });
    const query = `?token=${encodeURIComponent(mailbox.token)}`;
    expect(ok(await walk.api.get(`/email/messages${query}`)).messages).toHaveLength(1);
    for (const read of [
      await byHeader.get(`/email/messages/${list[0].id}`),
      await walk.api.get(`/email/messages/${list[0].id}${query}`),
    ]) {
      expect(ok(read)).toMatchObject({ subject: 'Welcome', text: expect.stringContaining('482913') });
    }
    expectError(await byHeader.get('/email/messages/unknown'), 404, 'NOT_FOUND');
  });

  it('generates the username when it is omitted', async () => {
    expectShape(ok(await walk.secret.post('/email/account', {})), accountShape);
    expectShape(ok(await walk.secret.post('/email/account')), accountShape);
  });

  it('rejects messages without a token or with another', async () => {
    for (const path of ['/email/messages', '/email/messages/1']) {
      expectError(await walk.api.get(path), 401, 'UNAUTHORIZED');
      expectError(await walk.api.get(path, { 'x-email-token': 'unknown' }), 401, 'UNAUTHORIZED');
    }
  });

  it('creates an account and waits for the code', async () => {
    const username = uniqueName();
    const waiting = walk.secret.post('/email/account-and-wait', { username, timeout: 60 });
    const domain = ok(await walk.secret.get('/email/domains')).domains[0].domain;
    await waitFor('the mailbox exists', async () => {
      const accepted = await sendMail(
        walk.sandbox.smtp,
        `${username}@${domain}`,
        'Hello',
        'Code: 771204',
      ).then(
        () => true,
        () => undefined,
      );
      return accepted;
    });
    const result = ok(await waiting);
    expectShape(result, { address: 'string', password: 'string', token: 'string', code: 'string|null' });
    expect(result.message).toMatchObject({ subject: 'Hello', text: expect.stringContaining('771204') });
    expect(result.code).toBe('771204');
    expect(result.timeout).not.toBe(true);
  });

  it('returns timeout=true if no message arrives', async () => {
    const result = ok(await walk.secret.post('/email/account-and-wait', { timeout: 1 }));
    expectShape(result, { address: 'string', password: 'string', token: 'string' });
    expect(result).toMatchObject({ message: null, code: null, timeout: true });
  });
}

function describeSending(): void {
  it('creates an inbox and sends from it', async () => {
    const inbox = ok(await walk.secret.post('/agentmail/inboxes', { name: uniqueName() }));
    const to = ok(await walk.secret.post('/email/account', {}));
    const inbox_id = inbox.inbox_id ?? inbox.inboxId ?? inbox.id;
    expectShape({ inbox_id }, { inbox_id: 'string' });
    const mail = { inbox_id, to: to.address, subject: 'From an inbox', text: 'Hello' };
    ok(await walk.secret.post('/agentmail/send', mail));
    expectError(
      await walk.secret.post('/agentmail/send', { ...mail, inbox_id: 'unknown@agentmail.test' }),
      404,
    );
  });

  it('sends from the default domain and from an agent address', async () => {
    const { address } = ok(await walk.secret.post('/email/account', {}));
    const mail = { to: address, subject: 'Receipt', text: 'Thank you', html: '<p>Thank you</p>' };
    ok(await walk.secret.post('/resend/send', mail));
    const agent = ok(await walk.secret.post('/resend/agent-email', { agentId: uniqueName() }));
    expectShape(agent, { address: 'string', domain: 'string' });
    expect(agent.address.endsWith(`@${agent.domain}`)).toBe(true);
    ok(await walk.secret.post('/resend/send', { ...mail, from: agent.address }));
  });
}

function describeSms(): void {
  it('returns a number and its code', async () => {
    const number = ok(await walk.secret.post('/sms/number', { service: 'tg', country: 44 }));
    expectShape(number, { id: 'string', number: 'string' });
    const read = async () => ok(await walk.secret.get(`/sms/status/${number.id}`));
    expect((await read()).status).toMatch(/^(STATUS_WAIT_CODE|received)$/);
    const received = await waitFor('the code arrives', async () => {
      const status = await read();
      return status.status === 'received' ? status : undefined;
    });
    expectShape(received, { code: 'string' });
    expectError(await walk.secret.get('/sms/status/unknown'), 404, 'NOT_FOUND');
  });

  it('waits for the code of a number', async () => {
    const body = { service: 'wa', country: 1, timeout: 60 };
    const result = ok(await walk.secret.post('/sms/number-and-wait', body));
    expectShape(result, { id: 'string', number: 'string', code: 'string' });
    expect(result.timeout).not.toBe(true);
  });

  it('returns timeout=true if no code arrives in time', async () => {
    // The sandbox sends no code for this service.
    const body = { service: 'x1', country: 86, timeout: 1 };
    const result = ok(await walk.secret.post('/sms/number-and-wait', body));
    expectShape(result, { id: 'string', number: 'string' });
    expect(result).toMatchObject({ code: null, timeout: true });
  });

  it('accepts a country as a two-letter code', async () => {
    const number = ok(await walk.secret.post('/sms/number', { service: 'tg', country: 'GB' }));
    expectShape(number, { id: 'string', number: 'string' });
  });

  it('sends a message', async () => {
    const sent = ok(await walk.secret.post('/sms/send', { to: '+447400123456', body: 'Your parcel' }));
    expectShape(sent, { sid: 'string', status: 'string' });
    expect(sent.status).toBe('queued');
  });
}

function describeCards(): void {
  it('opens a card, returns its number again and lists it', async () => {
    const { merchant } = walk.sandbox;
    const card = ok(await walk.secret.post('/card/get-card', { wallet: merchant.wallet, amount: 25 }));
    const full: Shape = {
      cardId: 'string',
      number: 'string',
      cvv: 'string',
      expMonth: 'string',
      expYear: 'string',
    };
    expectShape(card, full);
    const data = ok(await walk.secret.get(`/card/card-data?card_id=${card.cardId}`));
    expectShape(data, full);
    expect(data).toMatchObject({ number: card.number, cvv: card.cvv });
    const { cards } = ok(await walk.secret.get(`/card/my-cards?wallet=${merchant.wallet}`));
    expect(cards.map(({ cardId }: any) => cardId)).toContain(card.cardId);
    expect(JSON.stringify(cards)).not.toContain(card.number);
  });

  it('rejects an amount that is not above 0', async () => {
    for (const amount of [0, -1, '25']) {
      const reply = await walk.secret.post('/card/get-card', { wallet: account('merchant'), amount });
      expectBadFields(reply, ['amount']);
    }
  });

  it('requires card_id and wallet', async () => {
    expectBadFields(await walk.secret.get('/card/card-data'), ['card_id']);
    expectBadFields(await walk.secret.get('/card/my-cards'), ['wallet']);
    expectBadFields(await walk.secret.post('/card/get-card', {}), ['wallet', 'amount']);
    expectError(await walk.secret.get('/card/card-data?card_id=unknown'), 404, 'NOT_FOUND');
  });
}

function describeCatalog(): void {
  it('lists 22 services, finds them by word and category, and returns one', async () => {
    const { services } = ok(await walk.secret.get('/catalog'));
    expect(services).toHaveLength(22);
    expectEach(services, { id: 'string', name: 'string', category: 'string' });
    const found = ok(await walk.secret.get('/catalog/search?q=gift')).services;
    expect(found.length).toBeGreaterThan(0);
    const { category } = found[0];
    const inCategory = ok(await walk.secret.get(`/catalog/search?q=gift&category=${category}`)).services;
    expect(new Set(inCategory.map((it: any) => it.category))).toEqual(new Set([category]));
    for (const { id } of services) expect(ok(await walk.secret.get(`/catalog/${id}`))).toMatchObject({ id });
  });

  it('returns 404 for an unknown service', async () => {
    expectError(await walk.secret.get('/catalog/unknown'), 404, 'NOT_FOUND');
  });
}

function describePayouts(): void {
  const body = (recipients: unknown) => ({
    wallet: walk.sandbox.merchant.wallet,
    chain: 'base',
    token: 'USDC',
    recipients,
  });
  const two = () => [
    { address: account('payer'), amount: 12.5 },
    { address: account('stranger'), amount: 0.75 },
  ];
  const previewShape: Shape = {
    wallet: 'string',
    chain: 'string',
    token: 'string',
    recipientCount: 'integer',
    totalAmount: 'number',
    fee: 'number',
    estimatedGas: 'string',
  };

  it('previews the total and the fee of 0.5%', async () => {
    for (const recipients of [two(), JSON.stringify(two())]) {
      const preview = ok(await walk.secret.post('/payout/preview', body(recipients)));
      expectShape(preview, previewShape);
      expect(preview).toMatchObject({ recipientCount: 2, totalAmount: 13.25, fee: 0.06625 });
    }
  });

  it('rounds the fee up to the smallest unit', async () => {
    const recipients = [{ address: account('payer'), amount: 0.000001 }];
    expect(ok(await walk.secret.post('/payout/preview', body(recipients)))).toMatchObject({ fee: 0.000001 });
  });

  it('accepts a batch as pending', async () => {
    const batch = ok(await walk.secret.post('/payout/batch', body(two())));
    expectShape(batch, { ...previewShape, status: 'string', message: 'string' });
    expect(batch).toMatchObject({ status: 'pending', totalAmount: 13.25, fee: 0.06625 });
  });

  it('rejects bad recipients', async () => {
    const rejected: [string, unknown][] = [
      ['none', []],
      ['no array', 'text'],
      ['zero', [{ address: account('payer'), amount: 0 }]],
      ['negative', [{ address: account('payer'), amount: -1 }]],
      ['an address of another chain', [{ address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', amount: 1 }]],
      ['twice', [two()[0], two()[0]]],
      ['1,001', Array.from({ length: 1001 }, (_, at) => ({ address: plainAddress(at + 1), amount: 1 }))],
    ];
    for (const [name, recipients] of rejected) {
      const reply = await walk.secret.post('/payout/preview', body(recipients));
      expect([name, reply.status, reply.body.code]).toEqual([name, 400, 'VALIDATION_ERROR']);
    }
  });
}
