import { createServer } from 'node:http';
import { Controller, Get } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { isReceipt, mainnet, type PaymentRequired, type Receipt } from '@tollbridge/nanopay-protocol';
import { x402Facilitator } from '@x402/core/facilitator';
import { x402ResourceServer } from '@x402/core/server';
import type {
  Network,
  SchemeNetworkClient,
  SchemeNetworkFacilitator,
  SchemeNetworkServer,
} from '@x402/core/types';
import { PaymentRequiredSchema } from '@x402/core/schemas';
import { paymentMiddleware } from '@x402/express';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import express, { type Express } from 'express';
import { paid } from '../express';
import { Paid, PaywallModule } from '../nestjs';
import { Paywall } from '../paywall';
import { MemoryEnclave } from '../testing';
import { buyerAddress, deployment, headerFor, readHeader, seller } from '../testing/samples';
import { TonNanopayClient, TonNanopayFacilitator, TonNanopayServer } from './index';

const seed = Buffer.from(Array.from({ length: 32 }, (_, byte) => byte));
const networks = [mainnet.name, mainnet.caip2] as unknown as Network[];

// The compiler checks that these classes implement the official interfaces.
const schemeOfClient: SchemeNetworkClient = new TonNanopayClient({ seed });
const schemeOfServer: SchemeNetworkServer = new TonNanopayServer();

