import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client';
import { isPaymentRequired } from '@x402/core/schemas';
import { HTTPFacilitatorClient } from '@x402/core/server';
import type { Network } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { withBazaar } from '@x402/extensions';
import { x402Client } from '@x402/fetch';
import Ajv2020 from 'ajv/dist/2020';
import { privateKeyToAccount } from 'viem/accounts';
import { repository } from '../harness';
import type { ServicesHarness } from '../services/services-harness';
import { unlessBusy } from '../unless-busy';

type Given = () => ServicesHarness;

const run = promisify(execFile);
const number = { service: 'tg', country: 44 };

interface Connecting {
  secret?: string;
  query?: string;
  options?: Partial<ClientOptions>;
}

/** Agents: the Model Context Protocol and the documents that lead programs to the API. */
export function mcpCases(given: Given): void {
  const open: Client[] = [];
  afterEach(() => Promise.all(open.splice(0).map((client) => client.close())));

  const connect = async ({ secret, query = '', options = {} }: Connecting = {}): Promise<Client> => {
    const client = new Client(
      { name: 'e2e', version: '1' },
      { versionNegotiation: { mode: 'auto' }, ...options },
    );
    const headers = secret === undefined ? {} : { authorization: `Bearer ${secret}` };
    const url = new URL(`${given().harness.gateway}/mcp${query}`);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    open.push(client);
    return client;
  };
  const namesOf = async (connecting: Connecting): Promise<string[]> =>
    (await (await connect(connecting)).listTools()).tools.map(({ name }) => name);
  /** A key of the demo merchant. */
  const newKey = async (request: object): Promise<string> => {
    const { api, sandbox } = given();
    const body = JSON.stringify({ label: 'Agent', ...request });
    const { body: key } = await api.send('POST', '/api/keys', body, { 'x-wallet': sandbox.merchant.wallet });
    return key.secret;
  };
  const shared = { given, connect, namesOf, newKey };

  describe('tools', () => toolCases(shared));
  describe('the transport', () => transportCases(given));
  describe('purchases', () => purchaseCases(shared));
  describe('payments', () => paymentCases(shared));
  describe('subscriptions', () => subscriptionCases(shared));
  describe('conformance', () => conformanceCases(given));
  describe('discovery', () => discoveryCases(given));
}

interface Shared {
  given: Given;
  connect(connecting?: Connecting): Promise<Client>;
  namesOf(connecting: Connecting): Promise<string[]>;
  newKey(request: object): Promise<string>;
}

const textOf = ({ content }: { content: unknown }): any =>
  JSON.parse((content as { text: string }[])[0]!.text);

function toolCases({ given, connect, namesOf, newKey }: Shared): void {
  it('include only permitted tools of the key, in each revision of the protocol', async () => {
    const secret = await newKey({ permissions: ['read'] });
    for (const mode of ['auto', 'legacy'] as const) {
      const options = { versionNegotiation: { mode } };
      const names = await namesOf({ secret, options });
      expect(names).toContain('listGiftCards');
      expect(names).not.toContain('orderGiftCard');
      expect(await namesOf({ options })).not.toContain('listGiftCards');
    }
    const all = await namesOf({ secret: given().sandbox.merchant.secret });
    expect(all.length).toBeGreaterThan(90);
    expect(all).not.toContain('approvePayout');
  });

  it('publish schemas that strict validators compile, and return results that match them', async () => {
    const client = await connect({ secret: given().sandbox.merchant.secret });
    const { tools } = await client.listTools();
    const ajv = new Ajv2020({
      strict: true,
      strictTypes: false,
      strictRequired: false,
      validateFormats: false,
    });
    const outputs = new Map(
      tools.map(({ name, inputSchema, outputSchema }) => {
        ajv.compile(inputSchema);
        return [name, ajv.compile(outputSchema as object)];
      }),
    );
    for (const [name, input] of [
      ['listChains', {}],
      ['listGiftCards', { country: 'US', size: 3 }],
      ['searchServices', { q: 'gift' }],
      ['listPayouts', {}],
      ['rentPhoneNumber', number],
    ] as const) {
      const { structuredContent, isError } = await client.callTool({ name, arguments: { ...input } });
      expect([name, isError]).toEqual([name, undefined]);
      const validate = outputs.get(name)!;
      expect([name, validate(structuredContent), validate.errors]).toEqual([name, true, null]);
    }
  });

  it('reject calls with the error code of the API', async () => {
    const client = await connect({ secret: await newKey({ permissions: ['read'] }) });
    const call = async (name: string, input: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: input });
      expect(result.isError).toBe(true);
      return textOf(result).code;
    };
    expect(await call('getOrder', { id: 'nonsense' })).toBe('NOT_FOUND');
    expect(await call('quotePayment', { pay_token: 7 })).toBe('VALIDATION_ERROR');
    expect(await call('rentPhoneNumber', number)).toBe('FORBIDDEN');
    const anonymous = await connect();
    const denied = await anonymous.callTool({ name: 'listServices', arguments: {} });
    expect(textOf(denied).code).toBe('UNAUTHORIZED');
  });
}

