import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { base64Json, rejections, type PaymentRequired } from '@tollbridge/nanopay-protocol';
import express from 'express';
import { paid } from '../express';
import { Paywall } from '../paywall';
import { MemoryEnclave } from '../testing';
import { buyerAddress, deployment, readHeader, seller } from '../testing/samples';
import {
  createBuyer,
  payerAddress,
  SpendingLimitError,
  UntrustedReceiptError,
  type BuyerOptions,
} from './index';

const seed = Buffer.from(Array.from({ length: 32 }, (_, byte) => byte));
const limits = { maxPerPayment: '1000', maxTotal: '10000' };

describe('createBuyer', () => {
  let ledger: MemoryEnclave;
  let server: Server;
  let url: string;
  /** The payments in the order of their arrival. */
  let presented: string[];
  /** Answers instead of the shop while it is defined. */
  let instead: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  const handler = { status: 200 };

  beforeAll(async () => {
    const app = express();
    server = createServer((request, response) => {
      const payment = request.headers['payment-signature'];
      if (payment !== undefined) presented.push(String(payment));
      if (!instead?.(request, response)) app(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    const paywall = new Paywall({
      baseUrl: url,
      to: seller,
      deployment,
      transport: { send: (items) => ledger.send(items) },
    });
    app.get('/free', (_request, response) => void response.send('free'));
    app.get('/sold', paid(paywall, { amount: '1000' }), (_request, response) => {
      response.status(handler.status).send('sold');
    });
    const rawBody = {
      verify: (request: object, _: unknown, bytes: Buffer) => void Object.assign(request, { rawBody: bytes }),
    };
    const bound = paid(paywall, { amount: '1000', bindBody: true });
    app.post('/bound', express.json(rawBody), bound, (request, response) => void response.json(request.body));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    ledger = new MemoryEnclave({ deployment });
    ledger.deposit(buyerAddress, 1_000_000n);
    presented = [];
    instead = undefined;
    handler.status = 200;
  });

  const make = (options: Partial<BuyerOptions> = {}) => createBuyer({ seed, ...limits, ...options });

  it('pays for a resource and returns the response', async () => {
    const buyer = make({ enclaveKey: ledger.publicKey });
    expect(buyer.address).toBe(buyerAddress);
    const response = await buyer.fetch(`${url}/sold?x=1`);
    expect(await response.text()).toBe('sold');
    expect(ledger.balanceOf(seller)).toBe(1_000n);
    expect(buyer.spent()).toBe(1_000n);
    expect(await (await buyer.fetch(`${url}/free`)).text()).toBe('free');
  });

  it('pays for requests with a bound body', async () => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"a": 1}' };
    expect(await (await make().fetch(`${url}/bound`, init)).json()).toEqual({ a: 1 });
  });

  it('signs nothing above the limit per payment', async () => {
    const buyer = make({ maxPerPayment: 999n });
    await expect(buyer.fetch(`${url}/sold`)).rejects.toThrow(SpendingLimitError);
    expect(presented).toHaveLength(0);
  });

  it('signs nothing above the total until the next period, even for concurrent calls', async () => {
    let nowMs = Date.now();
    const buyer = make({ maxTotal: '3000', totalPeriodMs: 5_000, clock: () => nowMs });
    const calls = await Promise.allSettled(Array.from({ length: 8 }, () => buyer.fetch(`${url}/sold`)));
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    // A payment can arrive twice if the server was slow.
    expect(new Set(presented).size).toBe(3);
    expect(buyer.spent()).toBe(3_000n);
    nowMs += 5_000;
    expect(buyer.spent()).toBe(0n);
  });

  it('counts an amount against the total when the seller claims that it charged nothing', async () => {
    instead = (request, response) => {
      if (request.headers['payment-signature'] === undefined) return false;
      const rejection = { success: false, errorReason: 'insufficient_funds', transaction: '' };
      response.writeHead(402, { 'PAYMENT-RESPONSE': base64Json(rejection) }).end();
      return true;
    };
    const buyer = make({ maxTotal: 2_000n });
    for (let calls = 0; calls < 2; calls++) expect((await buyer.fetch(`${url}/sold`)).status).toBe(402);
    await expect(buyer.fetch(`${url}/sold`)).rejects.toThrow(SpendingLimitError);
  });

  it('releases the amount of a refund with a receipt of the expected key', async () => {
    handler.status = 500;
    const buyer = make({ enclaveKey: ledger.publicKey });
    expect((await buyer.fetch(`${url}/sold`)).status).toBe(500);
    expect(ledger.balanceOf(buyerAddress)).toBe(1_000_000n);
    expect(buyer.spent()).toBe(0n);
  });

  it('retries with the same payment while the outcome is unknown', async () => {
    let lost = 0;
    ledger.lose = () => (lost++ < 4 ? 'reply' : undefined);
    const response = await make({ maxRepeats: 3 }).fetch(`${url}/sold`);
    expect(response.status).toBe(200);
    expect(presented.length).toBeGreaterThan(1);
    expect(new Set(presented).size).toBe(1);
    expect(ledger.balanceOf(seller)).toBe(1_000n);
  });

  it('returns 503 without a second signature after the last retry', async () => {
    ledger.lose = () => 'reply';
    const buyer = make({ maxRepeats: 1 });
    expect((await buyer.fetch(`${url}/sold`)).status).toBe(503);
    expect(new Set(presented).size).toBe(1);
    expect(buyer.spent()).toBe(1_000n);
  });

  it('fetches a lost response without paying again', async () => {
    let cut = 0;
    instead = (request, response) => {
      if (request.headers['payment-signature'] === undefined || cut++ > 0) return false;
      // The handler succeeds, but its response is lost.
      response.end = (() => request.socket.destroy()) as never;
      return false;
    };
    const response = await make().fetch(`${url}/sold`);
    expect(await response.text()).toBe('sold');
    expect(presented).toHaveLength(2);
    expect(ledger.balanceOf(seller)).toBe(1_000n);
  });

  it('rejects a receipt of another key', async () => {
    const buyer = make({ enclaveKey: 'aa'.repeat(32) });
    await expect(buyer.fetch(`${url}/sold`)).rejects.toThrow(UntrustedReceiptError);
    expect(buyer.spent()).toBe(1_000n);
  });

  it('accepts a receipt of any key of a list', async () => {
    const buyer = make({ enclaveKey: ['aa'.repeat(32), ledger.publicKey] });
    expect((await buyer.fetch(`${url}/sold`)).status).toBe(200);
    expect(() => make({ enclaveKey: ['aa'] })).toThrow('Invalid enclaveKey');
  });

  const other = `0:${'99'.repeat(32)}`;
  it.each<[string, Partial<BuyerOptions>]>([
    ['deployment', { allow: { contracts: [other] } }],
    ['asset', { allow: { assets: [other] } }],
    ['seller', { allow: { sellers: [other] } }],
    ['server', { allow: { hosts: ['elsewhere.example'] } }],
    ['network', { network: 'ton-testnet' }],
  ])('rejects an offer with a %s that is not allowed', async (_name, options) => {
    await expect(make(options).fetch(`${url}/sold`)).rejects.toThrow('offer');
    expect(presented).toHaveLength(0);
  });

  it('accepts allowed accounts in any notation', async () => {
    const allow = {
      contracts: [deployment.verifyingContract.toUpperCase().replace('0:', '0:')],
      assets: ['EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'],
      sellers: [seller],
      hosts: [new URL(url).host],
    };
    expect((await make({ allow }).fetch(`${url}/sold`)).status).toBe(200);
  });

  it('rejects an offer for a URL that differs from the requested one', async () => {
    const real = await fetch(`${url}/sold`);
    const document = readHeader<PaymentRequired>(real.headers.get('payment-required'));
    const trap = (resource: string) => {
      const header = base64Json({ ...document, resource: { url: resource } });
      instead = (_request, response) => {
        response.writeHead(402, { 'PAYMENT-REQUIRED': header }).end();
        return true;
      };
    };
    for (const resource of ['https://bank.example/sold', `${url}/other`, `${url}/sold?x=2`]) {
      trap(resource);
      await expect(make().fetch(`${url}/sold?x=1`)).rejects.toThrow('another URL');
    }
    expect(presented).toHaveLength(0);
    // An offer for a URL without a query covers every query of its path.
    trap(`${url}/sold`);
    expect((await make().fetch(`${url}/sold?x=1`)).status).toBe(402);
    expect(presented).toHaveLength(1);
  });

  it.each([
    ['no header', undefined],
    ['an unreadable header', '%%%'],
    [
      'another scheme',
      base64Json({ x402Version: 2, resource: { url: 'x' }, accepts: [{ scheme: 'exact' }] }),
    ],
    ['a header of null', base64Json(null)],
    ['an offer of null', base64Json({ x402Version: 2, resource: { url: 'x' }, accepts: [null] })],
  ])('returns a 402 with %s unchanged to the caller', async (_name, header) => {
    instead = (_request, response) => {
      response.writeHead(402, header === undefined ? {} : { 'PAYMENT-REQUIRED': header }).end('as it is');
      return true;
    };
    const response = await make().fetch(`${url}/sold`);
    expect(response.status).toBe(402);
    expect(await response.text()).toBe('as it is');
  });

  it('sends no payment after a redirect', async () => {
    const reached: string[] = [];
    instead = (request, response) => {
      reached.push(request.url!);
      if (request.headers['payment-signature'] === undefined) return false;
      response.writeHead(307, { Location: `${url}/elsewhere` }).end();
      return true;
    };
    expect((await make().fetch(`${url}/sold`)).status).toBe(307);
    expect(reached).toEqual(['/sold', '/sold']);
  });

  it('hides secrets in errors', () => {
    expect(() => createBuyer({ ...limits, seed: 'deadbeef' })).toThrow('32 bytes');
    expect(() => createBuyer({ ...limits, seed: 'deadbeef' })).not.toThrow('deadbeef');
    expect(() => createBuyer({ ...limits })).toThrow('Missing payer.');
    expect(() => make({ maxTotal: '1.5' })).toThrow('Invalid limit');
    expect(JSON.stringify(make())).not.toContain(seed.toString('hex'));
    expect(rejections).toContain('insufficient_funds');
    expect(payerAddress({ publicKey: Buffer.alloc(32), address: buyerAddress, sign: (data) => data })).toBe(
      buyerAddress,
    );
  });
});
