import { Wallet } from 'ethers';
import { ok, waitFor, type Client } from './client';
import { unlessBusy } from '../unless-busy';
import { expectBadFields, expectEach, expectError, expectShape, type Shape } from './shape';
import { account, newWallet, walk } from './walk';

const unknownId = '00000000-0000-4000-8000-000000000000';
const linkShape: Shape = {
  id: 'uuid',
  wallet_address: 'address',
  name: 'string',
  amount: 'amount',
  token: 'string',
  network: 'caip2',
  description: 'string',
  receive_address: 'string',
  image_url: 'string?',
  active: 'boolean',
  payment_count: 'integer',
  created_at: 'iso',
  updated_at: 'iso',
};
const publicShape: Shape = {
  id: 'uuid',
  name: 'string',
  amount: 'amount',
  token: 'string',
  network: 'caip2',
  description: 'string',
  receiveAddress: 'string',
  imageUrl: 'string?',
};
const keyShape: Shape = {
  id: 'uuid',
  key: 'string',
  label: 'string',
  permissions: 'strings',
  monthlyBudget: 'string',
  maxPerTx: 'string',
  enabled: 'boolean',
  usedBudget: 'number',
  createdAt: 'iso',
};
/** A transaction record of the dashboard. */
export const recordShape: Shape = {
  id: 'uuid',
  wallet_address: 'string',
  tx_type: 'string',
  amount: 'amount',
  token: 'string',
  network: 'caip2',
  status: 'string',
  tx_hash: 'string',
  counterparty: 'string|null',
  description: 'string',
  created_at: 'iso',
};
const linkBody = (receiveAddress: string) => ({
  name: 'Tea',
  amount: '1500000',
  token: 'USDC',
  network: 'eip155:8453',
  description: 'A pound of tea',
  receiveAddress,
});
const keyBody = {
  label: 'Till',
  permissions: ['read', 'pay', 'write'],
  monthlyBudget: '1000',
  maxPerTx: '100',
};

export function describeWallet(): void {
  describe('the header x-wallet', describeWalletHeader);
  describe('/api/paylinks', describePayLinks);
  describe('POST /api/paylinks/{id}/pay', describePayLinkPayments);
  describe('/api/settings', describeSettings);
  describe('/api/keys', describeKeys);
  describe('the use of an API key', describeKeyUse);
  describe('GET /api/overview and /api/transactions', describeDashboard);
}

