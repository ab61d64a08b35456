import { Address, beginCell, Cell } from '@ton/core';
import { encodeTonOrder, hashTonOrder, type TonOrder } from './order';
import { tonJettonPayment, tonPayAddress } from './pay';
import {
  fundsAtomic,
  gains,
  jettonBalances,
  orderFor,
  recordsIn,
  sendJettons,
  settlementOf,
  startTonPayments,
  type JettonSending,
  type TonPayments,
} from './testing/payments';
import { raw, valuesSent } from './testing/ton-chain';

let payments: TonPayments;

beforeAll(async () => {
  payments = await startTonPayments();
});

/** Sends jettons and returns the gain of each account, with the records. */
async function pay(order: TonOrder | Cell, sending: JettonSending = {}) {
  const measured = order instanceof Cell ? undefined : order;
  const before = await jettonBalances(payments, measured, sending.jetton);
  const { transactions } = await sendJettons(payments, order, sending);
  const after = await jettonBalances(payments, measured, sending.jetton);
  return { gained: gains(before, after), records: await recordsIn(payments, transactions), transactions };
}

const paid = { payer: -100_000_000n, merchant: 97_000_001n, feeReceiver: 2_999_999n };
const isDeployed = async (order: TonOrder): Promise<boolean> =>
  payments.chain.isActive(await settlementOf(order));

describe('Payment of an order in jettons', () => {
  it.each(['usdt', 'reference'] as const)(
    'transfers the exact amounts to merchant and fee receiver (%s)',
    async (name) => {
      const order = orderFor(payments, { jetton: payments[name].facts });

      const { gained } = await pay(order, { jetton: payments[name] });

      expect(gained).toEqual(paid);
    },
  );

  it('records the order, its hash and the payer', async () => {
    const order = orderFor(payments, { tokenIn: 'USD₮', tokenOut: '' });

    const { records } = await pay(order);

    const orderHash = await hashTonOrder(order);
    const payer = raw(payments.payer.address);
    expect(records).toEqual([{ orderHash, payer, nonce: expect.any(BigInt) as bigint, order }]);
  });

  it('accepts the message that the library builds', async () => {
    const { payer, usdt } = payments;
    const order = orderFor(payments);
    const payerWallet = raw(await usdt.walletOf(payer.address));
    const message = await tonJettonPayment(order, { payer: raw(payer.address), payerWallet });
    const before = await jettonBalances(payments, order);

    await payer.send({ to: Address.parseRaw(message.to), value: message.valueNano, body: message.body });

    expect(gains(before, await jettonBalances(payments, order))).toEqual(paid);
  });

  it('needs no fee receiver if the fee is zero', async () => {
    const order = orderFor(payments, { feeAmount: 0n, feeReceiver: null });

    const { gained, records } = await pay(order);

    expect(gained).toEqual({ payer: -97_000_001n, merchant: 97_000_001n });
    expect(records).toHaveLength(1);
  });

  it('pays a merchant that is also the fee receiver or the payer', async () => {
    const both = orderFor(payments, { feeReceiver: raw(payments.merchant.address) });
    expect((await pay(both)).gained).toEqual({ payer: -100_000_000n, merchant: 100_000_000n });

    const toPayer = orderFor(payments, { merchant: raw(payments.payer.address) });
    expect((await pay(toPayer)).gained).toEqual({ payer: -2_999_999n, feeReceiver: 2_999_999n });
  });

  it('pays an order of one atomic unit', async () => {
    const order = orderFor(payments, { merchantAmount: 1n, feeAmount: 0n });

    expect((await pay(order)).gained).toEqual({ payer: -1n, merchant: 1n });
  });

  it('pays before it records: the merchant has the jettons when the record is created', async () => {
    const { transactions } = await pay(orderFor(payments));
    const wallet = await payments.usdt.walletOf(payments.merchant.address);
    const receiptAt = transactions.findIndex(
      ({ inMessage }) => inMessage?.info.dest?.toString() === String(wallet),
    );
    const recordAt = transactions.findIndex(
      ({ inMessage }) => inMessage?.body.beginParse().preloadUint(32) === 0x54420003,
    );

    expect(receiptAt).toBeGreaterThan(0);
    expect(recordAt).toBeGreaterThan(receiptAt);
  });

  it('leaves no coins in the order’s contract, and adds none to the payment contract', async () => {
    const order = orderFor(payments);
    const before = await payments.chain.coins(payments.chain.payment);

    await pay(order);

    expect(await payments.chain.coins(await settlementOf(order))).toBe(0n);
    expect(await payments.chain.coins(payments.chain.payment)).toBe(before);
  });
});

