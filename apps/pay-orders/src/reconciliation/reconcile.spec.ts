import type { BlockRef, ChainAdapter, Payment, PaymentUpdate } from '@tollbridge/chain-port';
import { findChain } from '@tollbridge/chains';
import type { Order } from '../orders/order';
import { anOrder } from '../orders/testing/order.builder';
import { expectedFields } from '../payments/payment';
import { aPayment } from '../payments/testing/payment.builder';
import { reconcile } from './reconcile';

const chain = findChain('base')!;
const block = (height: number, hash = `h${height}`): BlockRef => ({
  height,
  hash,
  parentHash: '',
  timeMs: height * 1_000,
});
const order = anOrder();

const paymentOf = (changes: Partial<Payment> = {}) => aPayment({ height: 11, blockHash: 'h11', ...changes });

/** An adapter that returns these updates one after the other, then reports that nothing is left. */
function adapterOf(updates: PaymentUpdate[], asked: (readonly BlockRef[])[] = []): ChainAdapter {
  const left = [...updates];
  return {
    chain,
    blockBefore: async (timeMs: number) => (timeMs < 9_000 ? undefined : block(Math.floor(timeMs / 1_000))),
    nextUpdate: async (known: readonly BlockRef[]) => {
      asked.push(known);
      return left.shift() ?? { kind: 'idle', head: block(20) };
    },
  } as Partial<ChainAdapter> as ChainAdapter;
}

const advance = (heights: number[], payments: Payment[]): PaymentUpdate => ({
  kind: 'advance',
  blocks: heights.map((height) => block(height)),
  payments,
  head: block(20),
});

const ordersOf = (orders: Order[], merchants: string[] = []) => ({
  ordersOf: async () => orders,
  knownMerchants: async () => merchants,
});

describe('reconcile', () => {
  it.each([
    ['unknown', [], {}],
    ['waiting', [order], {}],
    ['settled', [{ ...order, status: 'settled' as const }], {}],
    ['mismatched', [order], { fields: { ...expectedFields(order), merchant_amount: '1' } }],
  ] as const)('finds a payment that is %s', async (state, orders, changes) => {
    const adapter = adapterOf([advance([11], [paymentOf(changes)])]);
    const found = await reconcile(adapter, 10_500, ordersOf([...orders]));
    expect(found).toEqual([{ chain: chain.id, payment: paymentOf(changes), state, isMerchantKnown: false }]);
  });

  it('returns whether the merchant of an unknown order is known', async () => {
    const adapter = adapterOf([advance([11], [paymentOf()])]);
    const orders = ordersOf([], [order.merchantAddress]);
    expect(await reconcile(adapter, 10_500, orders)).toMatchObject([{ isMerchantKnown: true }]);
  });

  it.each([
    ['the newest block before that second', 10_500, [block(9)]],
    ['the deployment of the contract when the time is earlier', 1, []],
  ])('reads from %s', async (_name, sinceMs, known) => {
    const asked: (readonly BlockRef[])[] = [];
    await reconcile(adapterOf([], asked), sinceMs, ordersOf([]));
    expect(asked).toEqual([known]);
  });

  it('drops payments in blocks that leave the chain meanwhile', async () => {
    const [kept, lost] = [paymentOf(), paymentOf({ height: 12, txHash: '0xcd' })];
    const again = paymentOf({ height: 12, txHash: '0xef' });
    const adapter = adapterOf([
      advance([11, 12], [kept, lost]),
      { kind: 'rollback', to: block(11), removed: 1, head: block(20) },
      advance([12], [again]),
    ]);
    const found = await reconcile(adapter, 10_500, ordersOf([]));
    expect(found.map(({ payment }) => payment.txHash)).toEqual([kept.txHash, again.txHash]);
  });

  it('rejects a time with more payments than an operator can read', async () => {
    const many = Array.from({ length: 100_001 }, () => paymentOf());
    await expect(reconcile(adapterOf([advance([11], many)]), 10_500, ordersOf([]))).rejects.toThrow(
      'name a later time',
    );
  });
});