const stops: (() => unknown)[] = [];
let ledger: MemoryEnclave;
beforeEach(() => {
  ledger = new MemoryEnclave({ deployment });
  ledger.deposit(buyerAddress, 1_000_000n);
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const clientFor = (network: Network) =>
  wrapFetchWithPayment(fetch, new x402Client().register(network, schemeOfClient));

async function listen(make: (url: string) => Express): Promise<string> {
  const server = createServer((request, response) => app(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const app = make(url);
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return url;
}

interface Settlement {
  success: boolean;
  network: string;
  payer: string;
  amount: string;
  extra: { receipt: Receipt };
}

async function expectPaid(response: Response, network: Network): Promise<void> {
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ data: 'premium' });
  const settlement = readHeader<Settlement>(response.headers.get('payment-response'));
  expect(settlement).toMatchObject({ success: true, network, payer: buyerAddress, amount: '1000' });
  expect(isReceipt(settlement.extra.receipt, Buffer.from(ledger.publicKey, 'hex'))).toBe(true);
  expect(ledger.balanceOf(seller)).toBe(1_000n);
}

describe.each(networks)('x402Client on %s', (network) => {
  it('pays the Express middleware', async () => {
    const url = await listen((baseUrl) => {
      const paywall = new Paywall({ baseUrl, to: seller, deployment, transport: ledger });
      const app = express();
      app.all('/premium-data', paid(paywall, { amount: '1000' }), (_request, response) => {
        response.json({ data: 'premium' });
      });
      return app;
    });
    await expectPaid(await clientFor(network)(`${url}/premium-data?a=1`), network);
    const posted = await clientFor(network)(`${url}/premium-data`, { method: 'POST', body: 'text' });
    expect(posted.status).toBe(200);
  });

  it('pays the NestJS guard', async () => {
    @Controller()
    class Shop {
      @Paid({ amount: '1000' })
      @Get('premium-data')
      data() {
        return { data: 'premium' };
      }
    }
    const options = { baseUrl: '', to: seller, deployment };
    const imports = [
      PaywallModule.forRootAsync({
        useFactory: () => ({ ...options, baseUrl: 'http://shop.example', transport: ledger }),
      }),
    ];
    const root = { module: class Root {}, controllers: [Shop], imports };
    const app = await NestFactory.create(root, new ExpressAdapter(), { logger: false });
    await app.listen(0, '127.0.0.1');
    stops.push(() => app.close());
    await expectPaid(await clientFor(network)(`${await app.getUrl()}/premium-data`), network);
  });

  it.each(['upfront', 'authorization'] as const)(
    'pays the official server in the flow %s',
    async (paymentFlow) => {
      const { url, handler } = await officialServer(network, paymentFlow);
      await expectPaid(await clientFor(network)(`${url}/premium-data`), network);
      const kinds = ledger.messages.flat().map(({ kind }) => kind);
      expect(kinds).toEqual(paymentFlow === 'upfront' ? ['charge'] : ['hold', 'charge']);
      expect(handler.calls).toBe(1);
    },
  );

  it('gets a refund from the official server for a failed handler', async () => {
    const { url, handler } = await officialServer(network, 'upfront');
    handler.status = 500;
    const response = await clientFor(network)(`${url}/premium-data`);
    expect(response.status).toBe(500);
    expect(ledger.balanceOf(buyerAddress)).toBe(1_000_000n);
    expect(ledger.balanceOf(seller)).toBe(0n);
  });
});

async function officialServer(network: Network, paymentFlow: 'upfront' | 'authorization') {
  const handler = { status: 200, calls: 0 };
  const scheme: SchemeNetworkFacilitator = new TonNanopayFacilitator({
    deployment,
    transport: ledger,
  });
  const facilitator = new x402Facilitator().register(networks, scheme);
  const inProcess = {
    verify: facilitator.verify.bind(facilitator),
    settle: facilitator.settle.bind(facilitator),
    getSupported: async () => facilitator.getSupported(),
  };
  const url = await listen(() => {
    const resourceServer = new x402ResourceServer(inProcess as never).register(network, schemeOfServer);
    const accepts = {
      scheme: 'ton-nanopay',
      network,
      payTo: seller,
      price: '$0.001',
      extra: { paymentFlow },
      maxTimeoutSeconds: 60,
    };
    const app = express();
    app.use(paymentMiddleware({ 'GET /premium-data': { accepts } }, resourceServer));
    app.get('/premium-data', (_request, response) => {
      handler.calls++;
      response.status(handler.status).json({ data: 'premium' });
    });
    return app;
  });
  return { url, handler, facilitator };
}

describe('x402ResourceServer with TonNanopayFacilitator', () => {
  const network = networks[0]!;

  it.each(['upfront', 'authorization'] as const)(
    'serves one header only once in the flow %s',
    async (paymentFlow) => {
      const { url, handler } = await officialServer(network, paymentFlow);
      const headers = { 'PAYMENT-SIGNATURE': await paymentFor(url) };
      const copies = Array.from({ length: 20 }, () => fetch(`${url}/premium-data`, { headers }));
      const statuses = (await Promise.all(copies)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(handler.calls).toBe(1);
      expect(ledger.balanceOf(seller)).toBe(1_000n);
    },
  );

  it('serves only the signed URL', async () => {
    const { url, handler } = await officialServer(network, 'upfront');
    const headers = { 'PAYMENT-SIGNATURE': await paymentFor(url) };
    const response = await fetch(`${url}/premium-data?more=1`, { headers });
    expect(response.status).toBe(402);
    expect(handler.calls).toBe(0);
    expect(ledger.balanceOf(seller)).toBe(0n);
  });

  it('charges once when the first outcome was lost', async () => {
    const { url, handler } = await officialServer(network, 'upfront');
    let lost = 0;
    // Loses the replies of both attempts of the first call. The server then asks again.
    ledger.lose = () => (lost++ < 2 ? 'reply' : undefined);
    const response = await clientFor(network)(`${url}/premium-data`);
    expect(response.status).toBe(200);
    expect(handler.calls).toBe(1);
    expect(ledger.balanceOf(seller)).toBe(1_000n);
  });

  const paymentFor = async (url: string) => {
    const unpaid = await fetch(`${url}/premium-data`);
    const required = unpaid.headers.get('payment-required')!;
    expect(PaymentRequiredSchema.safeParse(readHeader(required)).success).toBe(network.includes(':'));
    return headerFor(required);
  };
});

it('returns only offers that match the official schema, without the form of the specification', async () => {
  const paywall = new Paywall({
    specificationForm: false,
    baseUrl: 'https://api.example.com',
    to: seller,
    deployment,
    transport: ledger,
  });
  const verdict = await paywall
    .route({ amount: '1' })
    .decide({ method: 'GET', url: '/', payment: undefined });
  if (verdict.kind === 'granted') throw new Error('It was granted.');
  const body = JSON.parse(verdict.answer.body.toString()) as PaymentRequired;
  expect(PaymentRequiredSchema.safeParse(body).success).toBe(true);
});

describe('TonNanopayClient', () => {
  it('respects the limits of the official client', async () => {
    const dear = await listen((baseUrl) => {
      const paywall = new Paywall({ baseUrl, to: seller, deployment, transport: ledger });
      const app = express();
      app.get('/dear', paid(paywall, { amount: '1000001' }), (_request, response) => void response.end());
      return app;
    });
    await expect(clientFor(networks[0]!)(`${dear}/dear`)).rejects.toThrow();
    expect(ledger.messages).toHaveLength(0);
  });

  it('pays only through allowed deployments, and never for bound bodies', async () => {
    const make = (contracts?: string[]) =>
      new TonNanopayClient({ seed, ...(contracts ? { contracts } : {}) });
    const requirements = {
      scheme: 'ton-nanopay',
      network: networks[1]!,
      asset: deployment.asset.master,
      amount: '1',
      payTo: seller,
      maxTimeoutSeconds: 60,
      extra: { verifyingContract: deployment.verifyingContract },
    };
    const create = async (client: TonNanopayClient, extra: object) => {
      const selectedRequirements = { ...requirements, extra: { ...requirements.extra, ...extra } };
      const paymentRequired = { resource: { url: 'https://api.example.com/' } };
      await client.schemeHooks.onBeforePaymentCreation({ paymentRequired, selectedRequirements });
      return client.createPaymentPayload(2, selectedRequirements);
    };
    await expect(create(make([`0:${'99'.repeat(32)}`]), {})).rejects.toThrow('deployment');
    await expect(create(make(), { bindBody: true })).rejects.toThrow('binds bodies');
    await expect(create(make(), { verifyingContract: 'nowhere' })).rejects.toThrow('verifyingContract');
    const { payload } = await create(make([deployment.verifyingContract]), {});
    expect(payload.authorization.from).toBe(buyerAddress);
  });
});

it.each([
  ['$0.001', '1000'],
  ['1', '1000000'],
  [0.5, '500000'],
  ['0.000001', '1'],
])('TonNanopayServer parses the price %p as %s', async (price, amount) => {
  expect(await schemeOfServer.parsePrice(price, networks[0]!)).toEqual({ amount, asset: 'USDT' });
});

it.each(['0.0000001', '-1', '1e3', 'free'])('TonNanopayServer rejects the price %p', async (price) => {
  await expect(schemeOfServer.parsePrice(price, networks[0]!)).rejects.toThrow('Invalid price');
});
