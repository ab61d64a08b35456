import { beginCell, storeMessage, type Address, type Cell, type Message } from '@ton/core';
import type { TonOrder } from './order';
import { tonCoinPaymentNano, tonJettonForwardNano } from './pay';
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
import { raw, type Transactions } from './testing/ton-chain';

let payments: TonPayments;
let requiredJettonNano: bigint;
let requiredCoinNano: bigint;

beforeAll(async () => {
  payments = await startTonPayments();
  const stack = await payments.chain.ask(payments.chain.payment, 'get_required_coins');
  [requiredJettonNano, requiredCoinNano] = [stack.readBigNumber(), stack.readBigNumber()];
});

/** The order with the largest messages and gas: long symbols, large amounts, and the wallet's code in its data. */
const largestOrder = (terms: Partial<TonOrder> = {}): TonOrder =>
  orderFor(payments, { tokenIn: 'a'.repeat(127), tokenOut: 'b'.repeat(127), ...terms });

const transactionsOf = (transactions: Transactions, account: Address): Transactions =>
  transactions.filter(({ inMessage }) => inMessage?.info.dest?.toString() === account.toString());

function gasUsed({ description }: Transactions[number]): number {
  if (description.type !== 'generic' || description.computePhase.type !== 'vm') return 0;
  return Number(description.computePhase.gasUsed);
}

/** The bits and cells that the network charges for: all distinct cells except the root cell of the message. */
function sizeOf(message: Message): { bits: number; cells: number } {
  const seen = new Map<string, number>();
  const visit = (cell: Cell): void => {
    seen.set(cell.hash().toString('hex'), cell.bits.length);
    cell.refs.forEach(visit);
  };
  beginCell().store(storeMessage(message)).endCell().refs.forEach(visit);
  return { bits: [...seen.values()].reduce((sum, bits) => sum + bits, 0), cells: seen.size };
}

