import { features } from '@tollbridge/contracts';
import type { BusOperation, Feature, Operation } from '@tollbridge/rpc';
import { operationRoutes } from '../routes/gateway-routes';
import { GatewayHarness } from '../testing/gateway-harness';

// The default limit of Node.js for the headers of a reply, and a common limit of other clients.
const mostBytes = 16 * 1024;
// Reserved for the headers that proxies add.
const spareBytes = 1_024;

const offer = `1795000000.100000000000000.999999999999999.${'s'.repeat(22)}.${'m'.repeat(43)}`;
const nano = (network: string) => ({
  scheme: 'ton-nanopay',
  network,
  amount: '999999999999999',
  payTo: `0:${'22'.repeat(32)}`,
  asset: `0:${'b1'.repeat(32)}`,
  maxTimeoutSeconds: 570,
  extra: {
    name: 'TonNanoPay',
    version: '1',
    verifyingContract: `0:${'11'.repeat(32)}`,
    teeEndpoint: 'https://payments.merchant.example.com',
    paymentFlow: 'upfront',
    offer,
  },
});
const exact = (number: number) => ({
  scheme: 'exact',
  network: `eip155:${10_000_000 + number}`,
  amount: '999999999999999000000000000',
  asset: `0x${'aa'.repeat(20)}`,
  payTo: `0x${'bb'.repeat(20)}`,
  maxTimeoutSeconds: 570,
  extra: { name: 'Bridged USDC (Chain)', version: '2', offer },
});
/** The maximum number of offers that the settings permit, each with its longest values. */
const quote = {
  accepts: [
    nano('ton-mainnet'),
    nano('tvm:-239'),
    ...Array.from({ length: 8 }, (_, number) => exact(number)),
  ],
  priceUsd: '999999999.999999',
  isFrom: true,
  refundPolicy: { 'refund-policy': { info: { text: 'x'.repeat(250) } } },
};

const sold = (features as readonly Feature[])
  .flatMap(({ operations }) => Object.values(operations) as Operation[])
  .filter(({ sale }) => sale === 'buys');

let harness: GatewayHarness;

beforeAll(async () => {
  const call = async ({ name }: BusOperation) => {
    if (name === 'quoteSale') return quote;
    return { outcome: 'unpaid', payment: { success: false, errorReason: 'insufficient_funds' } };
  };
  harness = await GatewayHarness.open({
    routes: (features as readonly Feature[]).flatMap((feature) => operationRoutes(feature)),
    call: call as never,
  });
  harness.admit = (_rule, request) => void (request.isSale = true);
});
afterAll(() => harness?.close());

describe('the headers of a 402', () => {
  it.each(sold.map(({ name, method, path }) => [name, method, path] as const))(
    'do not exceed the limit of clients: %s',
    async (_name, method, path) => {
      const { statusCode, headers } = await harness.send(method, path, {});
      expect(statusCode).toBe(402);
      const size = Object.entries(headers).reduce(
        (sum, [name, value]) => sum + `${name}: ${value}\r\n`.length,
        0,
      );
      expect(size).toBeLessThan(mostBytes - spareBytes);
    },
  );
});
