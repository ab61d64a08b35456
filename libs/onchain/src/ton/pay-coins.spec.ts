import { Address, beginCell, Cell } from '@ton/core';
import { encodeTonOrder, hashTonOrder, type TonOrder } from './order';
import { tonCoinPayment, tonPayOps, tonReturnReason } from './pay';
import {
  coinOrderFor,
  recordsIn,
  sendCoins,
  settlementOf,
  startTonPayments,
  type CoinSending,
  type TonPayments,
} from './testing/payments';
import { raw, valuesSent, type Transactions } from './testing/ton-chain';

let payments: TonPayments;

beforeAll(async () => {
  payments = await startTonPayments();
});

// Maximum cost of a rejected payment.
const feesNano = 30_000_000n;

async function pay(order: TonOrder | Cell, sending: CoinSending = {}) {
  const { from = payments.payer } = sending;
  const before = await payments.chain.coins(payments.chain.payment);
  const { transactions } = await sendCoins(payments, order, sending);
  const settlement = order instanceof Cell ? payments.merchant.address : await settlementOf(order);
  const sent = (to: Address): bigint[] => valuesSent(transactions, settlement, to);
  return {
    transactions,
    merchant: sent(payments.merchant.address),
    feeReceiver: sent(payments.feeReceiver.address),
    returned: [...valuesSent(transactions, payments.chain.payment, from.address), ...sent(from.address)],
    reason: reasonIn(transactions),
    records: await recordsIn(payments, transactions),
    kept: (await payments.chain.coins(payments.chain.payment)) - before,
  };
}

function reasonIn(transactions: Transactions): string | undefined {
  return transactions
    .map(({ inMessage }) => tonReturnReason(inMessage!.body))
    .find((reason) => reason !== undefined);
}

/** Expects that the payment is returned for this reason, and that no other account received anything. */
async function expectReturned(
  order: TonOrder | Cell,
  reason: string,
  sending: CoinSending = {},
): Promise<void> {
  const value = sending.value ?? (order instanceof Cell ? 10_120_000_000n : order.amountIn + 120_000_000n);
  const result = await pay(order, sending);

  expect(result).toMatchObject({ merchant: [], feeReceiver: [], records: [], reason });
  expect(result.returned).toHaveLength(1);
  expect(result.returned[0]).toBeGreaterThan(value - feesNano);
  expect(result.kept).toBe(0n);
}

describe('Payment of an order in the native coin', () => {
  it('transfers the exact amounts to merchant and fee receiver, records the order and returns the rest', async () => {
    const order = coinOrderFor(payments);

    const { merchant, feeReceiver, returned, records, kept } = await pay(order, {
      value: order.amountIn + 5_000_000_000n,
    });

    expect([merchant, feeReceiver]).toEqual([[9_700_000_001n], [299_999_999n]]);
    expect(returned[0]).toBeGreaterThan(5_000_000_000n - feesNano);
    const orderHash = await hashTonOrder(order);
    expect(records).toMatchObject([{ orderHash, payer: raw(payments.payer.address), order }]);
    expect(kept).toBe(0n);
    expect(await payments.chain.coins(await settlementOf(order))).toBe(0n);
  });

  it('accepts the message that the library builds', async () => {
    const order = coinOrderFor(payments);
    const { to, valueNano, body } = await tonCoinPayment(order);

    const { transactions } = await payments.payer.send({ to: Address.parseRaw(to), value: valueNano, body });

    expect(await recordsIn(payments, transactions)).toHaveLength(1);
  });

  it('needs no fee receiver if the fee is zero', async () => {
    const { merchant, feeReceiver } = await pay(coinOrderFor(payments, { feeAmount: 0n, feeReceiver: null }));

    expect([merchant, feeReceiver]).toEqual([[9_700_000_001n], []]);
  });

  it('reaches accounts that do not exist yet, and contracts that throw', async () => {
    const fresh = new Address(0, Buffer.alloc(32, 7));
    // SETCP0, then an exception.
    const code = beginCell().storeUint(0xff00f2ff, 32).endCell();
    const throwing = await payments.chain.deploy({ code, data: Cell.EMPTY }, 1_000_000_000n);
    const before = await payments.chain.coins(throwing);

    const { records } = await pay(
      coinOrderFor(payments, { merchant: raw(fresh), feeReceiver: raw(throwing) }),
    );

    expect(records).toHaveLength(1);
    expect(await payments.chain.coins(fresh)).toBe(9_700_000_001n);
    // The contract pays for the gas of its own exception.
    expect(await payments.chain.coins(throwing)).toBeGreaterThan(before + 299_999_999n - 1_000_000n);
  });

  it('pays whether or not the payer’s message bounces', async () => {
    const { records } = await pay(coinOrderFor(payments), { bounce: false });

    expect(records).toHaveLength(1);
  });
});