describe('Second payment of an order in jettons', () => {
  it.each(['payer', 'other'] as const)('returns to the %s in full', async (name) => {
    const order = orderFor(payments);
    await pay(order);

    const { gained, records } = await pay(order, { from: payments[name] });

    expect(gained).toEqual({});
    expect(records).toEqual([]);
  });

  it('returns to the sender when both payments are in progress at the same time', async () => {
    const order = orderFor(payments);
    const before = await jettonBalances(payments, order);

    const [first, second] = await Promise.all([
      sendJettons(payments, order, { from: payments.payer }),
      sendJettons(payments, order, { from: payments.other }),
    ]);

    const gained = gains(before, await jettonBalances(payments, order));
    expect([paid, { other: -100_000_000n, merchant: 97_000_001n, feeReceiver: 2_999_999n }]).toContainEqual(
      gained,
    );
    const records = await recordsIn(payments, [...first.transactions, ...second.transactions]);
    expect(records).toHaveLength(1);
  });

  it('does not affect an order with the same id and other terms', async () => {
    const order = orderFor(payments);
    await pay({ ...order, merchantAmount: 1n, feeAmount: 0n, amountIn: 1n });

    const { gained, records } = await pay(order);

    expect(gained).toEqual(paid);
    expect(records).toHaveLength(1);
  });
});

type Terms = (order: TonOrder) => Partial<TonOrder>;
const own = { toString: () => 'the payment contract' };
const rejectedTerms: [string, Terms][] = [
  ['one second late', () => ({ deadline: BigInt(payments.chain.nowS - 1) })],
  [
    'with a deadline 31 days and a second ahead',
    () => ({ deadline: BigInt(payments.chain.nowS + 31 * 86_400 + 1) }),
  ],
  ['with the greatest deadline', () => ({ deadline: 2n ** 64n - 1n })],
  ['with a total that is one too small', ({ merchantAmount }) => ({ merchantAmount: merchantAmount + 1n })],
  ['with a total that is one too large', ({ merchantAmount }) => ({ merchantAmount: merchantAmount - 1n })],
  ['without an amount for the merchant', ({ amountIn }) => ({ merchantAmount: 0n, feeAmount: amountIn })],
  [
    'with amounts that need more than 120 bits in total',
    () => ({ merchantAmount: 2n ** 120n - 1n, feeAmount: 100_000_001n }),
  ],
  [`with ${own} as the merchant`, () => ({ merchant: raw(payments.chain.payment) })],
  [`with ${own} as the fee receiver`, () => ({ feeReceiver: raw(payments.chain.payment) })],
  ['with the zero address as the merchant', () => ({ merchant: `0:${'0'.repeat(64)}` })],
  ['with the zero address as the fee receiver', () => ({ feeReceiver: `0:${'0'.repeat(64)}` })],
  ['with a merchant in the masterchain', ({ merchant }) => ({ merchant: `-1${merchant.slice(1)}` })],
  ['with a fee receiver in the masterchain', ({ merchant }) => ({ feeReceiver: `-1${merchant.slice(1)}` })],
  ['with a fee and no fee receiver', () => ({ feeReceiver: null })],
  ['in the native coin', () => ({ jetton: null })],
  ['in another jetton', () => ({ jetton: payments.reference.facts })],
  [
    'with another code of the wallet',
    ({ jetton }) => ({ jetton: { ...jetton!, walletCodeHash: '11'.repeat(32) } }),
  ],
  [
    'with another depth of the code',
    ({ jetton }) => ({ jetton: { ...jetton!, walletCodeDepth: 65_535, hasCodeRef: true } }),
  ],
  ['with another layout of the wallet', ({ jetton }) => ({ jetton: { ...jetton!, leadingZeroBits: 4 } })],
  [
    'with a layout that is too large for a cell',
    ({ jetton }) => ({ jetton: { ...jetton!, leadingZeroBits: 255, hasCodeRef: true } }),
  ],
];

describe('Jettons for an order that cannot be paid', () => {
  it.each(rejectedTerms)('return to the sender for an order %s', async (_name, terms) => {
    const valid = orderFor(payments);
    const order = { ...valid, ...terms(valid) };

    const { gained, records } = await pay(order, { amount: valid.amountIn });

    expect(gained).toEqual({});
    expect(records).toEqual([]);
    expect(await isDeployed(order)).toBe(false);
  });

  it.each([-1n, 1n])('return to the sender when the amount differs by %s', async (difference) => {
    const order = orderFor(payments);

    const { gained } = await pay(order, { amount: order.amountIn + difference });

    expect(gained).toEqual({});
    expect(await isDeployed(order)).toBe(false);
  });

  it('return to the sender one second after the deadline, and pay in the second of the deadline', async () => {
    const order = orderFor(payments, { deadline: BigInt(payments.chain.nowS) });
    expect((await pay(order)).gained).toEqual(paid);

    const late = orderFor(payments, { deadline: BigInt(payments.chain.nowS) });
    payments.chain.pass(1);
    expect((await pay(late)).gained).toEqual({});
  });

  it('pay for a deadline 31 days ahead', async () => {
    const order = orderFor(payments, { deadline: BigInt(payments.chain.nowS + 31 * 86_400) });

    expect((await pay(order)).gained).toEqual(paid);
  });

  it('return to the sender when an imitated jetton pays, and the order can still be paid', async () => {
    const order = orderFor(payments);

    const imitation = await pay(order, { jetton: payments.reference });
    expect(imitation.gained).toEqual({});
    expect(await payments.reference.balanceOf(payments.payer.address)).toBe(
      (await payments.reference.balanceOf(payments.other.address)) - 100_000_000n,
    );
    expect(await isDeployed(order)).toBe(false);

    expect((await pay(order)).gained).toEqual(paid);
  });
});

