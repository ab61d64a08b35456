import { beginCell, Cell, type Address } from '@ton/core';
import { encodeTonOrder, hashTonOrder, type TonOrder } from './order';
import { tonPayOps, tonSettlementStateInit, tonSweep, tonTransferId } from './pay';
import { Interleaving } from './testing/interleaving';
import {
  coinOrderFor,
  gains,
  jettonBalances,
  orderFor,
  recordsIn,
  sendCoins,
  sendJettons,
  settlementOf,
  startTonPayments,
  type TonPayments,
} from './testing/payments';
import { raw, valuesSent, type Account, type Transactions } from './testing/ton-chain';

let payments: TonPayments;
let locked: Account;
const paid = { payer: -100_000_000n, merchant: 97_000_001n, feeReceiver: 2_999_999n };
const dayS = 86_400;
const nano = 500_000_000n;
const excessesOp = 0xd53276db;

beforeAll(async () => {
  payments = await startTonPayments();
  locked = await payments.chain.account('locked merchant');
  await payments.usdt.mint(locked.address, 1n);
});

const head = (op: number) => beginCell().storeUint(op, 32).storeUint(7, 64);

const claimBody = async (order: TonOrder): Promise<Cell> =>
  head(tonPayOps.claim)
    .storeUint(1, 64)
    .storeAddress(payments.other.address)
    .storeRef(await encodeTonOrder(order))
    .endCell();

const recordBody = async (order: TonOrder): Promise<Cell> =>
  head(tonPayOps.orderPaid)
    .storeAddress(payments.other.address)
    .storeRef(await encodeTonOrder(order))
    .endCell();

/** The notification that a jetton wallet sends to its owner, here from another sender. */
function notification(amount: bigint, from: Address, payload: Cell): Cell {
  return head(0x7362d09c).storeCoins(amount).storeAddress(from).storeMaybeRef(payload).endCell();
}

const excesses = async (order: TonOrder): Promise<Cell> =>
  beginCell()
    .storeUint(excessesOp, 32)
    .storeUint(tonTransferId(await hashTonOrder(order)), 64)
    .endCell();

const send = (to: Address, body: Cell, value = nano): Promise<{ transactions: Transactions }> =>
  payments.other.send({ to, value, body });

async function gainedBy(order: TonOrder, act: () => Promise<unknown>) {
  const before = await jettonBalances(payments, order);
  await act();
  return gains(before, await jettonBalances(payments, order));
}

/** Expects that the order can still be paid normally. */
async function expectPayable(order: TonOrder): Promise<void> {
  expect(await gainedBy(order, () => sendJettons(payments, order))).toEqual(paid);
}

describe('Messages of third parties to the payment contract', () => {
  it('cannot forge a notification of jettons: the order is neither paid nor blocked', async () => {
    const order = orderFor(payments);
    const forged = notification(order.amountIn, payments.other.address, await encodeTonOrder(order));

    const gained = await gainedBy(order, () => send(payments.chain.payment, forged));

    expect(gained).toEqual({});
    await expectPayable(order);
  });

  it('cannot forge a record', async () => {
    const order = orderFor(payments);
    const { transactions } = await send(payments.chain.payment, await recordBody(order));

    expect(transactions.at(1)?.description).toMatchObject({ aborted: true });
    expect(await recordsIn(payments, transactions)).toEqual([]);
  });

  it('bounce, so that coins sent by mistake are returned', async () => {
    for (const body of [
      Cell.EMPTY,
      beginCell().storeUint(0, 32).storeStringTail('hi').endCell(),
      head(excessesOp).endCell(),
    ]) {
      const before = await payments.chain.coins(payments.chain.payment);
      const { transactions } = await send(payments.chain.payment, body);

      expect(valuesSent(transactions, payments.chain.payment, payments.other.address)[0]).toBeGreaterThan(
        nano - 5_000_000n,
      );
      expect(await payments.chain.coins(payments.chain.payment)).toBe(before);
    }
  });

  it('cannot withdraw its coins, and can only add to them', async () => {
    const before = await payments.chain.coins(payments.chain.payment);
    await send(payments.chain.payment, head(0xd372158c).endCell());

    expect(await payments.chain.coins(payments.chain.payment)).toBeGreaterThan(before + nano - 5_000_000n);
  });
});

