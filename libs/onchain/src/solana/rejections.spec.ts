import { closeRecordInstruction, payInstruction, type Instruction } from './instructions';
import { NATIVE_COIN, SPL_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from './keys';
import { recordAddress, type SolanaPaymentOrder } from './order';
import { tokenAccountAddress } from './program-address';
import { addressOf, keyOf, NOW, PROGRAM, SOL } from './testing/local-cluster';
import {
  FEE_RECEIVER,
  MERCHANT,
  MINT,
  nativeOrder,
  PAYER,
  PaymentCluster,
  tokenOrder,
  TOKENS,
} from './testing/payments';

// The places of the accounts of `pay`.
const [SIGNER, RECORD, TO_MERCHANT, TO_FEE_RECEIVER, SYSTEM] = [0, 1, 2, 3, 4];
const [FROM, MERCHANT_TOKENS, FEE_TOKENS, OF_MINT, TOKEN_PROGRAM] = [5, 6, 7, 8, 9];

let cluster: PaymentCluster;
beforeEach(() => {
  cluster = PaymentCluster.create();
});

/** Sends the instruction and verifies that nothing moved. */
function expectRejection(instruction: Instruction, error: string | undefined): void {
  const before = cluster.holdings();
  const fee = 5_000n;
  expect(cluster.send([instruction], keyOf('payer')).error).toBe(error);
  const payersLamports = `lamports of ${PAYER}`;
  expect(cluster.holdings()).toEqual({ ...before, [payersLamports]: before[payersLamports]! - fee });
}
const expectUnpaid = (order: SolanaPaymentOrder, error: string) => {
  expectRejection(payInstruction(PROGRAM, order, PAYER), error);
  expect(cluster.isPaid(order)).toBe(false);
};
/** The payment with another account in one place. */
function withAccount(order: SolanaPaymentOrder, place: number, address: string): Instruction {
  const instruction = payInstruction(PROGRAM, order, PAYER);
  const accounts = instruction.accounts.map((it, index) => (index === place ? { ...it, address } : it));
  return { ...instruction, accounts };
}

describe.each([
  ['token', tokenOrder],
  ['SOL', nativeOrder],
])('A payment in %s', (_name, order) => {
  it('accepts it in the last second before the deadline, and rejects it one second later', () => {
    const due = order({ deadline: NOW + 10n });
    cluster.setTime(NOW + 11n);
    expectUnpaid(due, 'ORDER_EXPIRED');
    cluster.setTime(NOW + 10n);
    expect(cluster.pay(due).error).toBeUndefined();
  });

  it.each([0n, 1n, NOW - 1n])('rejects the deadline %s', (deadline) => {
    expectUnpaid(order({ deadline }), 'ORDER_EXPIRED');
  });

  it('accepts the latest deadline that can be written', () => {
    expect(cluster.pay(order({ deadline: 2n ** 64n - 1n })).error).toBeUndefined();
  });

  it('rejects it while the clock of the cluster shows a time before 1970', () => {
    cluster.setTime(-1n);
    expectUnpaid(order(), 'ORDER_EXPIRED');
  });

  it('happens once per order', () => {
    expect(cluster.pay(order()).error).toBeUndefined();
    expectRejection(payInstruction(PROGRAM, order(), PAYER), 'ORDER_ALREADY_PAID');
  });

  it('happens once within one transaction', () => {
    const pay = payInstruction(PROGRAM, order(), PAYER);
    const before = cluster.holdings();
    expect(cluster.send([pay, pay], keyOf('payer')).error).toBe('ORDER_ALREADY_PAID');
    expect(cluster.holdings()[`tokens of ${MERCHANT}`]).toBe(before[`tokens of ${MERCHANT}`]);
    expect(cluster.lamports(MERCHANT)).toBe(SOL);
  });

  it('happens once, from any payer', () => {
    expect(cluster.pay(order()).error).toBeUndefined();
    const other = addressOf('other payer');
    cluster.setAccount(other, { lamports: 5n * SOL });
    cluster.createTokenAccount(other);
    cluster.setTokens(other, TOKENS);
    const { error } = cluster.send([payInstruction(PROGRAM, order(), other)], keyOf('other payer'));
    expect(error).toBe('ORDER_ALREADY_PAID');
  });

  it('accepts it after a payment with the same id and other terms', () => {
    const accomplice = addressOf('accomplice');
    cluster.setAccount(accomplice, { lamports: SOL });
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
    ['deadline', { deadline: NOW + 601n }],
    ['merchant', { merchant: FEE_RECEIVER }],
    ['fee_receiver', { fee_receiver: MERCHANT }],
  ])('treats an order with another %s as another payment', (_field, change) => {
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
  ])('rejects %p', (change, error) => {
    expectUnpaid(order(change), error);
  });

  it('rejects an amount above all balances', () => {
    const amount_in = 2n ** 64n - 1n;
    expectUnpaid(order({ amount_in, merchant_amount: amount_in - 1n, fee_amount: 1n }), 'program 1');
  });

  it.each([
    ['the zero address', SYSTEM_PROGRAM],
    ['the payment program', PROGRAM],
    ['a token program', SPL_TOKEN_PROGRAM],
    ['a mint', MINT],
    ['a token account', tokenAccountAddress(MERCHANT, MINT, SPL_TOKEN_PROGRAM)],
    ['a sysvar', 'SysvarC1ock11111111111111111111111111111111'],
    ['the incinerator', '1nc1nerator11111111111111111111111111111111'],
  ])('rejects %s as merchant or fee receiver', (_name, receiver) => {
    expectUnpaid(order({ merchant: receiver }), 'INVALID_RECEIVER');
    expectUnpaid(order({ fee_receiver: receiver }), 'INVALID_RECEIVER');
  });

  it('rejects the record of a paid order as receiver', () => {
    const paid = order({ order_id: '018f3b2c-7d4e-7a11-9c55-00d1e2f30499' });
    expect(cluster.pay(paid).error).toBeUndefined();
    expectUnpaid(order({ merchant: recordAddress(PROGRAM, paid) }), 'INVALID_RECEIVER');
  });

  it('rejects the payer as merchant or fee receiver', () => {
    expectUnpaid(order({ merchant: PAYER }), 'PAYER_IS_RECEIVER');
    expectUnpaid(order({ fee_receiver: PAYER }), 'PAYER_IS_RECEIVER');
  });

  it('ignores the receiver of a fee of zero', () => {
    for (const fee_receiver of [SYSTEM_PROGRAM, PAYER, MINT])
      expect(
        cluster.pay(order({ amount_in: 9n, merchant_amount: 9n, fee_amount: 0n, fee_receiver })).error,
      ).toBeUndefined();
  });

  it('rejects it without the signature of the payer', () => {
    const { accounts, ...rest } = payInstruction(PROGRAM, order(), FEE_RECEIVER);
    const unsigned = accounts.map((it, index) => (index === SIGNER ? { ...it, isSigner: false } : it));
    expectRejection({ ...rest, accounts: unsigned }, 'PAYER_MUST_SIGN');
  });

  it.each([
    [TO_MERCHANT, 'WRONG_ACCOUNTS'],
    [TO_FEE_RECEIVER, 'WRONG_ACCOUNTS'],
    [RECORD, 'WRONG_RECORD'],
    [SYSTEM, 'WRONG_PROGRAM'],
  ])('rejects another account in place %d', (place, error) => {
    expectRejection(withAccount(order(), place!, addressOf('other')), error);
  });

  it('rejects the record of another order', () => {
    const other = recordAddress(PROGRAM, order({ deadline: NOW + 1n }));
    expectRejection(withAccount(order(), RECORD, other), 'WRONG_RECORD');
  });

  it('rejects fewer or more accounts', () => {
    const { accounts, ...rest } = payInstruction(PROGRAM, order(), PAYER);
    const more = { address: addressOf('other'), isSigner: false, isWritable: false };
    for (let count = 0; count < accounts.length; count++)
      expectRejection({ ...rest, accounts: accounts.slice(0, count) }, 'WRONG_ACCOUNTS');
    expectRejection({ ...rest, accounts: [...accounts, more] }, 'WRONG_ACCOUNTS');
    expectRejection({ ...rest, accounts: [...accounts, ...Array(20).fill(more)] }, 'WRONG_ACCOUNTS');
  });

  it.each([1n, 890_879n, 1_280_639n, 1_280_640n, 5n * SOL])(
    'accepts it after %s lamports were sent to its record',
    (lamports) => {
      const address = recordAddress(PROGRAM, order());
      cluster.setAccount(address, { lamports });
      expect(cluster.pay(order()).error).toBeUndefined();
      const rent = 1_280_640n;
      expect(cluster.account(address)).toMatchObject({
        owner: PROGRAM,
        lamports: lamports > rent ? lamports : rent,
      });
      expectRejection(payInstruction(PROGRAM, order(), PAYER), 'ORDER_ALREADY_PAID');
    },
  );

  it('rejects it when the payer lacks the rent of the record', () => {
    cluster.setAccount(PAYER, { lamports: 1_000_000n });
    const small = order({ amount_in: 1n, merchant_amount: 1n, fee_amount: 0n });
    expectUnpaid(small, 'program 1');
  });

  it('runs out of compute units without an effect', () => {
    const limit = { programId: 'ComputeBudget111111111111111111111111111111', accounts: [] };
    for (const units of [1_000, 5_000, 9_000]) {
      const data = new Uint8Array([2, 0, 0, 0, 0]);
      new DataView(data.buffer).setUint32(1, units, true);
      const { error } = cluster.send(
        [{ ...limit, data }, payInstruction(PROGRAM, order(), PAYER)],
        keyOf('payer'),
      );
      expect(error).toMatch(/^runtime/);
      expect([cluster.isPaid(order()), cluster.tokens(MERCHANT), cluster.lamports(MERCHANT)]).toEqual([
        false,
        0n,
        SOL,
      ]);
    }
  });
});

describe('A payment in a token', () => {
  const order = tokenOrder();

  it.each([
    [FROM, 'WRONG_TOKEN_ACCOUNT'],
    [MERCHANT_TOKENS, 'WRONG_TOKEN_ACCOUNT'],
    [FEE_TOKENS, 'WRONG_TOKEN_ACCOUNT'],
    [OF_MINT, 'WRONG_ACCOUNTS'],
    [TOKEN_PROGRAM, 'WRONG_PROGRAM'],
  ])('rejects another account in place %d', (place, error) => {
    expectRejection(withAccount(order, place!, addressOf('other')), error);
  });

  it.each([
    [MERCHANT_TOKENS, FEE_RECEIVER],
    [FEE_TOKENS, MERCHANT],
    [MERCHANT_TOKENS, PAYER],
    [FEE_TOKENS, PAYER],
    [FROM, MERCHANT],
    [FROM, FEE_RECEIVER],
  ])('rejects the token account of another party in place %d', (place, owner) => {
    const account = tokenAccountAddress(owner, MINT, SPL_TOKEN_PROGRAM);
    expectRejection(withAccount(order, place!, account), 'WRONG_TOKEN_ACCOUNT');
  });

  it('rejects another token account of the merchant than the associated one', () => {
    const other = addressOf('second account of the merchant');
    const { data, owner } = cluster.account(tokenAccountAddress(MERCHANT, MINT, SPL_TOKEN_PROGRAM))!;
    cluster.setAccount(other, { data, owner });
    expectRejection(withAccount(order, MERCHANT_TOKENS, other), 'WRONG_TOKEN_ACCOUNT');
  });

  it.each([MERCHANT, FEE_RECEIVER])('rejects it when %s gave their associated account away', (receiver) => {
    const account = tokenAccountAddress(receiver, MINT, SPL_TOKEN_PROGRAM);
    cluster.changeData(account, 32, cluster.account(MINT)!.data.slice(0, 32));
    expectUnpaid(order, 'WRONG_TOKEN_ACCOUNT');
  });

  it('rejects an account that the payer may spend from as delegate only', () => {
    const stranger = addressOf('stranger');
    cluster.setAccount(stranger, { lamports: SOL });
    const from = cluster.createTokenAccount(stranger);
    cluster.setTokens(stranger, TOKENS);
    approve(from, PAYER);
    expectRejection(payInstruction(PROGRAM, order, PAYER, { from }), 'WRONG_TOKEN_ACCOUNT');
  });

  it('rejects a payment by a delegate from the merchant to itself', () => {
    cluster.setTokens(MERCHANT, TOKENS);
    const from = tokenAccountAddress(MERCHANT, MINT, SPL_TOKEN_PROGRAM);
    approve(from, PAYER);
    expectRejection(payInstruction(PROGRAM, order, PAYER, { from }), 'WRONG_TOKEN_ACCOUNT');
  });

  it('rejects a token account that looks like one, under another program', () => {
    const from = addressOf('look-alike account');
    const { data } = cluster.account(tokenAccountAddress(PAYER, MINT, SPL_TOKEN_PROGRAM))!;
    cluster.setAccount(from, { data, owner: PROGRAM });
    expectRejection(payInstruction(PROGRAM, order, PAYER, { from }), 'WRONG_TOKEN_ACCOUNT');
  });

  it('rejects another token than that of the order, whatever its name', () => {
    const lookAlike = addressOf('look-alike mint');
    cluster.createMint(lookAlike);
    for (const owner of [PAYER, MERCHANT, FEE_RECEIVER]) cluster.createTokenAccount(owner, lookAlike);
    cluster.setTokens(PAYER, TOKENS, lookAlike);
    const tokensOf = (owner: string) => tokenAccountAddress(owner, lookAlike, SPL_TOKEN_PROGRAM);
    expectRejection(withAccount(order, OF_MINT, lookAlike), 'WRONG_ACCOUNTS');
    expectRejection(withAccount(order, FROM, tokensOf(PAYER)), 'WRONG_TOKEN_ACCOUNT');
    expectRejection(withAccount(order, MERCHANT_TOKENS, tokensOf(MERCHANT)), 'WRONG_TOKEN_ACCOUNT');
    // Paying the look-alike is a payment of its own, which no backend takes for this order.
    expect(cluster.pay(tokenOrder({ token_in_address: lookAlike })).error).toBeUndefined();
    expect(cluster.isPaid(order)).toBe(false);
  });

  it.each([SPL_TOKEN_PROGRAM, TOKEN_2022_PROGRAM])('rejects it when %s does not own the mint', (program) => {
    const mint = addressOf('foreign mint');
    const { data } = cluster.account(MINT)!;
    for (const owner of [PROGRAM, SYSTEM_PROGRAM, otherTokenProgram(program)]) {
      cluster.setAccount(mint, { data, owner });
      const foreign = tokenOrder({ token_in_address: mint });
      expectRejection(
        payInstruction(PROGRAM, foreign, PAYER, { tokenProgram: program }),
        'UNSUPPORTED_TOKEN',
      );
    }
  });

  it.each([0, 81, 83, 165, 166, 400])('rejects a mint of %d bytes', (size) => {
    const mint = addressOf('odd mint');
    for (const tokenProgram of [SPL_TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
      cluster.setAccount(mint, { data: new Uint8Array(size), owner: tokenProgram });
      const odd = tokenOrder({ token_in_address: mint });
      expectRejection(payInstruction(PROGRAM, odd, PAYER, { tokenProgram }), 'UNSUPPORTED_TOKEN');
    }
  });

  it('fails while the account of the payer or of a receiver is frozen', () => {
    const [frozen, initialised] = [2, 1];
    for (const owner of [PAYER, MERCHANT, FEE_RECEIVER]) {
      const account = tokenAccountAddress(owner, MINT, SPL_TOKEN_PROGRAM);
      cluster.changeData(account, 108, Uint8Array.of(frozen));
      expectUnpaid(order, 'program 17'); // the token program: account is frozen
      cluster.changeData(account, 108, Uint8Array.of(initialised));
    }
    expect(cluster.pay(order).error).toBeUndefined();
  });
});

describe('A payment in SOL', () => {
  it('rejects the accounts of a token payment', () => {
    const { accounts } = payInstruction(PROGRAM, tokenOrder(), PAYER);
    const native = payInstruction(PROGRAM, nativeOrder(), PAYER);
    const mixed = [...native.accounts, ...accounts.slice(native.accounts.length)];
    expectRejection({ ...native, accounts: mixed }, 'WRONG_ACCOUNTS');
  });

  it('rejects the accounts of a payment in SOL for an order in a token', () => {
    const token = payInstruction(PROGRAM, tokenOrder(), PAYER);
    expectRejection({ ...token, accounts: token.accounts.slice(0, 5) }, 'WRONG_ACCOUNTS');
  });

  it('treats wrapped SOL as a token of its own', () => {
    expect(recordAddress(PROGRAM, nativeOrder())).not.toBe(
      recordAddress(
        PROGRAM,
        nativeOrder({ token_in_address: 'So11111111111111111111111111111111111111112' }),
      ),
    );
    expect(NATIVE_COIN).toBe(SYSTEM_PROGRAM);
  });

  it('stays paid after an attempt to close the record', () => {
    cluster.pay(nativeOrder());
    const close = closeRecordInstruction(PROGRAM, recordAddress(PROGRAM, nativeOrder()), PAYER);
    expectRejection(close, 'RECORD_NOT_CLOSABLE');
  });
});

const otherTokenProgram = (program: string) =>
  program === SPL_TOKEN_PROGRAM ? TOKEN_2022_PROGRAM : SPL_TOKEN_PROGRAM;

/** Makes `delegate` one who may spend everything in this token account. */
function approve(account: string, delegate: string): void {
  const bytes = new Uint8Array(36);
  bytes[0] = 1;
  bytes.set(cluster.account(tokenAccountAddress(delegate, MINT, SPL_TOKEN_PROGRAM))!.data.slice(32, 64), 4);
  cluster.changeData(account, 72, bytes);
  cluster.changeData(account, 121, new Uint8Array(8).fill(0xff));
}
