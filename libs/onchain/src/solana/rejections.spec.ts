import { closeRecordInstruction, payInstruction, type Instruction } from './instructions';
import { nativeCoin, splTokenProgram, systemProgram, token2022Program } from './keys';
import { recordAddress, type SolanaPaymentOrder } from './order';
import { tokenAccountAddress } from './program-address';
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
} from './testing/payments';

// Positions of the accounts of `pay`.
const [signer, recordAt, toMerchant, toFeeReceiver, system] = [0, 1, 2, 3, 4];
const [fromAt, merchantTokens, feeTokens, ofMint, tokenProgramAddress] = [5, 6, 7, 8, 9];

let cluster: PaymentCluster;
beforeEach(() => {
  cluster = PaymentCluster.create();
});

/** Sends the instruction and verifies that no balance has changed except by the transaction fee. */
function expectRejection(instruction: Instruction, error: string | undefined): void {
  const before = cluster.holdings();
  const fee = 5_000n;
  expect(cluster.send([instruction], keyOf('payer')).error).toBe(error);
  const payersLamports = `lamports of ${payerAddress}`;
  expect(cluster.holdings()).toEqual({ ...before, [payersLamports]: before[payersLamports]! - fee });
}
const expectUnpaid = (order: SolanaPaymentOrder, error: string) => {
  expectRejection(payInstruction(programAddress, order, payerAddress), error);
  expect(cluster.isPaid(order)).toBe(false);
};
/** The payment with another account at one position. */
function withAccount(order: SolanaPaymentOrder, place: number, address: string): Instruction {
  const instruction = payInstruction(programAddress, order, payerAddress);
  const accounts = instruction.accounts.map((it, index) => (index === place ? { ...it, address } : it));
  return { ...instruction, accounts };
}