describe('Coins that a payment in jettons must include', () => {
  it.each(['usdt', 'reference'] as const)(
    'suffice exactly for the largest order, with new wallets (%s)',
    async (name) => {
      const jetton = payments[name];
      const merchant = raw((await payments.chain.account(`merchant without a ${name} wallet`)).address);
      const feeReceiver = raw(
        (await payments.chain.account(`fee receiver without a ${name} wallet`)).address,
      );
      const order = largestOrder({ jetton: jetton.facts, merchant, feeReceiver });

      const { transactions } = await sendJettons(payments, order, {
        jetton,
        forwardNano: requiredJettonNano,
      });

      expect(await recordsIn(payments, transactions)).toHaveLength(1);
      const after = await jettonBalances(payments, order, jetton);
      expect(after).toMatchObject({ contract: 0n, settlement: 0n });
      expect(
        transactions.filter(({ description }) => description.type === 'generic' && description.aborted),
      ).toEqual([]);
    },
  );

  it('stay below the amount that the library forwards', () => {
    expect(requiredJettonNano).toBeLessThan(tonJettonForwardNano);
    expect(requiredCoinNano).toBeLessThan(tonCoinPaymentNano);
  });

  it('cannot be lower: with one nanoton less, the jettons are returned', async () => {
    const order = orderFor(payments);
    const before = await jettonBalances(payments, order);

    await sendJettons(payments, order, { forwardNano: requiredJettonNano - 1n });

    expect(gains(before, await jettonBalances(payments, order))).toEqual({});
  });

  it('suffice for a payment contract without any coins', async () => {
    const order = orderFor(payments);
    const contract = await payments.chain.blockchain.getContract(payments.chain.payment);
    contract.balance = 0n;

    const { transactions } = await sendJettons(payments, order, { forwardNano: requiredJettonNano });

    expect(await recordsIn(payments, transactions)).toHaveLength(1);
    expect(await payments.chain.coins(payments.chain.payment)).toBeGreaterThan(0n);
  });

  it('can be as low as 0.06 TON for jettons that are only returned', async () => {
    const order = orderFor(payments);
    const before = await jettonBalances(payments, order);

    await sendJettons(payments, order, { forwardNano: 60_000_000n });

    expect(gains(before, await jettonBalances(payments, order))).toEqual({});
  });

  it('return to the payer when the contract’s own jetton wallet is locked, but the jettons stay there', async () => {
    const { usdt, chain, payer } = payments;
    const order = orderFor(payments);
    const [before, payerBefore, contractBefore] = [
      await jettonBalances(payments, order),
      await payer.getBalance(),
      await chain.coins(chain.payment),
    ];
    await usdt.lock(chain.payment, 1);
    const { transactions } = await sendJettons(payments, order);
    await usdt.lock(chain.payment, 0);

    expect(await recordsIn(payments, transactions)).toEqual([]);
    const gained = gains(before, await jettonBalances(payments, order));
    expect(gained).toEqual({ payer: -order.amountIn, contract: order.amountIn });
    expect(payerBefore - (await payer.getBalance())).toBeLessThan(110_000_000n);
    expect(await chain.coins(chain.payment)).toBeGreaterThanOrEqual(contractBefore);
  });

  it('return to the payer except for the costs, which are a third of them', async () => {
    const order = orderFor(payments);
    const before = await payments.payer.getBalance();

    await sendJettons(payments, order);

    const cost = before - (await payments.payer.getBalance());
    expect(cost).toBeLessThan(110_000_000n);
  });

  // The constants of ton/contracts/costs.tolk.
  it('allow for more gas and larger messages than any step uses', async () => {
    const order = largestOrder({ jetton: payments.reference.facts });

    const { transactions } = await sendJettons(payments, order, { jetton: payments.reference });

    const ofContract = transactionsOf(transactions, payments.chain.payment);
    const ofSettlement = transactionsOf(transactions, await settlementOf(order));
    const used = [...ofContract, ...ofSettlement].map(gasUsed);
    const allowed = [27_000, 7_000, 12_000, 16_000, 20_000];
    expect(used).toHaveLength(allowed.length);
    for (const [step, gas] of used.entries()) expect(gas).toBeLessThan(allowed[step]! * 0.9);
    const [claim, record] = [ofSettlement[0]!, ofContract[1]!].map(({ inMessage }) => sizeOf(inMessage!));
    expect(claim!.bits).toBeLessThan(17_200);
    expect(claim!.cells).toBeLessThan(39);
    expect(record!.bits).toBeLessThan(4_200);
    expect(record!.cells).toBeLessThanOrEqual(6);
  });

  it('allow for more gas than an order in coins uses', async () => {
    const order = coinOrderFor(payments, { tokenIn: 'a'.repeat(127), tokenOut: 'b'.repeat(127) });

    const { transactions } = await sendCoins(payments, order);

    const used = [payments.chain.payment, await settlementOf(order)]
      .flatMap((account) => transactionsOf(transactions, account))
      .map(gasUsed);
    const allowed = [27_000, 7_000, 12_000];
    expect(used).toHaveLength(allowed.length);
    for (const [step, gas] of used.entries()) expect(gas).toBeLessThan(allowed[step]! * 0.9);
  });
});

describe('Rent', () => {
  it('increases to the required rent with a payment after years', async () => {
    payments.chain.pass(3 * 365 * 86_400);
    expect(await payments.chain.coins(payments.chain.payment)).toBeLessThan(100_000_001n);

    const { transactions } = await sendCoins(payments, coinOrderFor(payments), {});

    expect(await recordsIn(payments, transactions)).toHaveLength(1);
    expect(await payments.chain.coins(payments.chain.payment)).toBe(50_000_000n);
  });

  it('keeps an order’s contract alive until its deadline', async () => {
    const order = orderFor(payments, { deadline: BigInt(payments.chain.nowS + 31 * 86_400) });
    await sendJettons(payments, order);
    payments.chain.pass(31 * 86_400);
    const before = await jettonBalances(payments, order);

    await sendJettons(payments, order, { from: payments.other });

    expect(gains(before, await jettonBalances(payments, order))).toEqual({});
  });
});
