import { isAsset, mainnet, usdt, type PaymentRequired } from '@tollbridge/nanopay-protocol';
import { eventually } from '@tollbridge/testing';
import { PaymentRequiredSchema } from '@x402/core/schemas';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { UptoEvmScheme } from '@x402/evm/upto/server';
import type { OfficialRequirements } from '../x402/official-types';
import {
  evmNetwork,
  evmSeller,
  facilitatorAddress,
  FakeFacilitator,
  feePayer,
  officialHeaderFor,
  solanaDevnet,
} from '../testing/fake-facilitator';
import { MemoryEnclave } from '../testing';
import { buyerAddress, deployment, headerFor, readHeader, sampleHarness, seller } from '../testing/samples';
import { startOfficialShop, type OfficialShop } from '../testing/official-shop';
import { isAddressOf } from './addresses';
import { knownUsdc } from './known-assets';
import { toWays, type AcceptedWay } from './offers';

const exact: AcceptedWay = { scheme: 'exact', network: evmNetwork, payTo: evmSeller };
const solana: AcceptedWay = { scheme: 'exact', network: solanaDevnet, payTo: feePayer };
const dai = { address: '0x6B175474E89094C44Da98b954EedeAC495271d0F', decimals: 18, symbol: 'DAI' };

let facilitator: FakeFacilitator;
const shops: OfficialShop[] = [];
beforeAll(async () => void (facilitator = await FakeFacilitator.start()));
afterAll(() => facilitator.close());
beforeEach(() => facilitator.reset());
afterEach(async () => {
  for (const shop of shops.splice(0)) await shop.stop();
});

async function open(options: Parameters<typeof startOfficialShop>[1] = {}, sold = {}) {
  const shop = await startOfficialShop(facilitator, options, sold);
  shops.push(shop);
  return shop;
}

const acceptsOf = async (shop: OfficialShop, ...asked: Parameters<OfficialShop['required']>) =>
  readHeader<{ accepts: OfficialRequirements[] }>(await shop.required(...asked)).accepts;