describe('Coins that cannot pay an order', () => {
  it.each(['payer', 'other'] as const)('return to the %s after a second payment', async (name) => {
    const order = coinOrderFor(payments);
    await pay(order);

    await expectReturned(order, 'already_paid', { from: payments[name] });
  });

  const cases: [string, string, (order: TonOrder) => Partial<TonOrder>][] = [
    ['that is one second late', 'expired', () => ({ deadline: BigInt(payments.chain.nowS - 1) })],
    [
      'with a deadline that is too far',
      'deadline_too_far',
      () => ({ deadline: BigInt(payments.chain.nowS + 31 * 86_400 + 1) }),
    ],
    ['with amounts that do not add up', 'amounts_do_not_add_up', () => ({ merchantAmount: 1n })],
    [
      'without an amount for the merchant',
      'zero_merchant_amount',
      ({ amountIn }) => ({ merchantAmount: 0n, feeAmount: amountIn }),
    ],
    [
      'with the contract as the merchant',
      'invalid_receiver',
      () => ({ merchant: raw(payments.chain.payment) }),
    ],
    [
      'with the contract as the fee receiver',
      'invalid_receiver',
      () => ({ feeReceiver: raw(payments.chain.payment) }),
    ],
    [
      'with a merchant in the masterchain',
      'invalid_receiver',
      ({ merchant }) => ({ merchant: `-1${merchant.slice(1)}` }),
    ],
    ['with a fee and no receiver', 'invalid_receiver', () => ({ feeReceiver: null })],
    ['in jettons', 'wrong_token', () => ({ jetton: payments.usdt.facts })],
  ];
  it.each(cases)('return to the sender for an order %s: %s', async (_name, reason, terms) => {
    const valid = coinOrderFor(payments);
    const value = valid.amountIn + 120_000_000n;

    await expectReturned({ ...valid, ...terms(valid) }, reason, { value });
  });

  it('return to the sender for the largest amounts', async () => {
    const most = 2n ** 120n - 1n;
    const order = coinOrderFor(payments, { merchantAmount: most, feeAmount: 0n });
    await expectReturned(order, 'not_enough_coins', { value: 1_000_000_000n });

    const overflow = { ...order, feeAmount: most, amountIn: most - 1n };
    await expectReturned(overflow, 'amounts_do_not_add_up', { value: 1_000_000_000n });
  });

  it('return to the sender one nanoton below the required amount, and pay with exactly that amount', async () => {
    const stack = await payments.chain.ask(payments.chain.payment, 'get_required_coins');
    stack.skip(1);
    const required = stack.readBigNumber();
    const order = coinOrderFor(payments);
    await expectReturned(order, 'not_enough_coins', { value: order.amountIn + required - 1n });

    const { merchant, records } = await pay(order, { value: order.amountIn + required });
    expect([merchant, records.length]).toEqual([[9_700_000_001n], 1]);
  });

  it('return to the sender with a malformed order', async () => {
    const valid = await encodeTonOrder(coinOrderFor(payments));
    for (let bits = 0; bits < valid.bits.length; bits += 97) {
      const cut = beginCell().storeBits(valid.bits.substring(0, bits));
      for (const ref of valid.refs) cut.storeRef(ref);
      await expectReturned(cut.endCell(), 'malformed');
    }
    await expectReturned(beginCell().storeSlice(valid.beginParse()).storeBit(true).endCell(), 'malformed');
  });

  it('bounce with a message that is truncated at any length', async () => {
    const order = await encodeTonOrder(coinOrderFor(payments));
    const whole = beginCell().storeUint(tonPayOps.payOrder, 32).storeUint(7, 64).storeRef(order).endCell();
    for (let bits = 0; bits < 96; bits += 5) {
      const body = beginCell().storeBits(whole.bits.substring(0, bits)).storeRef(order).endCell();
      const { transactions } = await payments.payer.send({
        to: payments.chain.payment,
        value: 1_000_000_000n,
        body,
      });

      expect(valuesSent(transactions, payments.chain.payment, payments.payer.address)[0]).toBeGreaterThan(
        970_000_000n,
      );
    }
  });
});

describe('Coins of the payment contract', () => {
  it('equal only its rent after all these payments', async () => {
    expect(await payments.chain.coins(payments.chain.payment)).toBeLessThanOrEqual(100_000_000n);
    expect(await payments.chain.coins(payments.chain.payment)).toBeGreaterThan(99_000_000n);
  });
});
