import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { asset, seller } from '@tollbridge/app-tee/testing';
import { isReceipt, w5Account, signingKey, type Receipt } from '@tollbridge/nanopay-protocol';
import { TonNanopayClient, TonNanopayServer } from '@tollbridge/paywall/x402';
import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server';
import type { Network, PaymentPayload, PaymentRequirements, SchemeNetworkServer } from '@x402/core/types';
import { paymentMiddleware } from '@x402/express';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import express from 'express';
import { NanopayHarness, requirementsOf, url } from '../testing/nanopay-harness';

// Uses the official packages for sellers and buyers. Their client decodes every reply against its own schemas.

const assets = [{ symbol: 'USDT', master: asset, decimals: 6 }];
const networks = ['ton-mainnet', 'tvm:-239'] as unknown as Network[];

let harness: NanopayHarness;
let facilitator: HTTPFacilitatorClient;
let seed: Buffer;
let payer: string;
const stops: (() => void)[] = [];

beforeAll(async () => {
  harness = await NanopayHarness.start();
  facilitator = new HTTPFacilitatorClient({ url: await harness.listen() });
});
afterAll(() => harness?.close());
beforeEach(async () => {
  seed = randomBytes(32);
  payer = w5Account(signingKey(seed).publicKey);
  await harness.tee.fund({ address: payer } as never, 10_000n);
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

async function paymentOf(network: Network): Promise<[PaymentPayload, PaymentRequirements]> {
  const requirements = { ...requirementsOf(), network };
  const client = new TonNanopayClient({ seed, assets });
  await client.schemeHooks.onBeforePaymentCreation({
    paymentRequired: { resource: { url } },
    selectedRequirements: requirements,
  });
  const signed = await client.createPaymentPayload(2, requirements);
  return [{ ...signed, accepted: requirements, resource: { url } }, requirements];
}

describe.each(networks)('HTTPFacilitatorClient on %s', (network) => {
  it('verifies and settles a payment', async () => {
    const [payload, requirements] = await paymentOf(network);
    expect(await facilitator.verify(payload, requirements)).toMatchObject({ isValid: true, payer });
    const reply = await facilitator.settle(payload, requirements);
    expect(reply).toMatchObject({ success: true, network, payer, amount: '1000' });
    const { receipt } = reply.extra as { receipt: Receipt };
    expect(isReceipt(receipt, harness.enclaveKey)).toBe(true);
    expect(reply.transaction).toBe(receipt.confirmationId);
  });

  it('returns the reason of a rejection', async () => {
    const [payload, requirements] = await paymentOf(network);
    await facilitator.settle(payload, requirements);
    expect(await facilitator.verify(payload, requirements)).toMatchObject({
      isValid: false,
      invalidReason: 'duplicate_settlement',
    });
    expect(await facilitator.settle(payload, requirements)).toMatchObject({
      success: false,
      errorReason: 'duplicate_settlement',
      transaction: '',
    });
  });

  it('lists the supported networks', async () => {
    const { kinds } = await facilitator.getSupported();
    expect(kinds.map((kind) => kind.network)).toContain(network);
  });
});

it('HTTPFacilitatorClient throws on 503 while the outcome is unknown', async () => {
  const [payload, requirements] = await paymentOf(networks[1]!);
  await harness.tee.apps.pop()!.close();
  try {
    await expect(facilitator.verify(payload, requirements)).rejects.toThrow('503');
    await expect(facilitator.settle(payload, requirements)).rejects.toThrow('503');
  } finally {
    await harness.tee.startApp();
  }
  expect(await facilitator.settle(payload, requirements)).toMatchObject({ success: true });
});

const schemeOfServer: SchemeNetworkServer = new TonNanopayServer({ asset: assets[0]! });

describe.each(['upfront', 'authorization'] as const)(
  'the official server with the flow %s',
  (paymentFlow) => {
    it.each(networks)(
      'accepts a payment of the official client on %s through this facilitator',
      async (network) => {
        const resourceServer = new x402ResourceServer(facilitator).register(network, schemeOfServer);
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
        app.get('/premium-data', (_request, response) => void response.json({ data: 'premium' }));
        const server = createServer(app);
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        stops.push(() => {
          server.closeAllConnections();
          server.close();
        });
        const shop = `http://127.0.0.1:${(server.address() as AddressInfo).port}/premium-data`;
        const buy = wrapFetchWithPayment(
          fetch,
          new x402Client().register(network, new TonNanopayClient({ seed, assets })),
        );
        const response = await buy(shop);
        expect([response.status, await response.json()]).toEqual([200, { data: 'premium' }]);
        expect(await harness.tee.balanceOf(payer)).toMatchObject({ available: '9000', spent: '1000' });
      },
    );
  },
);