describe('a 402', () => {
  it("offers nano-payments first, then the seller's payment methods in the configured order", async () => {
    const shop = await open({ to: seller, deployment, accepts: [solana, exact] });
    const { headers } = await fetch(`${shop.url}/sold`);
    const document = readHeader<PaymentRequired>(headers.get('payment-required'));
    expect(document.accepts.map(({ scheme, network, amount }) => [scheme, network, amount])).toEqual([
      ['ton-nanopay', 'ton-mainnet', '1000'],
      ['ton-nanopay', 'tvm:-239', '1000'],
      ['exact', solanaDevnet, '1000'],
      ['exact', evmNetwork, '1000'],
    ]);
    expect(document.accepts[2]!.extra).toEqual({ feePayer });
  });

  it('matches the official schema without the form of the specification', async () => {
    const shop = await open({ to: seller, deployment, accepts: [exact], specificationForm: false });
    const document = readHeader<PaymentRequired>(await shop.required());
    expect(document.accepts.map(({ network }) => network)).toEqual([mainnet.caip2, evmNetwork]);
    expect(PaymentRequiredSchema.safeParse(document).success).toBe(true);
  });

  it.each([
    'eip155:1',
    'eip155:137',
    'eip155:8453',
    'eip155:42161',
    'eip155:43114',
    evmNetwork,
    'eip155:421614',
  ])('makes the same offers as the official server on %s', async (network) => {
    facilitator.before = (operation) => {
      const kinds = ['exact', 'upto'].map((scheme) => ({
        x402Version: 2,
        scheme,
        network,
        extra: { facilitatorAddress },
      }));
      return operation === 'supported' ? { body: { kinds, extensions: [], signers: {} } } : undefined;
    };
    const ways = (['exact', 'upto'] as const).map((scheme) => ({ scheme, network, payTo: evmSeller }));
    const offers = await acceptsOf(await open({ accepts: ways }));
    for (const [at, scheme] of [new ExactEvmScheme(), new UptoEvmScheme()].entries()) {
      const { extra, ...price } = await scheme.parsePrice('$0.001', network as `${string}:${string}`);
      const base = { ...offers[at]!, ...price, extra: extra! };
      const kind = {
        x402Version: 2,
        scheme: scheme.scheme,
        network: network as `${string}:${string}`,
        extra: { facilitatorAddress },
      };
      expect(offers[at]).toEqual(await scheme.enhancePaymentRequirements(base as never, kind, []));
    }
  });

  it('converts the price for each asset exactly', async () => {
    const ways: AcceptedWay[] = [exact, { ...exact, asset: dai, assetTransferMethod: 'permit2' }];
    const offers = await acceptsOf(await open({ accepts: ways }));
    expect(offers.map(({ amount, extra }) => [amount, extra.assetTransferMethod])).toEqual([
      ['1000', undefined],
      ['1000000000000000', 'permit2'],
    ]);
  });

  it('includes the method unless it is GET', async () => {
    const shop = await open();
    expect((await acceptsOf(shop))[0]!.extra.method).toBeUndefined();
    expect((await acceptsOf(shop, '/sold', 'POST'))[0]!.extra.method).toBe('POST');
  });

  it('offers only nano-payments for an amount, and for bound bodies', async () => {
    const shop = await open({ to: seller, deployment, accepts: [exact] });
    const offers = async (sold: object) => {
      const verdict = await shop.paywall.route(sold).decide({ method: 'GET', url: '/', payment: undefined });
      if (verdict.kind === 'granted') throw new Error('It was granted.');
      return readHeader<PaymentRequired>(verdict.answer.headers['PAYMENT-REQUIRED']).accepts;
    };
    expect(await offers({ price: '$0.001' })).toHaveLength(3);
    expect(await offers({ price: () => '$0.001' })).toHaveLength(3);
    expect(await offers({ price: '$0.001', accepts: [] })).toHaveLength(2);
    expect(await offers({ amount: '1000' })).toHaveLength(2);
    expect(await offers({ price: '$0.001', bindBody: true })).toHaveLength(2);
  });

  it('offers only payment methods that the facilitator supports', async () => {
    const shop = await open({ accepts: [exact, { ...exact, network: 'eip155:1' }] });
    expect((await acceptsOf(shop)).map(({ network }) => network)).toEqual([evmNetwork]);
    const none = await open({ accepts: [{ ...exact, network: 'eip155:1' }] });
    expect((await fetch(`${none.url}/sold`)).status).toBe(500);
  });

  it('omits a payment method that the facilitator does not describe', async () => {
    facilitator.before = (operation) => {
      const kinds = [
        { x402Version: 2, scheme: 'exact', network: solanaDevnet, extra: { feePayer: 'no address' } },
      ];
      return operation === 'supported' ? { body: { kinds } } : undefined;
    };
    const shop = await open({ to: seller, deployment, accepts: [solana] });
    expect(await acceptsOf(shop)).toHaveLength(2);
  });
});

describe('a facilitator that does not answer', () => {
  it('leaves nano-payments available, and payments of other schemes get 503', async () => {
    const shop = await open({ to: seller, deployment });
    const payment = officialHeaderFor(await shop.required());
    facilitator.before = () => ({ status: 502, body: 'Bad Gateway' });
    const cut = await open({ to: seller, deployment });
    expect(await acceptsOf(cut)).toHaveLength(2);
    const reply = await cut.pay(payment);
    expect(reply.status).toBe(503);
    expect(reply.headers.get('payment-required')).toBeNull();
    expect(cut.errors.length).toBeGreaterThan(0);
  });

  it('delays no nano-payment', async () => {
    let answerSupported!: () => void;
    const silent = new Promise<undefined>((resolve) => (answerSupported = () => resolve(undefined)));
    const ledger = new MemoryEnclave({ deployment });
    ledger.deposit(buyerAddress, 1_000_000n);
    const options = { to: seller, deployment, transport: ledger };
    const header = await headerFor(await (await open(options)).required());
    facilitator.before = () => silent;
    const slow = await open(options);
    expect((await slow.pay(header)).status).toBe(200);
    expect((await slow.pay('no payment')).status).toBe(400);
    // A 402 waits for the facilitator, because it lists every payment method.
    const required = slow.required();
    answerSupported();
    expect(readHeader<PaymentRequired>(await required).accepts).toHaveLength(4);
  });

  it('restores a payment method as soon as the facilitator supports it', async () => {
    facilitator.before = (operation) => (operation === 'supported' ? { body: { kinds: [] } } : undefined);
    const shop = await open({ to: seller, deployment, accepts: [exact] });
    expect(await acceptsOf(shop)).toHaveLength(2);
    facilitator.reset();
    await eventually(async () => expect(await acceptsOf(shop)).toHaveLength(3));
    const asked = facilitator.calls('supported').length;
    await acceptsOf(shop);
    expect(facilitator.calls('supported')).toHaveLength(asked);
  });

  it('causes 503 on a route without nano-payments', async () => {
    facilitator.before = () => ({ status: 502, body: 'Bad Gateway' });
    const shop = await open();
    const reply = await fetch(`${shop.url}/sold`);
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1']);
  });
});

