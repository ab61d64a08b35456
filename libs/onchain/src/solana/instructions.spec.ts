import { createTokenAccountInstruction, decodePayment, payInstruction } from './instructions';
import { NATIVE_COIN, SYSTEM_PROGRAM } from './keys';
import { compileMessage, MAX_TRANSACTION_BYTES, signTransaction, unsignedTransaction } from './message';
import { hashOrder, MAX_TOKEN_NAME_BYTES, type SolanaPaymentOrder } from './order';
import { addressOf, keyOf, PROGRAM } from './testing/local-cluster';
import { FEE_RECEIVER, MERCHANT, MINT, nativeOrder, PAYER, tokenOrder } from './testing/payments';

const BLOCKHASH = addressOf('a block');

describe('decodePayment', () => {
  it.each([tokenOrder(), nativeOrder()])(
    'returns payer, order and hash of what payInstruction wrote',
    (order) => {
      const { accounts, data } = payInstruction(PROGRAM, order, PAYER);
      const addresses = accounts.map(({ address }) => address);
      expect(decodePayment(addresses, data)).toEqual({ payer: PAYER, order, orderHash: hashOrder(order) });
    },
  );

  it.each([new Uint8Array(0), Uint8Array.of(1, 0, 0, 0, 0, 0, 0), Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0)])(
    'returns undefined for the data %p',
    (data) => {
      expect(decodePayment([PAYER], data)).toBeUndefined();
    },
  );

  it('returns undefined without accounts', () => {
    expect(decodePayment([], payInstruction(PROGRAM, tokenOrder(), PAYER).data)).toBeUndefined();
  });
});

describe('payInstruction', () => {
  const rights = (order: SolanaPaymentOrder) =>
    payInstruction(PROGRAM, order, PAYER).accounts.map(
      ({ isSigner, isWritable }) => (isSigner ? 's' : '-') + (isWritable ? 'w' : '-'),
    );

  it('asks for the rights that the payment needs, and for no more', () => {
    expect(rights(nativeOrder())).toEqual(['sw', '-w', '-w', '-w', '--']);
    expect(rights(nativeOrder({ fee_amount: 0n, fee_receiver: NATIVE_COIN }))).toEqual([
      ...['sw', '-w', '-w', '--', '--'],
    ]);
    expect(rights(tokenOrder())).toEqual(['sw', '-w', '--', '--', '--', '-w', '-w', '-w', '--', '--']);
  });
});

describe('compileMessage', () => {
  it('writes accounts, header and instructions as the legacy format has them', () => {
    const data = new Uint8Array(200).fill(7);
    const account = (address: string, isSigner: boolean, isWritable: boolean) => ({
      address,
      isSigner,
      isWritable,
    });
    const instruction = {
      programId: PROGRAM,
      accounts: [
        account(MERCHANT, false, false),
        account(FEE_RECEIVER, false, true),
        account(MINT, true, false),
      ],
      data,
    };
    const message = Buffer.from(compileMessage(PAYER, [instruction], BLOCKHASH));
    const hexOf = (address: string) =>
      Buffer.from(compileMessage(address, [], BLOCKHASH).subarray(4, 36)).toString('hex');
    const accounts = [PAYER, MINT, FEE_RECEIVER, MERCHANT, PROGRAM].map(hexOf).join('');
    const compiled = `${'01'}${'04'}03030201${'c801'}${'07'.repeat(200)}`;
    expect(message.toString('hex')).toBe(`02010205${accounts}${hexOf(BLOCKHASH)}${compiled}`);
  });

  it('gives an account all rights that any instruction needs', () => {
    const use = (isWritable: boolean, isSigner: boolean) => ({
      programId: PROGRAM,
      accounts: [{ address: MERCHANT, isWritable, isSigner }],
      data: new Uint8Array(0),
    });
    const message = compileMessage(PAYER, [use(false, false), use(true, false), use(false, true)], BLOCKHASH);
    expect([...message.subarray(0, 4)]).toEqual([2, 0, 1, 3]);
  });

  it('fits the largest payment with two new token accounts into a transaction', () => {
    const longest = 'x'.repeat(MAX_TOKEN_NAME_BYTES);
    const order = tokenOrder({ token_in: longest, token_out: longest });
    const instructions = [
      createTokenAccountInstruction(PAYER, MERCHANT, MINT),
      createTokenAccountInstruction(PAYER, FEE_RECEIVER, MINT),
      payInstruction(PROGRAM, order, PAYER),
    ];
    const transaction = unsignedTransaction(compileMessage(PAYER, instructions, BLOCKHASH));
    expect(transaction.length).toBeLessThanOrEqual(MAX_TRANSACTION_BYTES);
    expect([...transaction.subarray(0, 65)]).toEqual([1, ...new Uint8Array(64)]);
  });
});

describe('signTransaction', () => {
  it('rejects a message that needs a second signature', () => {
    const instruction = {
      programId: SYSTEM_PROGRAM,
      accounts: [{ address: MERCHANT, isSigner: true, isWritable: true }],
      data: new Uint8Array(0),
    };
    const message = compileMessage(PAYER, [instruction], BLOCKHASH);
    expect(() => signTransaction(message, keyOf('payer'))).toThrow('needs 2 signatures');
  });
});