describe.each([
  ['token', tokenOrder],
  ['SOL', nativeOrder],
])('A payment in %s', (_name, order) => {
  it('succeeds in the second of the deadline, and fails one second later', () => {
    const due = order({ deadline: startSeconds + 10n });
    cluster.setTime(startSeconds + 11n);
    expectUnpaid(due, 'ORDER_EXPIRED');
    cluster.setTime(startSeconds + 10n);
    expect(cluster.pay(due).error).toBeUndefined();
  });

  it.each([0n, 1n, startSeconds - 1n])('fails after the deadline %s', (deadline) => {
    expectUnpaid(order({ deadline }), 'ORDER_EXPIRED');
  });

  it('succeeds with the latest deadline that can be encoded', () => {
    expect(cluster.pay(order({ deadline: 2n ** 64n - 1n })).error).toBeUndefined();
  });

  it('fails while the clock of the cluster shows a time before 1970', () => {
    cluster.setTime(-1n);
    expectUnpaid(order(), 'ORDER_EXPIRED');
  });

  it('succeeds only once per order', () => {
    expect(cluster.pay(order()).error).toBeUndefined();
    expectRejection(payInstruction(programAddress, order(), payerAddress), 'ORDER_ALREADY_PAID');
  });

  it('succeeds only once within one transaction', () => {
    const pay = payInstruction(programAddress, order(), payerAddress);
    const before = cluster.holdings();
    expect(cluster.send([pay, pay], keyOf('payer')).error).toBe('ORDER_ALREADY_PAID');
    expect(cluster.holdings()[`tokens of ${merchantAddress}`]).toBe(before[`tokens of ${merchantAddress}`]);
    expect(cluster.lamports(merchantAddress)).toBe(sol);
  });

  it('succeeds only once, from any payer', () => {
    expect(cluster.pay(order()).error).toBeUndefined();
    const other = addressOf('other payer');
    cluster.setAccount(other, { lamports: 5n * sol });
    cluster.createTokenAccount(other);
    cluster.setTokens(other, heldTokens);
    const { error } = cluster.send([payInstruction(programAddress, order(), other)], keyOf('other payer'));
    expect(error).toBe('ORDER_ALREADY_PAID');
  });

  it('succeeds after a payment with the same id and other terms', () => {
    const accomplice = addressOf('accomplice');
    cluster.setAccount(accomplice, { lamports: sol });
    cluster.createTokenAccount(accomplice);
    const cheap = order({ merchant: accomplice, amount_in: 1n, merchant_amount: 1n, fee_amount: 0n });
    expect(cluster.pay(cheap).error).toBeUndefined();
    expect(cluster.pay(order()).error).toBeUndefined();
  });

  it.each<[string, Partial<SolanaPaymentOrder>]>([
    ['order_id', { order_id: '018f3b2c-7d4e-7a11-9c55-00d1e2f30416' }],
    ['token_in', { token_in: 'USDT' }],
    ['token_out', { token_out: 'USDT' }],
    ['the border between the names', { token_in: 'USDCU', token_out: 'SDC' }],
    ['deadline', { deadline: startSeconds + 601n }],
    ['merchant', { merchant: feeReceiver }],
    ['fee_receiver', { fee_receiver: merchantAddress }],
  ])('counts as a different payment with a different %s', (_field, change) => {
    expect(cluster.pay(order()).error).toBeUndefined();
    expect(cluster.isPaid(order(change))).toBe(false);
    expect(cluster.pay(order(change)).error).toBeUndefined();
  });

  it.each<[Partial<SolanaPaymentOrder>, string]>([
    [{ amount_in: 5n, merchant_amount: 3n, fee_amount: 3n }, 'AMOUNTS_DO_NOT_ADD_UP'],
    [{ amount_in: 5n, merchant_amount: 3n, fee_amount: 1n }, 'AMOUNTS_DO_NOT_ADD_UP'],
    [{ amount_in: 5n, merchant_amount: 1n, fee_amount: 6n }, 'AMOUNTS_DO_NOT_ADD_UP'],
    [{ amount_in: 5n, merchant_amount: 2n ** 64n - 1n, fee_amount: 6n }, 'AMOUNTS_DO_NOT_ADD_UP'],
    [{ amount_in: 0n, merchant_amount: 2n ** 63n, fee_amount: 2n ** 63n }, 'AMOUNTS_DO_NOT_ADD_UP'],
    [{ amount_in: 5n, merchant_amount: 0n, fee_amount: 5n }, 'ZERO_MERCHANT_AMOUNT'],
    [{ amount_in: 0n, merchant_amount: 0n, fee_amount: 0n }, 'ZERO_MERCHANT_AMOUNT'],
  ])('fails with %p', (change, error) => {
    expectUnpaid(order(change), error);
  });

  it('fails for an amount above all balances', () => {
    const amount_in = 2n ** 64n - 1n;
    expectUnpaid(order({ amount_in, merchant_amount: amount_in - 1n, fee_amount: 1n }), 'program 1');
  });

  it.each([
    ['the zero address', systemProgram],
    ['the payment program', programAddress],
    ['a token program', splTokenProgram],
    ['a mint', mintAddress],
    ['a token account', tokenAccountAddress(merchantAddress, mintAddress, splTokenProgram)],
    ['a sysvar', 'SysvarC1ock11111111111111111111111111111111'],
    ['the incinerator', '1nc1nerator11111111111111111111111111111111'],
  ])('fails with %s as merchant or fee receiver', (_name, receiver) => {
    expectUnpaid(order({ merchant: receiver }), 'INVALID_RECEIVER');
    expectUnpaid(order({ fee_receiver: receiver }), 'INVALID_RECEIVER');
  });

  it('fails with the record of a paid order as receiver', () => {
    const paid = order({ order_id: '018f3b2c-7d4e-7a11-9c55-00d1e2f30499' });
    expect(cluster.pay(paid).error).toBeUndefined();
    expectUnpaid(order({ merchant: recordAddress(programAddress, paid) }), 'INVALID_RECEIVER');
  });

  it('fails with the payer as merchant or fee receiver', () => {
    expectUnpaid(order({ merchant: payerAddress }), 'PAYER_IS_RECEIVER');
    expectUnpaid(order({ fee_receiver: payerAddress }), 'PAYER_IS_RECEIVER');
  });

  it('ignores the fee receiver if the fee is zero', () => {
    for (const fee_receiver of [systemProgram, payerAddress, mintAddress])
      expect(
        cluster.pay(order({ amount_in: 9n, merchant_amount: 9n, fee_amount: 0n, fee_receiver })).error,
      ).toBeUndefined();
  });

  it('fails without the signature of the payer', () => {
    const { accounts, ...rest } = payInstruction(programAddress, order(), feeReceiver);
    const unsigned = accounts.map((it, index) => (index === signer ? { ...it, isSigner: false } : it));
    expectRejection({ ...rest, accounts: unsigned }, 'PAYER_MUST_SIGN');
  });

  it.each([
    [toMerchant, 'WRONG_ACCOUNTS'],
    [toFeeReceiver, 'WRONG_ACCOUNTS'],
    [recordAt, 'WRONG_RECORD'],
    [system, 'WRONG_PROGRAM'],
  ])('fails with another account at position %d', (place, error) => {
    expectRejection(withAccount(order(), place!, addressOf('other')), error);
  });

  it('fails with the record of another order', () => {
    const other = recordAddress(programAddress, order({ deadline: startSeconds + 1n }));
    expectRejection(withAccount(order(), recordAt, other), 'WRONG_RECORD');
  });

  it('fails with fewer or more accounts', () => {
    const { accounts, ...rest } = payInstruction(programAddress, order(), payerAddress);
    const more = { address: addressOf('other'), isSigner: false, isWritable: false };
    for (let count = 0; count < accounts.length; count++)
      expectRejection({ ...rest, accounts: accounts.slice(0, count) }, 'WRONG_ACCOUNTS');
    expectRejection({ ...rest, accounts: [...accounts, more] }, 'WRONG_ACCOUNTS');
    expectRejection({ ...rest, accounts: [...accounts, ...Array(20).fill(more)] }, 'WRONG_ACCOUNTS');
  });

  it.each([1n, 890_879n, 1_280_639n, 1_280_640n, 5n * sol])(
    'succeeds after %s lamports were sent to its record',
    (lamports) => {
      const address = recordAddress(programAddress, order());
      cluster.setAccount(address, { lamports });
      expect(cluster.pay(order()).error).toBeUndefined();
      const rent = 1_280_640n;
      expect(cluster.account(address)).toMatchObject({
        owner: programAddress,
        lamports: lamports > rent ? lamports : rent,
      });
      expectRejection(payInstruction(programAddress, order(), payerAddress), 'ORDER_ALREADY_PAID');
    },
  );

  it('fails when the payer lacks the rent of the record', () => {
    cluster.setAccount(payerAddress, { lamports: 1_000_000n });
    const small = order({ amount_in: 1n, merchant_amount: 1n, fee_amount: 0n });
    expectUnpaid(small, 'program 1');
  });

  it('has no effect when it runs out of compute units', () => {
    const limit = { programId: 'ComputeBudget111111111111111111111111111111', accounts: [] };
    for (const units of [1_000, 5_000, 9_000]) {
      const data = new Uint8Array([2, 0, 0, 0, 0]);
      new DataView(data.buffer).setUint32(1, units, true);
      const { error } = cluster.send(
        [{ ...limit, data }, payInstruction(programAddress, order(), payerAddress)],
        keyOf('payer'),
      );
      expect(error).toMatch(/^runtime/);
      expect([
        cluster.isPaid(order()),
        cluster.tokens(merchantAddress),
        cluster.lamports(merchantAddress),
      ]).toEqual([false, 0n, sol]);
    }
  });
});