function transportCases(given: Given): void {
  it('counts against the rate limit like calls of the API', async () => {
    const { harness } = given();
    const reply = await fetch(`${harness.gateway}/mcp`, { method: 'POST', body: '{}' });
    expect(reply.headers.get('ratelimit-policy')).toBe('"address";q=1000;w=60');
  });

  it('rejects an invalid key with a challenge, and a page of another origin', async () => {
    const { harness, sandbox } = given();
    const post = (headers: Record<string, string>) =>
      fetch(`${harness.gateway}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      });
    const unknown = await post({ authorization: `Bearer ${sandbox.merchant.secret.slice(0, -1)}!` });
    expect([unknown.status, unknown.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="tollbridge"',
    ]);
    expect((await post({ origin: 'http://evil.example' })).status).toBe(403);
  });
}

function purchaseCases({ given, connect, newKey }: Shared): void {
  const rent = async (client: Client, more: object = {}) => {
    const { structuredContent, content, isError } = await client.callTool({
      name: 'rentPhoneNumber',
      arguments: { ...number, ...more },
    });
    return isError ? textOf({ content }) : (structuredContent as any);
  };

  it('state the cost, and buy once with its confirmation, also for 10 concurrent calls', async () => {
    for (const mode of ['auto', 'legacy'] as const) {
      const options = { versionNegotiation: { mode } };
      const client = await connect({ secret: given().sandbox.merchant.secret, options });
      const { bought, cost, confirm } = await rent(client);
      expect([bought, cost]).toMatchObject([
        false,
        { model: 'provider_price', amount: '0.55', currency: 'USD' },
      ]);
      const replies = await Promise.all(Array.from({ length: 10 }, () => rent(client, { confirm })));
      // A concurrent call may be rejected as in progress.
      const rentals = replies.filter(({ id }) => id !== undefined);
      expect(new Set(rentals.map(({ id }) => id)).size).toBe(1);
      expect((await rent(client, { confirm })).id).toBe(rentals[0].id);
      const again = await rent(client, { confirm: (await rent(client)).confirm });
      expect(again.id).not.toBe(rentals[0].id);
    }
  });

  it('ask the user if the client supports it, and buy nothing without consent', async () => {
    const asked: string[] = [];
    const answers = [{ action: 'decline' as const }, { action: 'accept' as const, content: { buy: true } }];
    const client = await connect({
      secret: given().sandbox.merchant.secret,
      options: { capabilities: { elicitation: { form: {} } } },
    });
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return answers.shift()!;
    });
    expect(await rent(client)).toMatchObject({ code: 'PURCHASE_DECLINED' });
    expect(await rent(client)).toMatchObject({ number: expect.stringMatching(/^\+44/) });
    expect(asked).toHaveLength(2);
    expect(asked[0]).toContain('What a number for the service costs in the country');
  });

  it('count against the budget of the key', async () => {
    const secret = await newKey({ permissions: ['read', 'write'], maxPerTx: '0.01' });
    const client = await connect({ secret });
    const { confirm } = await rent(client);
    const reply = await unlessBusy(() => rent(client, { confirm }));
    expect(reply).toMatchObject({ status: 403, code: 'MAX_PER_TX_EXCEEDED' });
  });
}

/** Follows the package `@x402/mcp`: the official client creates the payment, and sends it with the call. */
function paymentCases({ given, connect, namesOf }: Shared): void {
  const wallet = () => {
    const { chains, accounts } = given().sandbox;
    const { address: asset } = chains[0].tokens.find(({ symbol }: any) => symbol === 'USDC');
    const { privateKey } = accounts.find(({ role }: any) => role === 'second_payer');
    const network = chains[0].caip2 as Network;
    return new x402Client()
      .register(network, new ExactEvmScheme(privateKeyToAccount(privateKey)))
      .setSpendControls({ allowedAssets: [{ network, asset }], maxAmountPerPayment: false });
  };
  const pay = async (client: Client, name: string, input: Record<string, unknown>) => {
    const asked = await client.callTool({ name, arguments: input });
    const demand = asked.structuredContent as any;
    expect([asked.isError, isPaymentRequired(demand), textOf(asked)]).toEqual([true, true, demand]);
    const payment = await wallet().createPaymentPayload(demand);
    const send = (given: Record<string, unknown>) =>
      client.callTool({ name, arguments: given, _meta: { 'x402/payment': payment } });
    return { send, result: await send(input) };
  };

  it('buy a number and a gift card without an account', async () => {
    expect(await namesOf({})).toEqual(expect.arrayContaining(['rentPhoneNumber', 'getSmsCode']));
    const client = await connect();
    const { send, result } = await pay(client, 'rentPhoneNumber', number);
    const { id } = result.structuredContent as { id: string };
    expect(result._meta!['x402/payment-response']).toMatchObject({ success: true, amount: '660000' });
    const token = result._meta!['tollbridge/purchase-token'] as string;
    given().secrets.push(token);
    expect((await send(number)).structuredContent).toMatchObject({ id });
    expect(textOf(await send({ ...number, country: 1 })).code).toBe('CONFLICT');
    const read = { name: 'getSmsCode', arguments: { id, purchase_token: token } };
    expect((await client.callTool(read)).structuredContent).toHaveProperty('status');
    expect(textOf(await client.callTool({ ...read, arguments: { id } })).code).toBe('UNAUTHORIZED');
    const cards = { productId: 1001, quantity: 1, unitPrice: 25, senderName: 'An agent' };
    const { result: bought } = await pay(client, 'orderGiftCard', cards);
    expect(bought.structuredContent).toMatchObject({ status: 'SUCCESSFUL' });
  });
}

function subscriptionCases({ given, connect }: Shared): void {
  it('notify of a changed order, which can then be read', async () => {
    const { api, sandbox } = given();
    const addressOf = (role: string) => sandbox.accounts.find((each: any) => each.role === role).address;
    const { body: order } = await api.post('/api/v1/pay/create-order', {
      pay_blockchain: 'base',
      pay_token: 'USDC',
      settle_chain: 'base',
      settle_token: 'USDC',
      merchant_address: sandbox.merchant.wallet,
      merchant_amount: '1000000',
      fee_receiver: addressOf('fee_receiver'),
      fee_amount: '5000',
      merchant_id: 'agent',
      payer_address: addressOf('payer'),
    });
    const client = await connect();
    const uri = `tollbridge://orders/${order.order_id}`;
    const updated = new Promise<string>((resolve) =>
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri)),
    );
    await client.listen({ resourceSubscriptions: [uri] });
    const tx_hash = `0x${'5e'.repeat(32)}`;
    expect((await api.post(`/api/v1/pay/order/${order.order_id}/tx`, { tx_hash })).status).toBe(200);
    expect(await updated).toBe(uri);
    const { contents } = await client.readResource({ uri });
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ status: 'settling' });
  });
}

