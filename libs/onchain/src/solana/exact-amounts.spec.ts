import { createTokenAccountInstruction, payInstruction } from './instructions';
import { recordAddress } from './order';
import { tokenAccountAddress } from './program-address';
import { decodeRecord } from './record';
import { addressOf, keyOf, startSeconds, programAddress, sol } from './testing/local-cluster';
import {
  feeReceiver,
  merchantAddress,
  mintAddress,
  nativeOrder,
  payerAddress,
  PaymentCluster,
  tokenOrder,
  heldTokens,
  transactionFee,
} from './testing/payments';

const unit = 1_000_000n;
let cluster: PaymentCluster;
beforeEach(() => {
  cluster = PaymentCluster.create();
});

describe('A payment in a token', () => {
  const balances = () => [payerAddress, merchantAddress, feeReceiver].map((it) => cluster.tokens(it));

  it('transfers the exact amounts to the merchant and the fee receiver', () => {
    expect(cluster.pay(tokenOrder()).error).toBeUndefined();
    expect(balances()).toEqual([heldTokens - 100n * unit, 97n * unit, 3n * unit]);
  });

  it('costs its payer the transaction fee and the rent of the record', () => {
    const before = cluster.holdings();
    cluster.pay(tokenOrder());
    const rent = cluster.rent(56);
    expect(cluster.lamports(payerAddress)).toBe(
      before[`lamports of ${payerAddress}`]! - transactionFee - rent,
    );
    expect(cluster.lamports(recordAddress(programAddress, tokenOrder()))).toBe(rent);
  });

  it('adds to the balances of the receivers', () => {
    cluster.setTokens(merchantAddress, 5n);
    cluster.setTokens(feeReceiver, 7n);
    cluster.pay(tokenOrder());
    expect(balances()).toEqual([heldTokens - 100n * unit, 97n * unit + 5n, 3n * unit + 7n]);
  });

  it('transfers a single unit, and the whole balance of the payer', () => {
    const rest = heldTokens - 1n;
    const one = tokenOrder({ amount_in: 1n, merchant_amount: 1n, fee_amount: 0n });
    const all = tokenOrder({ amount_in: rest, merchant_amount: rest - 1n, fee_amount: 1n });
    expect([cluster.pay(one).error, cluster.pay(all).error]).toEqual([undefined, undefined]);
    expect(balances()).toEqual([0n, rest, 1n]);
  });

  it('transfers the largest amount that a token account can have', () => {
    const largest = 2n ** 64n - 1n;
    cluster.setTokens(payerAddress, largest);
    const order = tokenOrder({ amount_in: largest, merchant_amount: largest - 1n, fee_amount: 1n });
    expect(cluster.pay(order).error).toBeUndefined();
    expect(balances()).toEqual([0n, largest - 1n, 1n]);
  });

  it('fails as a whole when the balance does not cover the fee', () => {
    const order = tokenOrder({ amount_in: heldTokens + 1n, merchant_amount: heldTokens, fee_amount: 1n });
    const before = balances();
    expect(cluster.pay(order).error).toBe('program 1'); // token program: insufficient funds
    expect(balances()).toEqual(before);
    expect(cluster.isPaid(order)).toBe(false);
  });

  it('pays a merchant who is also the fee receiver in one transfer', () => {
    expect(cluster.pay(tokenOrder({ fee_receiver: merchantAddress })).error).toBeUndefined();
    expect(cluster.tokens(merchantAddress)).toBe(100n * unit);
  });

  it('needs no fee receiver if the fee is zero', () => {
    const order = tokenOrder({
      amount_in: 97n * unit,
      fee_amount: 0n,
      fee_receiver: '11111111111111111111111111111111',
    });
    expect(cluster.pay(order).error).toBeUndefined();
    expect(balances()).toEqual([heldTokens - 97n * unit, 97n * unit, 0n]);
  });

  it('creates the token account of a new merchant in the same transaction', () => {
    const merchant = addressOf('new merchant');
    const order = tokenOrder({ merchant });
    const instructions = [
      createTokenAccountInstruction(payerAddress, merchant, mintAddress),
      payInstruction(programAddress, order, payerAddress),
    ];
    expect(cluster.pay(order).error).toBe('WRONG_TOKEN_ACCOUNT');
    expect(cluster.send(instructions, keyOf('payer')).error).toBeUndefined();
    expect(cluster.tokens(merchant)).toBe(97n * unit);
  });

  it('pays from another token account that the payer owns', () => {
    const from = addressOf('second account of the payer');
    const { data, owner } = cluster.account(
      tokenAccountAddress(payerAddress, mintAddress, tokenProgramOf()),
    )!;
    cluster.setAccount(from, { data, owner });
    expect(cluster.pay(tokenOrder(), { from }).error).toBeUndefined();
    expect(cluster.tokens(payerAddress)).toBe(heldTokens);
  });

  it('pays several orders in one transaction', () => {
    const orders = [1n, 2n, 3n].map((deadline) => tokenOrder({ deadline: startSeconds + deadline }));
    const { error } = cluster.send(
      orders.map((order) => payInstruction(programAddress, order, payerAddress)),
      keyOf('payer'),
    );
    expect(error).toBeUndefined();
    expect(balances()).toEqual([heldTokens - 300n * unit, 291n * unit, 9n * unit]);
  });
});

