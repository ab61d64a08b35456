import { closeRecordInstruction } from './instructions';
import { recordAddress, type SolanaPaymentOrder } from './order';
import { recordBytes } from './record';
import { keyOf, startSeconds, programAddress } from './testing/local-cluster';
import {
  feeReceiver,
  merchantAddress,
  nativeOrder,
  payerAddress,
  PaymentCluster,
  tokenOrder,
  transactionFee,
} from './testing/payments';

const day = 86_400n;

/** A pseudo-random generator. The same seed produces the same numbers in each run. */
function randomOf(seed: number) {
  let state = seed;
  return (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

describe('Random payments, repetitions and closings', () => {
  it.each([1, 2, 3])('conserve tokens and lamports, and pay each order at most once (seed %d)', (seed) => {
    const random = randomOf(seed);
    const cluster = PaymentCluster.create();
    const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, it) => sum + it, 0n);
    const parties = [payerAddress, merchantAddress, feeReceiver];
    const tokens = () => sumOf(parties.map((it) => cluster.tokens(it)));
    const start = {
      tokens: tokens(),
      lamports: sumOf(parties.map((it) => cluster.lamports(it))),
      program: cluster.lamports(programAddress),
    };
    const orders: { order: SolanaPaymentOrder; isPaid: boolean; isClosed: boolean }[] = [];
    const expected = { merchant: 0n, fee: 0n, transactions: 0n };
    let now = startSeconds;

    for (let step = 0; step < 80; step++) {
      now += BigInt(random(600));
      cluster.setTime(now);
      if (random(12) === 0) cluster.setTime((now += day + 2_000n));
      const known = orders[random(orders.length + 3)] ?? newOrder(random, step, now);
      if (!orders.includes(known)) orders.push(known);
      expected.transactions++;
      if (random(4) === 0) {
        const close = closeRecordInstruction(
          programAddress,
          recordAddress(programAddress, known.order),
          payerAddress,
        );
        const isClosable = known.isPaid && !known.isClosed && now > known.order.deadline + day;
        expect([step, cluster.send([close], keyOf('payer')).error === undefined]).toEqual([step, isClosable]);
        known.isClosed ||= isClosable;
        continue;
      }
      const isPayable = !known.isPaid && now <= known.order.deadline;
      expect([step, cluster.pay(known.order).error === undefined]).toEqual([step, isPayable]);
      if (!isPayable) continue;
      known.isPaid = true;
      if (known.order.token_in === 'SOL') continue;
      expected.merchant += known.order.merchant_amount;
      expected.fee += known.order.fee_amount;
    }

    const open = BigInt(orders.filter(({ isPaid, isClosed }) => isPaid && !isClosed).length);
    const lamports = sumOf(parties.map((it) => cluster.lamports(it)));
    const inRecords = open * cluster.rent(recordBytes);
    expect(lamports).toBe(start.lamports - inRecords - expected.transactions * transactionFee);
    expect(tokens()).toBe(start.tokens);
    expect([cluster.tokens(merchantAddress), cluster.tokens(feeReceiver)]).toEqual([
      expected.merchant,
      expected.fee,
    ]);
    expect(orders.filter(({ isPaid }) => isPaid).length).toBeGreaterThan(10);
    expect(orders.filter(({ isClosed }) => isClosed).length).toBeGreaterThan(0);
    expect(cluster.lamports(programAddress)).toBe(start.program);
  });
});

function newOrder(random: (limit: number) => number, step: number, now: bigint) {
  const merchant_amount = BigInt(1 + random(1_000_000));
  const fee_amount = BigInt(random(3) * random(1_000));
  const order_id = `018f3b2c-7d4e-7a11-9c55-${step.toString(16).padStart(12, '0')}`;
  const terms = { order_id, merchant_amount, fee_amount, amount_in: merchant_amount + fee_amount };
  const deadline = now + BigInt(random(2_000));
  const order = random(2) === 0 ? tokenOrder({ ...terms, deadline }) : nativeOrder({ ...terms, deadline });
  return { order, isPaid: false, isClosed: false };
}