/** Malformed orders, most of them one step away from a valid order. */
async function malformedOrders(): Promise<[string, Cell][]> {
  const valid = await encodeTonOrder(orderFor(payments));
  const slice = () => valid.beginParse();
  const withRef = (index: number, ref: Cell): Cell => {
    const refs = valid.refs.map((it, at) => (at === index ? ref : it));
    return refs.reduce((builder, it) => builder.storeRef(it), beginCell().storeBits(valid.bits)).endCell();
  };
  const symbol = (bits: number): Cell => beginCell().storeUint(0, bits).endCell();
  const rest = slice();
  const [id, deadline, amountIn] = [rest.loadUintBig(128), rest.loadUintBig(64), rest.loadCoins()];
  const padded = beginCell()
    .storeUint(id, 128)
    .storeUint(deadline, 64)
    .storeUint(5, 4)
    .storeUint(amountIn, 40);
  return [
    ['an empty cell', Cell.EMPTY],
    ['an order with one bit more', beginCell().storeSlice(slice()).storeBit(false).endCell()],
    ['an order without its jetton', beginCell().storeBits(valid.bits).storeRef(valid.refs[0]!).endCell()],
    ['an amount with a leading zero byte', padded.storeSlice(rest).endCell()],
    ['a symbol that ends within a byte', withRef(0, symbol(7))],
    ['a symbol with a reference', withRef(1, beginCell().storeRef(Cell.EMPTY).endCell())],
    [
      'receivers with one bit more',
      withRef(2, beginCell().storeSlice(valid.refs[2]!.beginParse()).storeBit(true).endCell()),
    ],
    [
      'a jetton with one bit more',
      withRef(3, beginCell().storeSlice(valid.refs[3]!.beginParse()).storeBit(true).endCell()),
    ],
    ['receivers without a merchant', withRef(2, beginCell().storeUint(0, 4).endCell())],
    ['a library cell', beginCell().storeUint(2, 8).storeBuffer(valid.hash()).endCell({ exotic: true })],
    [
      'an order of 100 cells',
      Array.from({ length: 100 }).reduce<Cell>(
        (next) => beginCell().storeUint(0, 1000).storeRef(next).endCell(),
        valid,
      ),
    ],
  ];
}

describe('Jettons with a payload that is not an order', () => {
  it('return to the sender for every malformed order', async () => {
    for (const [name, cell] of await malformedOrders()) {
      const { gained, records } = await pay(cell, { amount: 100_000_000n });

      expect([name, gained, records]).toEqual([name, {}, []]);
    }
  });

  it('return to the sender for an order that is truncated at any length', async () => {
    const valid = await encodeTonOrder(orderFor(payments));
    const before = await jettonBalances(payments);

    for (let bits = 0; bits < valid.bits.length; bits += 37) {
      const cut = beginCell().storeBits(valid.bits.substring(0, bits));
      for (const ref of valid.refs) cut.storeRef(ref);
      await sendJettons(payments, cut.endCell());
    }

    expect(gains(before, await jettonBalances(payments))).toEqual({});
  });

  it.each([
    ['no payload', beginCell().storeBit(false).endCell()],
    ['a comment', beginCell().storeBit(false).storeUint(0, 32).storeStringTail('order 1').endCell()],
    ['an inline payload', beginCell().storeBit(false).storeUint(5, 7).endCell()],
  ])('return to the sender with %s', async (_name, payload) => {
    const { gained } = await pay(Cell.EMPTY, { payload });

    expect(gained).toEqual({});
  });

  it('return to the sender when additional data follow the order', async () => {
    const order = await encodeTonOrder(orderFor(payments));
    const { gained, transactions } = await pay(order, {
      jetton: payments.reference,
      payload: beginCell().storeBit(true).storeRef(order).storeUint(1, 1).endCell(),
    });

    expect(gained).toEqual({});
    expect(
      valuesSent(
        transactions,
        payments.chain.payment,
        await payments.reference.walletOf(payments.chain.payment),
      ),
    ).toHaveLength(1);
  });
});

describe('Funds of the tests', () => {
  it('stay the same: all payments together create and destroy no jettons', async () => {
    for (const jetton of [payments.usdt, payments.reference]) {
      const { payer, other, merchant, feeReceiver, contract } = await jettonBalances(
        payments,
        undefined,
        jetton,
      );

      expect(payer + other + merchant + feeReceiver).toBe(2n * fundsAtomic);
      expect(contract).toBe(0n);
    }
    expect(await tonPayAddress()).toBe(raw(payments.chain.payment));
  });
});