describe('A payment in a token', () => {
  const order = tokenOrder();

  it.each([
    [fromAt, 'WRONG_TOKEN_ACCOUNT'],
    [merchantTokens, 'WRONG_TOKEN_ACCOUNT'],
    [feeTokens, 'WRONG_TOKEN_ACCOUNT'],
    [ofMint, 'WRONG_ACCOUNTS'],
    [tokenProgramAddress, 'WRONG_PROGRAM'],
  ])('fails with another account at position %d', (place, error) => {
    expectRejection(withAccount(order, place!, addressOf('other')), error);
  });

  it.each([
    [merchantTokens, feeReceiver],
    [feeTokens, merchantAddress],
    [merchantTokens, payerAddress],
    [feeTokens, payerAddress],
    [fromAt, merchantAddress],
    [fromAt, feeReceiver],
  ])('fails with the token account of another party at position %d', (place, owner) => {
    const account = tokenAccountAddress(owner, mintAddress, splTokenProgram);
    expectRejection(withAccount(order, place!, account), 'WRONG_TOKEN_ACCOUNT');
  });

  it('fails with a token account of the merchant that is not the associated one', () => {
    const other = addressOf('second account of the merchant');
    const { data, owner } = cluster.account(
      tokenAccountAddress(merchantAddress, mintAddress, splTokenProgram),
    )!;
    cluster.setAccount(other, { data, owner });
    expectRejection(withAccount(order, merchantTokens, other), 'WRONG_TOKEN_ACCOUNT');
  });

  it.each([merchantAddress, feeReceiver])(
    'fails when %s has transferred their associated account to another owner',
    (receiver) => {
      const account = tokenAccountAddress(receiver, mintAddress, splTokenProgram);
      cluster.changeData(account, 32, cluster.account(mintAddress)!.data.slice(0, 32));
      expectUnpaid(order, 'WRONG_TOKEN_ACCOUNT');
    },
  );

  it('fails from an account that the payer may use only as a delegate', () => {
    const stranger = addressOf('stranger');
    cluster.setAccount(stranger, { lamports: sol });
    const from = cluster.createTokenAccount(stranger);
    cluster.setTokens(stranger, heldTokens);
    approve(from, payerAddress);
    expectRejection(payInstruction(programAddress, order, payerAddress, { from }), 'WRONG_TOKEN_ACCOUNT');
  });

  it('fails from a delegate of the merchant to the merchant', () => {
    cluster.setTokens(merchantAddress, heldTokens);
    const from = tokenAccountAddress(merchantAddress, mintAddress, splTokenProgram);
    approve(from, payerAddress);
    expectRejection(payInstruction(programAddress, order, payerAddress, { from }), 'WRONG_TOKEN_ACCOUNT');
  });

  it('fails from an imitated token account of another program', () => {
    const from = addressOf('look-alike account');
    const { data } = cluster.account(tokenAccountAddress(payerAddress, mintAddress, splTokenProgram))!;
    cluster.setAccount(from, { data, owner: programAddress });
    expectRejection(payInstruction(programAddress, order, payerAddress, { from }), 'WRONG_TOKEN_ACCOUNT');
  });

  it("fails in a token that differs from the order's token, whatever its name", () => {
    const lookAlike = addressOf('look-alike mint');
    cluster.createMint(lookAlike);
    for (const owner of [payerAddress, merchantAddress, feeReceiver])
      cluster.createTokenAccount(owner, lookAlike);
    cluster.setTokens(payerAddress, heldTokens, lookAlike);
    const tokensOf = (owner: string) => tokenAccountAddress(owner, lookAlike, splTokenProgram);
    expectRejection(withAccount(order, ofMint, lookAlike), 'WRONG_ACCOUNTS');
    expectRejection(withAccount(order, fromAt, tokensOf(payerAddress)), 'WRONG_TOKEN_ACCOUNT');
    expectRejection(withAccount(order, merchantTokens, tokensOf(merchantAddress)), 'WRONG_TOKEN_ACCOUNT');
    // Paying in the imitated token is a separate payment, which a backend does not count for this order.
    expect(cluster.pay(tokenOrder({ token_in_address: lookAlike })).error).toBeUndefined();
    expect(cluster.isPaid(order)).toBe(false);
  });

  it.each([splTokenProgram, token2022Program])('fails when %s does not own the mint', (program) => {
    const mint = addressOf('foreign mint');
    const { data } = cluster.account(mintAddress)!;
    for (const owner of [programAddress, systemProgram, otherTokenProgram(program)]) {
      cluster.setAccount(mint, { data, owner });
      const foreign = tokenOrder({ token_in_address: mint });
      expectRejection(
        payInstruction(programAddress, foreign, payerAddress, { tokenProgram: program }),
        'UNSUPPORTED_TOKEN',
      );
    }
  });

  it.each([0, 81, 83, 165, 166, 400])('fails with a mint of %d bytes', (size) => {
    const mint = addressOf('odd mint');
    for (const tokenProgram of [splTokenProgram, token2022Program]) {
      cluster.setAccount(mint, { data: new Uint8Array(size), owner: tokenProgram });
      const odd = tokenOrder({ token_in_address: mint });
      expectRejection(
        payInstruction(programAddress, odd, payerAddress, { tokenProgram }),
        'UNSUPPORTED_TOKEN',
      );
    }
  });

  it('fails while the account of the payer or of a receiver is frozen', () => {
    const [frozen, initialised] = [2, 1];
    for (const owner of [payerAddress, merchantAddress, feeReceiver]) {
      const account = tokenAccountAddress(owner, mintAddress, splTokenProgram);
      cluster.changeData(account, 108, Uint8Array.of(frozen));
      expectUnpaid(order, 'program 17'); // token program: account is frozen
      cluster.changeData(account, 108, Uint8Array.of(initialised));
    }
    expect(cluster.pay(order).error).toBeUndefined();
  });
});