describe('A payment in SOL', () => {
  const balances = () => [merchantAddress, feeReceiver].map((it) => cluster.lamports(it) - sol);

  it('transfers the exact amounts to the merchant and the fee receiver', () => {
    const before = cluster.lamports(payerAddress);
    expect(cluster.pay(nativeOrder()).error).toBeUndefined();
    expect(balances()).toEqual([970_000_000n, 30_000_000n]);
    expect(before - cluster.lamports(payerAddress)).toBe(sol + transactionFee + cluster.rent(56));
  });

  it('transfers a single lamport to a merchant with an existing wallet', () => {
    const order = nativeOrder({ amount_in: 1n, merchant_amount: 1n, fee_amount: 0n });
    expect(cluster.pay(order).error).toBeUndefined();
    expect(balances()).toEqual([1n, 0n]);
  });

  it('creates the wallet of a new merchant', () => {
    const merchant = addressOf('new merchant');
    expect(cluster.pay(nativeOrder({ merchant })).error).toBeUndefined();
    expect(cluster.lamports(merchant)).toBe(970_000_000n);
  });

  it('fails for a new wallet below the rent of an empty account', () => {
    const merchant = addressOf('new merchant');
    const amount = cluster.rent(0) - 1n;
    const order = nativeOrder({ merchant, amount_in: amount, merchant_amount: amount, fee_amount: 0n });
    expect(cluster.pay(order).error).toBe('TransactionErrorInsufficientFundsForRent');
    expect(cluster.lamports(merchant)).toBe(0n);
    expect(cluster.isPaid(order)).toBe(false);
  });

  it('fails as a whole when the payer cannot cover the fee', () => {
    const amount = cluster.lamports(payerAddress) - transactionFee - cluster.rent(56);
    const order = nativeOrder({ amount_in: amount + 1n, merchant_amount: amount, fee_amount: 1n });
    expect(cluster.pay(order).error).toBe('program 1'); // System program: insufficient funds
    expect(balances()).toEqual([0n, 0n]);
    expect(cluster.isPaid(order)).toBe(false);
  });

  it('transfers the whole balance of the payer', () => {
    const amount = cluster.lamports(payerAddress) - transactionFee - cluster.rent(56);
    const order = nativeOrder({ amount_in: amount, merchant_amount: amount - 2n, fee_amount: 2n });
    expect(cluster.pay(order).error).toBeUndefined();
    expect(cluster.lamports(payerAddress)).toBe(0n);
    expect(balances()).toEqual([amount - 2n, 2n]);
  });

  it('pays a merchant who is also the fee receiver', () => {
    expect(cluster.pay(nativeOrder({ fee_receiver: merchantAddress })).error).toBeUndefined();
    expect(balances()).toEqual([sol, 0n]);
  });
});

describe('The record of a payment', () => {
  it.each([
    ['token', tokenOrder()],
    ['SOL', nativeOrder()],
  ])('contains payer, deadline, time and slot of a payment in %s', (_name, order) => {
    cluster.setSlot(447_552_123n);
    cluster.setTime(startSeconds + 3n);
    cluster.pay(order);
    const record = cluster.account(recordAddress(programAddress, order))!;
    expect(record.owner).toBe(programAddress);
    expect(decodeRecord(record.data)).toEqual({
      payer: payerAddress,
      deadline: order.deadline,
      paidTime: startSeconds + 3n,
      paidSlot: 447_552_123n,
    });
  });

  it('costs the same rent before and after the cluster changes the format of its rent', () => {
    const rents = [
      [3480n, 2],
      [6960n, 1],
    ] as const;
    for (const [lamportsPerByte, threshold] of rents) {
      cluster.setRent(lamportsPerByte, threshold);
      const order = nativeOrder({ deadline: startSeconds + BigInt(threshold) });
      expect(cluster.pay(order).error).toBeUndefined();
      expect(cluster.lamports(recordAddress(programAddress, order))).toBe(184n * 6960n);
    }
  });

  it('costs less after the cluster lowers its rent', () => {
    cluster.setRent(348n, 1);
    expect(cluster.pay(nativeOrder()).error).toBeUndefined();
    expect(cluster.lamports(recordAddress(programAddress, nativeOrder()))).toBe(184n * 348n);
  });

  it('rejects a payment under an unsupported format of rent', () => {
    cluster.setRent(3480n, 1.5);
    expect(cluster.pay(nativeOrder()).error).toBe('UNKNOWN_RENT');
  });
});

function tokenProgramOf(): string {
  return cluster.account(mintAddress)!.owner;
}