describe('Messages of third parties to the contract of an order', () => {
  const deployed = async (): Promise<[TonOrder, Address]> => {
    const order = orderFor(payments);
    const init = await tonSettlementStateInit(await hashTonOrder(order));
    const harmless = notification(1n, payments.other.address, Cell.EMPTY);
    const settlement = await payments.chain.deploy(init, nano, harmless);
    expect(await payments.chain.isActive(settlement)).toBe(true);
    return [order, settlement];
  };

  it('can deploy it in advance, and the order can still be paid', async () => {
    const [order] = await deployed();

    await expectPayable(order);
  });

  it('cannot forge a claim', async () => {
    const [order, settlement] = await deployed();

    const { transactions } = await send(settlement, await claimBody(order));

    expect(transactions.at(1)?.description).toMatchObject({ aborted: true, computePhase: { exitCode: 401 } });
    await expectPayable(order);
  });

  it('cannot forge a claim that includes the code', async () => {
    const order = orderFor(payments);
    const init = await tonSettlementStateInit(await hashTonOrder(order));
    const settlement = await payments.chain.deploy(init, nano, await claimBody(order));

    expect((await payments.chain.dataOf(settlement))?.hash()).toEqual(init.data.hash());
    await expectPayable(order);
  });

  it('cannot forge a notification for “the payment contract”: the order is not paid', async () => {
    const [order, settlement] = await deployed();
    const payload = beginCell().storeUint(1, 64).storeAddress(payments.other.address).endCell();
    const forged = notification(order.amountIn, payments.chain.payment, payload);

    expect(await gainedBy(order, () => send(settlement, forged))).toEqual({});
    await expectPayable(order);
  });

  it('cannot confirm or sweep before a payment', async () => {
    const [order, settlement] = await deployed();
    const { body } = await tonSweep(await hashTonOrder(order), { wallet: null, amount: 0n });

    for (const message of [await excesses(order), body]) {
      const { transactions } = await send(settlement, message);
      expect(transactions.at(1)?.description).toMatchObject({
        aborted: true,
        computePhase: { exitCode: 401 },
      });
    }
    await expectPayable(order);
  });

  it('bounce when they are unknown', async () => {
    const [, settlement] = await deployed();

    const { transactions } = await send(settlement, head(0x12345678).endCell());

    expect(transactions.at(1)?.description).toMatchObject({
      aborted: true,
      computePhase: { exitCode: 0xffff },
    });
  });

  it('return jettons that were sent to it directly, before and after the payment', async () => {
    const [order, settlement] = await deployed();
    const { other, usdt } = payments;
    const direct = async (): Promise<void> => {
      const body = head(0x0f8a7ea5)
        .storeCoins(order.amountIn)
        .storeAddress(settlement)
        .storeAddress(other.address)
        .storeBit(false)
        .storeCoins(200_000_000n)
        .storeMaybeRef(await encodeTonOrder(order));
      await other.send({ to: await usdt.walletOf(other.address), value: nano, body: body.endCell() });
    };

    expect(await gainedBy(order, direct)).toEqual({});
    await expectPayable(order);
    expect(await gainedBy(order, direct)).toEqual({});
  });
});

/**
 * Transfers the smallest amount. The merchant's wallet then sends the message that confirms a payment to the order's
 * contract.
 */
async function imitatedConfirmation(order: TonOrder, to: Account): Promise<Cell> {
  return beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(tonTransferId(await hashTonOrder(order)), 64)
    .storeCoins(1n)
    .storeAddress(to.address)
    .storeAddress(await settlementOf(order))
    .storeBit(false)
    .storeCoins(0n)
    .storeBit(false)
    .endCell();
}

describe('Imitated confirmations', () => {
  // Enough for the merchant's wallet, then also for the record, then also for the fee.
  it.each([40_000_000n, 60_000_000n, 80_000_000n, 120_000_000n])(
    'do not evade the fee with %s nanotons, whenever they arrive',
    async (value) => {
      for (let position = 5; position < 16; position++) {
        const order = orderFor(payments);
        const before = await jettonBalances(payments, order);
        const run = new Interleaving(payments.chain.blockchain);
        run.start(payments.payer, await paymentMessage(order));
        await run.step(position);
        run.start(
          payments.other,
          {
            to: await payments.usdt.walletOf(payments.other.address),
            value,
            body: await imitatedConfirmation(order, payments.merchant),
          },
          true,
        );
        const transactions = await run.finish();

        const gained = gains(before, await jettonBalances(payments, order));
        expect([position, gained]).toEqual([position, { ...paid, other: -1n, merchant: paid.merchant + 1n }]);
        expect(await recordsIn(payments, transactions)).toHaveLength(1);
      }
    },
  );
});

async function paymentMessage(order: TonOrder): Promise<{ to: Address; value: bigint; body: Cell }> {
  const { payer, usdt, chain } = payments;
  const body = head(0x0f8a7ea5)
    .storeCoins(order.amountIn)
    .storeAddress(chain.payment)
    .storeAddress(payer.address)
    .storeBit(false)
    .storeCoins(300_000_000n)
    .storeMaybeRef(await encodeTonOrder(order));
  return { to: await usdt.walletOf(payer.address), value: 400_000_000n, body: body.endCell() };
}

async function sweep(order: TonOrder, wallet: Address | null, amount: bigint): Promise<Transactions> {
  const { body } = await tonSweep(await hashTonOrder(order), { wallet: wallet && raw(wallet), amount });
  return (await send(await settlementOf(order), body)).transactions;
}

const walletOfSettlement = async (order: TonOrder): Promise<Address> =>
  payments.usdt.walletOf(await settlementOf(order));