function conformanceCases(given: Given): void {
  it.each(['2026-07-28', '2025-11-25'])(
    'the official suite passes for %s, except for the listed scenarios',
    async (revision) => {
      const output = mkdtempSync(join(tmpdir(), 'tollbridge-mcp-'));
      const suite = join(repository, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
      const args = ['--import', './e2e/mcp/conformance-node-20.mjs', suite, 'server'];
      const options = ['--url', `${given().harness.gateway}/mcp`, '--requirements', revision];
      const baseline = ['--expected-failures', `e2e/mcp/conformance-${revision}.yml`, '-o', output];
      try {
        const { stdout } = await run(process.execPath, [...args, ...options, ...baseline], {
          cwd: repository,
        });
        expect(stdout).toContain('✓ tools-list');
      } finally {
        rmSync(output, { recursive: true, force: true });
      }
    },
  );
}

function discoveryCases(given: Given): void {
  it('the official client lists the sold operations with the price of the 402', async () => {
    const { harness } = given();
    const facilitator = withBazaar(new HTTPFacilitatorClient({ url: harness.gateway }));
    const { items, pagination } = await facilitator.extensions.bazaar.listResources({
      type: 'http',
      limit: 50,
    });
    expect(pagination.total).toBe(items.length);
    const demo = items.find(({ resource }) => resource === `${harness.gateway}/demo/premium`)!;
    const answer = (await (await fetch(demo.resource)).json()) as { accepts: { network: string }[] };
    expect(demo.accepts).toEqual(answer.accepts.filter(({ network }) => network.includes(':')));
    const document = (await (await fetch(`${harness.gateway}/openapi.json`)).json()) as any;
    const { offers } = document.paths['/demo/premium'].get['x-payment-info'];
    expect(demo.accepts.map(({ amount }) => amount)).toContain(offers[0].amount);
    const none = await facilitator.extensions.bazaar.listResources({ network: 'eip155:999999999' });
    expect([none.items, none.pagination.total]).toEqual([[], 0]);
  });

  it('each link of /llms.txt and of the API catalog works', async () => {
    const { gateway } = given().harness;
    const text = await (await fetch(`${gateway}/llms.txt`)).text();
    const links = [...text.matchAll(/\]\((http[^)]+)\)/g)].map(([, url]) => url!);
    expect(links.length).toBeGreaterThan(20);
    const catalog = (await (await fetch(`${gateway}/.well-known/api-catalog`)).json()) as any;
    const { item, anchor, ...groups } = catalog.linkset[0];
    const others = Object.values(groups).flat() as { href: string }[];
    for (const url of [...links, anchor, ...others.map(({ href }) => href)])
      expect([url, (await fetch(url)).status]).toEqual([url, 200]);
    expect(item.map(({ href }: { href: string }) => href)).toContain(`${gateway}/mcp`);
    const guide = await fetch(links.find((url) => url.endsWith('/guides/agents.md'))!);
    expect(guide.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(await guide.text()).toMatch(/^# Let an agent buy\n/);
  });
}