describe('A payment in SOL', () => {
  it('fails with the accounts of a token payment', () => {
    const { accounts } = payInstruction(programAddress, tokenOrder(), payerAddress);
    const native = payInstruction(programAddress, nativeOrder(), payerAddress);
    const mixed = [...native.accounts, ...accounts.slice(native.accounts.length)];
    expectRejection({ ...native, accounts: mixed }, 'WRONG_ACCOUNTS');
  });

  it('fails with an order in a token', () => {
    const token = payInstruction(programAddress, tokenOrder(), payerAddress);
    expectRejection({ ...token, accounts: token.accounts.slice(0, 5) }, 'WRONG_ACCOUNTS');
  });

  it('treats wrapped SOL as a separate token', () => {
    expect(recordAddress(programAddress, nativeOrder())).not.toBe(
      recordAddress(
        programAddress,
        nativeOrder({ token_in_address: 'So11111111111111111111111111111111111111112' }),
      ),
    );
    expect(nativeCoin).toBe(systemProgram);
  });

  it('stays paid after an attempt to close the record', () => {
    cluster.pay(nativeOrder());
    const close = closeRecordInstruction(
      programAddress,
      recordAddress(programAddress, nativeOrder()),
      payerAddress,
    );
    expectRejection(close, 'RECORD_NOT_CLOSABLE');
  });
});

const otherTokenProgram = (program: string) =>
  program === splTokenProgram ? token2022Program : splTokenProgram;

/** Approves `delegate` to spend everything in this token account. */
function approve(account: string, delegate: string): void {
  const bytes = new Uint8Array(36);
  bytes[0] = 1;
  bytes.set(
    cluster.account(tokenAccountAddress(delegate, mintAddress, splTokenProgram))!.data.slice(32, 64),
    4,
  );
  cluster.changeData(account, 72, bytes);
  cluster.changeData(account, 121, new Uint8Array(8).fill(0xff));
}
