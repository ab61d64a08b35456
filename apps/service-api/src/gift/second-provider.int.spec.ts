import { giftApi } from '@tollbridge/contracts';
import { eventually } from '@tollbridge/testing';
import { randomUUID } from 'node:crypto';
import { GiftHarness } from '../testing/gift-harness';
import type { GiftProviderDefinition } from './providers/gift-provider';
import { giftProviderDefinitions } from './providers/registry';
import { describeGiftCardProvider } from './testing/gift-card-conformance';
import { aGiftCard, aTopUp } from './testing/gift-orders.builder';
import { PaperProvider } from './testing/paper-provider';

const { orderGiftCard, listGiftCards, topUpPhone } = giftApi.operations;
const [reloadly] = giftProviderDefinitions;
const paper = new PaperProvider();

let harness: GiftHarness;
beforeAll(async () => {
  register(paper.definition, reloadly!);
  harness = await GiftHarness.start();
});
afterAll(() => harness?.close());
afterAll(() => register(reloadly!));

/** Replaces the entries of the registry. The first entry serves new purchases. */
function register(...definitions: GiftProviderDefinition<any>[]): void {
  giftProviderDefinitions.splice(0, Infinity, ...definitions);
}

async function restart(...definitions: GiftProviderDefinition<any>[]): Promise<void> {
  await harness.stopApps();
  register(...definitions);
  await harness.startApp();
}

const order = (productId: number, customIdentifier: string) =>
  aGiftCard({ productId, quantity: 2, customIdentifier });
const stored = async (reference: string) => {
  const [row] = await harness.database.query<{ id: string; provider: string | null; status: string }>(
    'SELECT id, provider, status FROM purchases WHERE reference = $1',
    [reference],
  );
  return row!;
};

describe('A second gift-card provider', () => {
  const [first, later] = [randomUUID(), randomUUID()];

  it('sells its products when its line is the first of the registry', async () => {
    const found = await harness.call(listGiftCards, { country: 'US' });
    expect(found.map(({ productId }) => productId)).toEqual([paper.productId]);
    expect(await harness.call(orderGiftCard, order(paper.productId, first))).toMatchObject({
      status: 'PENDING',
      cards: null,
    });
    expect(await stored(first)).toMatchObject({ provider: 'paper', status: 'pending' });
  });

  it('leaves the capabilities that it lacks to the next provider', async () => {
    const reference = randomUUID();
    await harness.call(topUpPhone, aTopUp({ customIdentifier: reference }));
    expect(await stored(reference)).toMatchObject({ provider: 'reloadly' });
  });

  it('completes its purchases after another provider became the seller', async () => {
    await restart(reloadly!, paper.definition);
    await harness.call(orderGiftCard, order(1001, later));
    expect(await stored(later)).toMatchObject({ provider: 'reloadly', status: 'completed' });
    paper.deliver();
    await eventually(async () => {
      harness.clock.advance(5_000);
      expect(await stored(first)).toMatchObject({ provider: 'paper', status: 'completed' });
    });
    const { id } = await stored(first);
    expect(new Set(paper.lookups)).toEqual(new Set([id]));
  });

  it('returns its own codes for a repeated order after another provider became the seller', async () => {
    const { id } = await stored(first);
    const repeated = await harness.call(orderGiftCard, order(paper.productId, first));
    expect(repeated).toMatchObject({ id, status: 'SUCCESSFUL' });
    expect(repeated.cards!.map(({ cardNumber }) => cardNumber)).toEqual(['PAPER-1-0', 'PAPER-1-1']);
  });

  it('completes a purchase that was stored without a provider at Reloadly', async () => {
    await harness.database.query('UPDATE purchases SET provider = NULL WHERE reference = $1', [later]);
    await restart(paper.definition, reloadly!);
    const repeated = await harness.call(orderGiftCard, order(1001, later));
    expect(repeated).toMatchObject({ id: (await stored(later)).id, status: 'SUCCESSFUL' });
    expect(repeated.cards).toHaveLength(2);
  });

  it('returns 503 for its purchases while it is not configured', async () => {
    await restart(reloadly!);
    expect(await harness.failureOf(orderGiftCard, order(paper.productId, first))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      status: 503,
    });
  });
});

describeGiftCardProvider('paper', async () => {
  const provider = new PaperProvider();
  provider.deliver();
  const terms = { productId: 7, quantity: 2, unitPrice: '25', senderName: 'Ada', recipientEmail: null };
  return {
    provider,
    country: 'US',
    terms,
    declined: { ...terms, unitPrice: '101' },
    unknownProductId: 999,
    unservedCountry: 'ZZ',
    close: async () => undefined,
  };
});