describe('A merchant with a wallet that rejects jettons', () => {
  const rejectedPayment = async (): Promise<TonOrder> => {
    await payments.usdt.lock(locked.address, 2);
    const order = orderFor(payments, { merchant: raw(locked.address) });
    const { transactions } = await sendJettons(payments, order);
    expect(await recordsIn(payments, transactions)).toEqual([]);
    expect(await payments.usdt.balanceOf(await settlementOf(order))).toBe(order.amountIn);
    return order;
  };

  it('leaves everything including the fee to the payer after a day', async () => {
    const order = await rejectedPayment();
    const wallet = await walletOfSettlement(order);
    payments.chain.pass(dayS);
    expect(await gainedBy(order, () => sweep(order, wallet, order.amountIn))).toEqual({});

    payments.chain.pass(1);
    const gained = await gainedBy(order, () => sweep(order, wallet, order.amountIn));

    expect(gained).toEqual({ payer: order.amountIn, settlement: -order.amountIn });
  });

  it('cannot be paid by a second payment, which is returned', async () => {
    const order = await rejectedPayment();

    expect(await gainedBy(order, () => sendJettons(payments, order, { from: payments.other }))).toEqual({});
  });

  it('gets no record from a confirmation that arrives after a day', async () => {
    const order = await rejectedPayment();
    await payments.usdt.lock(locked.address, 0);
    payments.chain.pass(dayS + 1);
    const { other, usdt } = payments;
    const body = await imitatedConfirmation(order, locked);
    const { transactions } = await other.send({ to: await usdt.walletOf(other.address), value: nano, body });

    expect(await recordsIn(payments, transactions)).toEqual([]);
    const wallet = await walletOfSettlement(order);
    expect(await gainedBy(order, () => sweep(order, wallet, order.amountIn))).toMatchObject({
      payer: order.amountIn,
    });
  });

  it('sends a sweep of a third party to the payer, and a sweep through a foreign wallet nowhere', async () => {
    const order = await rejectedPayment();
    payments.chain.pass(dayS + 1);

    expect(await gainedBy(order, () => sweep(order, payments.merchant.address, order.amountIn))).toEqual({});
    const all = await walletOfSettlement(order);
    expect(await gainedBy(order, () => sweep(order, all, order.amountIn + 1n))).toEqual({});
    expect(await gainedBy(order, () => sweep(order, all, order.amountIn))).toMatchObject({
      payer: order.amountIn,
    });
  });
});

describe('Sweep of a paid order', () => {
  it('takes nothing from merchant or fee receiver, and sends stray funds to the payer', async () => {
    const order = orderFor(payments);
    await expectPayable(order);
    const settlement = await settlementOf(order);
    await payments.usdt.mint(settlement, 5n);
    await payments.chain.admin.send({ to: settlement, value: nano, bounce: false });
    payments.chain.pass(dayS + 1);

    const wallet = await walletOfSettlement(order);
    expect(await gainedBy(order, () => sweep(order, wallet, 6n))).toEqual({});
    expect(await gainedBy(order, () => sweep(order, wallet, 5n))).toEqual({ payer: 5n, settlement: -5n });
    const transactions = await sweep(order, null, 0n);
    expect(valuesSent(transactions, settlement, payments.payer.address)[0]).toBeGreaterThan(nano);
    expect(await payments.chain.coins(settlement)).toBe(0n);
  });

  it('cannot take the paid coins of an order in coins', async () => {
    const order = coinOrderFor(payments);
    await sendCoins(payments, order);
    payments.chain.pass(dayS + 1);

    const transactions = await sweep(order, null, 0n);

    const returned = valuesSent(transactions, await settlementOf(order), payments.payer.address);
    expect(returned).toHaveLength(1);
    expect(returned[0]).toBeLessThan(nano);
  });
});

describe('Order of messages', () => {
  it('does not affect the funds: the payer can sweep jettons that overtake their claim', async () => {
    const order = orderFor(payments);
    const run = new Interleaving(payments.chain.blockchain);
    const settlement = await settlementOf(order);
    run.delay(({ src, dest }) => src.equals(payments.chain.payment) && dest.equals(settlement));
    run.start(payments.payer, await paymentMessage(order));
    await run.finish();

    expect(await payments.usdt.balanceOf(settlement)).toBe(order.amountIn);
    payments.chain.pass(dayS + 1);
    const wallet = await walletOfSettlement(order);
    expect(await gainedBy(order, () => sweep(order, wallet, order.amountIn))).toMatchObject({
      payer: order.amountIn,
    });
  });

  it('does not affect two payments: every interleaving pays once and returns the other payment', async () => {
    for (let position = 0; position < 18; position++) {
      const order = orderFor(payments);
      const before = await jettonBalances(payments, order);
      const run = new Interleaving(payments.chain.blockchain);
      run.start(payments.payer, await paymentMessage(order));
      await run.step(position);
      const second = {
        ...(await paymentMessage(order)),
        to: await payments.usdt.walletOf(payments.other.address),
      };
      run.start(payments.other, second);
      const transactions = await run.finish();

      const gained = gains(before, await jettonBalances(payments, order));
      expect([position, gained]).toEqual([position, paid]);
      expect(await recordsIn(payments, transactions)).toHaveLength(1);
    }
  });
});