describe('configuration', () => {
  const { paywall } = sampleHarness({ accepts: [exact] });

  it.each([
    ['an inexact price', { price: '$0.0000001' }],
    ['a price of zero', { price: '$0' }],
    ['a price with an exponent', { price: '1e-3' }],
    ['a price that is negative', { price: '-1' }],
    ['an empty price', { price: '' }],
    ['two prices', { price: '$1', amount: '1' }],
    ['no price', {}],
  ])('rejects %s', (_name, options) => {
    expect(() => paywall.route(options)).toThrow(TypeError);
  });

  it('rejects a price above the largest transfer on the network', () => {
    const fine = { address: feePayer, decimals: 9, symbol: 'FINE' };
    const route = (price: string, way: AcceptedWay) => paywall.route({ price, accepts: [way] });
    const most = '$18446744073.709551';
    expect(() => route(most, { ...solana, asset: fine })).not.toThrow();
    expect(() => route('$18446744073.709552', { ...solana, asset: fine })).toThrow(
      'at most 18446744073709551615',
    );
    expect(() =>
      route('$18446744073.709552', { ...exact, asset: { ...dai, name: 'Dai', version: '1' } }),
    ).not.toThrow();
  });

  it('rejects batch-settlement without an authorizer', () => {
    const accepts = [{ ...exact, scheme: 'batch-settlement' as const }];
    expect(() => paywall.route({ price: '$1', accepts })).toThrow(/vouchers/);
  });

  it.each<[string, Partial<AcceptedWay>]>([
    ['a network name that is not CAIP-2', { network: 'base' }],
    ['a wrong checksum', { payTo: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02914' }],
    ['the zero address', { payTo: `0x${'0'.repeat(40)}` }],
    ['an address of another family', { payTo: feePayer }],
    ['an unknown asset', { network: 'eip155:31337' }],
    ['a token without a domain', { asset: { address: dai.address, decimals: 18 } }],
    ['decimals that are not a whole number', { asset: { ...dai, decimals: 1.5, name: 'Dai', version: '1' } }],
    ['an unsupported scheme', { scheme: 'auth-capture' as 'exact' }],
    ['batch-settlement on Solana', { ...solana, scheme: 'batch-settlement' }],
    ['upto on Solana', { ...solana, scheme: 'upto' }],
  ])('rejects %s', (_name, change) => {
    expect(() => toWays([{ ...exact, ...change }])).toThrow(TypeError);
  });

  it('rejects more payment methods than fit into a header', () => {
    expect(() => toWays(Array.from({ length: 9 }, () => exact))).toThrow('At most 8');
  });

  it('requires an account of the seller', () => {
    const { paywall: none } = sampleHarness({ to: undefined as never });
    expect(() => none.route({ price: '$1' })).toThrow('Missing recipient.');
  });

  it('lists USDC addresses with valid checksums', () => {
    for (const network of ['eip155:1', 'eip155:8453', evmNetwork, solanaDevnet])
      expect(isAddressOf(network, knownUsdc(network)!.address)).toBe(true);
    expect(isAsset('USDT', usdt)).toBe(true);
  });
});