function describeWalletHeader(): void {
  const paths = ['/api/overview', '/api/transactions', '/api/paylinks', '/api/settings', '/api/keys'];

  it.each(paths)('must be sent to %s', async (path) => {
    expectError(await walk.api.get(path), 401, 'UNAUTHORIZED');
    expectError(await walk.api.get(path, { 'x-wallet': 'malformed' }), 401, 'UNAUTHORIZED');
  });

  it.each(paths)('can be sent to %s with an API key of the same merchant', async (path) => {
    ok(await walk.secret.get(path, { 'x-wallet': walk.sandbox.merchant.wallet }));
    ok(await walk.key.get(path, { 'x-wallet': walk.sandbox.merchant.wallet }));
  });

  it.each([
    ['Solana', '4Nd1mYQdmkZ1rV2tyEbXqvCz5iLzGvkPfjE5Dk3ZtYbM'],
    ['TON', 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'],
  ])('accepts an address of %s', async (_, address) => {
    expect(ok(await walk.api.get('/api/paylinks', { 'x-wallet': address }))).toEqual([]);
  });

  it('must not be sent with the key of another merchant', async () => {
    const { address } = newWallet();
    const reply = await walk.secret.get('/api/overview', { 'x-wallet': address });
    expectError(reply, 401, 'UNAUTHORIZED');
  });

  it('matches in canonical form', async () => {
    const { address, client } = newWallet();
    const { id } = ok(await client.post('/api/paylinks', linkBody(address)));
    const links = ok(await walk.api.get('/api/paylinks', { 'x-wallet': address.toLowerCase() }));
    expect(links).toMatchObject([{ id, wallet_address: address }]);
  });
}

function describePayLinks(): void {
  it('creates, lists, publishes, toggles and deletes links', async () => {
    const { address, client } = newWallet();
    expect(ok(await client.get('/api/paylinks'))).toEqual([]);
    const body = { ...linkBody(address), imageUrl: 'https://example.com/tea.png' };
    const created = ok(await client.post('/api/paylinks', body));
    expectShape(created, { ...linkShape, image_url: 'string' });
    expect(created).toMatchObject({ wallet_address: address, active: true, payment_count: 0 });
    expect(ok(await client.get('/api/paylinks'))).toMatchObject([{ id: created.id, name: 'Tea' }]);

    const view = `/api/paylinks/${created.id}/public`;
    const shown = ok(await walk.api.get(view));
    expectShape(shown, publicShape);
    expect(shown).toMatchObject({ id: created.id, ...body });

    const toggle = `/api/paylinks/${created.id}/toggle`;
    expectShape(ok(await client.put(toggle, { active: false })), linkShape);
    expectError(await walk.api.get(view), 404, 'NOT_FOUND');
    expect(ok(await client.put(toggle, { active: true }))).toMatchObject({ active: true });
    ok(await walk.api.get(view));
    const page = await walk.api.get(`/l/${created.id}`);
    expect([page.status, page.text.includes('Tea')]).toEqual([200, true]);
    expect(ok(await client.delete(`/api/paylinks/${created.id}`))).toMatchObject({ ok: true });
    expectError(await walk.api.get(view), 404, 'NOT_FOUND');
    expect(ok(await client.get('/api/paylinks'))).toEqual([]);
  });

  it('accepts a short name for the network', async () => {
    const { address, client } = newWallet();
    const created = ok(await client.post('/api/paylinks', { ...linkBody(address), network: 'base' }));
    expect(created.network).toBe('eip155:8453');
    expectBadFields(await client.post('/api/paylinks', { ...linkBody(address), amount: '0' }), ['amount']);
    expectBadFields(await client.post('/api/paylinks', { ...linkBody(address), token: 'NOPE' }), ['token']);
  });

  it('shows links of its own wallet only', async () => {
    const { address, client } = newWallet();
    const { id } = ok(await client.post('/api/paylinks', linkBody(address)));
    const other = newWallet().client;
    expect(ok(await other.get('/api/paylinks'))).toEqual([]);
    expectError(await other.put(`/api/paylinks/${id}/toggle`, { active: false }), 404, 'NOT_FOUND');
    expectError(await other.delete(`/api/paylinks/${id}`), 404, 'NOT_FOUND');
    expectShape(ok(await client.get('/api/paylinks'))[0], linkShape);
  });

  it('lists all bad fields', async () => {
    const { client } = newWallet();
    const { token: _token, network: _network, ...rest } = linkBody(account('merchant'));
    expectBadFields(await client.post('/api/paylinks', {}), Object.keys(rest));
    // The settings may contain a default of these two.
    expectBadFields(await client.post('/api/paylinks', rest), ['token', 'network']);
    const { id } = ok(await client.post('/api/paylinks', linkBody(account('merchant'))));
    expectBadFields(await client.put(`/api/paylinks/${id}/toggle`, { active: 'yes' }), ['active']);
    expectError(await walk.api.get(`/api/paylinks/${unknownId}/public`), 404, 'NOT_FOUND');
  });
}

function describePayLinkPayments(): void {
  const newLink = async () => {
    const { address, client } = newWallet();
    const { id } = ok(await client.post('/api/paylinks', linkBody(address)));
    // Without a key, 20 submissions a minute are accepted from one IP address, so the polls send a key.
    const record = async (txHash: string) => ok(await walk.key.post(`/api/paylinks/${id}/pay`, { txHash }));
    const count = async (): Promise<number> => ok(await client.get('/api/paylinks'))[0].payment_count;
    const pay = (txHash: string) => walk.api.post(`/api/paylinks/${id}/pay`, { txHash });
    return { address, id, record, pay, count };
  };

  it('verifies a real transfer and counts it once', async () => {
    const { address, record, pay, count } = await newLink();
    const txHash = await walk.base.transfer('USDC', address, '1500000');
    expectShape(ok(await pay(txHash)), { success: 'boolean', verified: 'boolean' });
    const verified = await waitFor('the payment verifies', async () => {
      const reply = await record(txHash);
      expectShape(reply, { success: 'boolean', verified: 'boolean' });
      return reply.verified ? reply : undefined;
    });
    expect(verified.success).toBe(true);
    expect(await record(txHash)).toMatchObject({ success: true, verified: true });
    expect(await count()).toBe(1);
    expect(ok(await pay(txHash))).toMatchObject({ success: true, verified: true });
  });

  it('counts an unsubmitted payment after its confirmation', async () => {
    const { address, record, count } = await newLink();
    expectShape(await record(await walk.base.transfer('USDC', address, '1500000')), { success: 'boolean' });
    await waitFor('the payment is counted', async () => ((await count()) === 1 ? true : undefined));
  });

  it('does not count a smaller transfer', async () => {
    const { address, record, count } = await newLink();
    const txHash = await walk.base.transfer('USDC', address, '1499999');
    const reply = await waitFor('the payment is rejected', async () => {
      const it = await record(txHash);
      return it.status === 'pending' ? undefined : it;
    });
    expect(reply).toMatchObject({ success: false, verified: false, error: expect.any(String) });
    expect(await count()).toBe(0);
  });

  it('stores an unknown transaction as pending', async () => {
    const { record } = await newLink();
    const reply = await record(`0x${'d'.repeat(64)}`);
    expect(reply).toMatchObject({ success: false, verified: false, status: 'pending' });
  });

  it('rejects a request without txHash and an unknown PayLink', async () => {
    const { id } = await newLink();
    expectBadFields(await walk.api.post(`/api/paylinks/${id}/pay`, {}), ['txHash']);
    const unknown = await walk.api.post(`/api/paylinks/${unknownId}/pay`, { txHash: `0x${'d'.repeat(64)}` });
    expectError(unknown, 404, 'NOT_FOUND');
  });
}

function describeSettings(): void {
  it('stores any JSON object unchanged', async () => {
    const { client } = newWallet();
    expect(ok(await client.get('/api/settings'))).toEqual({});
    const sample = { storeName: 'Tea', webhookUrl: '', defaultToken: 'USDC', defaultChain: 'base' };
    for (const settings of [sample, { theme: { dark: true, sizes: [1, 2.5, null] } }, {}]) {
      expect(ok(await client.put('/api/settings', settings))).toEqual(settings);
      expect(ok(await client.get('/api/settings'))).toEqual(settings);
    }
    ok(await client.put('/api/settings', { storeName: 'Tea' }));
    expect(ok(await client.delete('/api/settings/all'))).toMatchObject({ ok: true });
    expect(ok(await client.get('/api/settings'))).toEqual({});
  });

  it.each(['', null])('accepts the webhookUrl %j as no address', async (webhookUrl) => {
    const { client } = newWallet();
    expect(ok(await client.put('/api/settings', { webhookUrl }))).toEqual({ webhookUrl });
  });

  it.each([[[1]], ['"text"'], ['1'], ['null']])('rejects %j, which is not an object', async (settings) => {
    expectError(await newWallet().client.put('/api/settings', settings), 400, 'VALIDATION_ERROR');
  });

  it('rejects settings above 64 KiB', async () => {
    const reply = await newWallet().client.put('/api/settings', { text: 'x'.repeat(66_000) });
    expect([400, 413]).toContain(reply.status);
    expectShape(reply.body, { error: 'string', code: 'string' });
  });
}

function describeKeys(): void {
  it('creates, lists, toggles, regenerates and deletes keys', async () => {
    const { client } = newWallet();
    const created = ok(await client.post('/api/keys', keyBody));
    expectShape(created, { id: 'uuid', key: 'string', secret: 'string', createdAt: 'iso' });
    expect(created.key).toMatch(/^tb_test_pk_/);
    expect(created.secret).toMatch(/^tb_test_sk_/);
    const list = async () => ok(await client.get('/api/keys'));
    expectEach(await list(), keyShape);
    expect(await list()).toMatchObject([
      { id: created.id, key: created.key, ...keyBody, enabled: true, usedBudget: 0 },
    ]);
    expect(JSON.stringify(await list())).not.toContain(created.secret);

    ok(await client.put(`/api/keys/${created.id}/toggle`, { enabled: false }));
    expect(await list()).toMatchObject([{ enabled: false }]);
    ok(await client.put(`/api/keys/${created.id}/toggle`, { enabled: true }));
    const { secret } = ok(await client.post(`/api/keys/${created.id}/regenerate`));
    expect(secret).toMatch(/^tb_test_sk_/);
    expect(secret).not.toBe(created.secret);
    expect(ok(await client.delete(`/api/keys/${created.id}`))).toEqual({ ok: true });
    expect(await list()).toEqual([]);
  });

  it('lists all bad fields', async () => {
    const bad = { label: '', permissions: ['steal'], monthlyBudget: 'much', maxPerTx: '-1' };
    expectBadFields(await newWallet().client.post('/api/keys', bad), Object.keys(bad));
  });

  it('accepts an empty budget as no limit', async () => {
    const { client } = newWallet();
    ok(await client.post('/api/keys', { ...keyBody, monthlyBudget: '', maxPerTx: '' }));
    expect(ok(await client.get('/api/keys'))).toMatchObject([{ monthlyBudget: '', maxPerTx: '' }]);
  });

  it('shows keys of its own wallet only', async () => {
    const { id } = ok(await newWallet().client.post('/api/keys', keyBody));
    const other = newWallet().client;
    expectError(await other.put(`/api/keys/${id}/toggle`, { enabled: false }), 404, 'NOT_FOUND');
    expectError(await other.post(`/api/keys/${id}/regenerate`), 404, 'NOT_FOUND');
    expectError(await other.delete(`/api/keys/${id}`), 404, 'NOT_FOUND');
  });
}

/** A call that any valid key can make, with either header. */
const calls = (value: string): [string, Client][] => [
  ['Authorization: Bearer', walk.api.with({ authorization: `Bearer ${value}` })],
  ['X-API-Key', walk.api.with({ 'x-api-key': value })],
];
const quote = (client: Client) =>
  client.post('/v1/quote', {
    inputToken: walk.base.token('USDT'),
    outputToken: walk.base.token('USDC'),
    inputAmount: '1000000',
  });
const reasonOf = async (value: string): Promise<string> => {
  const replies = await Promise.all(calls(value).map(([, client]) => quote(client)));
  for (const reply of replies) {
    expect([reply.status, reply.body.error?.code]).toEqual([401, 'UNAUTHORIZED']);
    expectShape(reply.body.error.details, { reason: 'string' });
  }
  return replies[0]!.body.error.details.reason;
};

function describeKeyUse(): void {
  it('accepts the key and the secret in both headers', async () => {
    const { key, secret } = ok(await newWallet().client.post('/api/keys', keyBody));
    for (const value of [key, secret]) {
      for (const [, client] of calls(value)) expect((await quote(client)).status).toBe(200);
    }
  });

  it('rejects a disabled, a deleted, a malformed, an unknown and a foreign key with its own reason', async () => {
    const { client } = newWallet();
    const { id, key, secret } = ok(await client.post('/api/keys', keyBody));
    const changed = `${secret.slice(0, -1)}${secret.endsWith('a') ? 'b' : 'a'}`;
    ok(await client.put(`/api/keys/${id}/toggle`, { enabled: false }));
    const disabled = await waitFor('the key is disabled', async () =>
      (await quote(calls(key)[0]![1])).status === 401 ? reasonOf(key) : undefined,
    );
    ok(await client.delete(`/api/keys/${id}`));
    const deleted = await waitFor('the key is deleted', async () => {
      const reason = await reasonOf(key);
      return reason === disabled ? undefined : reason;
    });
    const reasons = [disabled, deleted, await reasonOf(changed), await reasonOf(key.replace('test', 'live'))];
    expect(new Set(reasons).size).toBeGreaterThanOrEqual(3);
    expect(await reasonOf(secret)).toBe(deleted);
  });

  it('enables a disabled key again, and revokes a regenerated secret', async () => {
    const { client } = newWallet();
    const { id, secret } = ok(await client.post('/api/keys', keyBody));
    for (const enabled of [false, true]) {
      ok(await client.put(`/api/keys/${id}/toggle`, { enabled }));
      const status = enabled ? 200 : 401;
      await waitFor(`the key answers ${status}`, async () =>
        (await quote(calls(secret)[0]![1])).status === status ? true : undefined,
      );
    }
    const { secret: next } = ok(await client.post(`/api/keys/${id}/regenerate`));
    await waitFor('the new secret works', async () =>
      (await quote(calls(next)[0]![1])).status === 200 ? true : undefined,
    );
    await waitFor('the old secret is revoked', async () =>
      (await quote(calls(secret)[0]![1])).status === 401 ? true : undefined,
    );
  });

  it('returns 403 FORBIDDEN for a key without the permission', async () => {
    const { client } = newWallet();
    const { secret } = ok(await client.post('/api/keys', { ...keyBody, permissions: ['read'] }));
    const readOnly = calls(secret)[0]![1];
    ok(await readOnly.get('/gift/balance'));
    expectError(await readOnly.post('/sms/send', { to: '+447400123456', body: 'x' }), 403, 'FORBIDDEN');
  });

  it('limits a purchase by maxPerTx and monthlyBudget, and counts it in usedBudget', async () => {
    const { address, client } = newWallet();
    const limited = { ...keyBody, monthlyBudget: '30', maxPerTx: '20' };
    const { secret } = ok(await client.post('/api/keys', limited));
    const buyer = calls(secret)[0]![1];
    const buy = (amount: number) =>
      unlessBusy(() => buyer.post('/card/get-card', { wallet: address, amount }));
    expectError(await buy(21), 403, 'MAX_PER_TX_EXCEEDED');
    // The reservation of a call that failed with 503 is released later.
    await waitFor('a card is bought', async () => ((await buy(20)).status === 200 ? true : undefined));
    expectError(await buy(20), 403, 'BUDGET_EXCEEDED');
    const [{ usedBudget }] = ok(await client.get('/api/keys'));
    expect(usedBudget).toBeGreaterThanOrEqual(20);
    expect(usedBudget).toBeLessThanOrEqual(30);
  });

  it('rejects the publishable key for calls that require a secret', async () => {
    expect([401, 403]).toContain((await walk.key.get('/gift/balance')).status);
  });
}

function describeDashboard(): void {
  it('returns the statistics of a new wallet', async () => {
    const { client } = newWallet();
    const overview = ok(await client.get('/api/overview'));
    expectShape(overview, {
      totalVolumeUsd: 'decimal',
      totalPayments: 'integer',
      successRate: 'number?',
      activePaylinks: 'integer',
      volumeByToken: 'array',
      volumeByChain: 'array',
      daily: 'array',
    });
    expect(overview.daily).toHaveLength(30);
    expect(ok(await client.get('/api/transactions'))).toEqual([]);
    ok(await client.post('/api/paylinks', linkBody(Wallet.createRandom().address)));
    expect(ok(await client.get('/api/overview')).activePaylinks).toBe(1);
  });

  it('paginates transactions by limit and a Link header', async () => {
    const { address, client } = newWallet();
    const { id } = ok(await client.post('/api/paylinks', linkBody(address)));
    for (let paid = 0; paid < 2; paid++) {
      const txHash = await walk.base.transfer('USDC', address, '1500000');
      ok(await walk.api.post(`/api/paylinks/${id}/pay`, { txHash }));
    }
    await waitFor('both payments are listed', async () =>
      ok(await client.get('/api/transactions')).length === 2 ? true : undefined,
    );
    const first = await client.get('/api/transactions?limit=1');
    expect(ok(first)).toHaveLength(1);
    const [, next] = /<([^>]+)>; *rel="next"/.exec(first.headers.get('link') ?? '') ?? [];
    const url = new URL(next!, walk.api.baseUrl);
    const second = ok(await client.get(url.pathname + url.search));
    expect(second).toHaveLength(1);
    expect(second[0].id).not.toBe(first.body[0].id);
    expectEach([...first.body, ...second], recordShape);
    expectBadFields(await client.get('/api/transactions?limit=0'), ['limit']);
  });
}
