import { createTokenAccountInstruction, decodePayment, payInstruction } from './instructions';
import { nativeCoin, systemProgram } from './keys';
import { compileMessage, maxTransactionBytes, signTransaction, unsignedTransaction } from './message';
import { hashOrder, maxTokenNameBytes, type SolanaPaymentOrder } from './order';
import { addressOf, keyOf, programAddress } from './testing/local-cluster';
import {
  feeReceiver,
  merchantAddress,
  mintAddress,
  nativeOrder,
  payerAddress,
  tokenOrder,
} from './testing/payments';

const blockhash = addressOf('a block');

describe('decodePayment', () => {
  it.each([tokenOrder(), nativeOrder()])(
    'returns payer, order and hash of an instruction from payInstruction',
    (order) => {
      const { accounts, data } = payInstruction(programAddress, order, payerAddress);
      const addresses = accounts.map(({ address }) => address);
      expect(decodePayment(addresses, data)).toEqual({
        payer: payerAddress,
        order,
        orderHash: hashOrder(order),
      });
    },
  );

  it.each([new Uint8Array(0), Uint8Array.of(1, 0, 0, 0, 0, 0, 0), Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0)])(
    'returns undefined for the data %p',
    (data) => {
      expect(decodePayment([payerAddress], data)).toBeUndefined();
    },
  );

  it('returns undefined without accounts', () => {
    expect(
      decodePayment([], payInstruction(programAddress, tokenOrder(), payerAddress).data),
    ).toBeUndefined();
  });
});

describe('payInstruction', () => {
  const rights = (order: SolanaPaymentOrder) =>
    payInstruction(programAddress, order, payerAddress).accounts.map(
      ({ isSigner, isWritable }) => (isSigner ? 's' : '-') + (isWritable ? 'w' : '-'),
    );

  it('requests only the account rights that the payment needs', () => {
    expect(rights(nativeOrder())).toEqual(['sw', '-w', '-w', '-w', '--']);
    expect(rights(nativeOrder({ fee_amount: 0n, fee_receiver: nativeCoin }))).toEqual([
      ...['sw', '-w', '-w', '--', '--'],
    ]);
    expect(rights(tokenOrder())).toEqual(['sw', '-w', '--', '--', '--', '-w', '-w', '-w', '--', '--']);
  });
});

describe('compileMessage', () => {
  it('encodes accounts, header and instructions in the legacy format', () => {
    const data = new Uint8Array(200).fill(7);
    const account = (address: string, isSigner: boolean, isWritable: boolean) => ({
      address,
      isSigner,
      isWritable,
    });
    const instruction = {
      programId: programAddress,
      accounts: [
        account(merchantAddress, false, false),
        account(feeReceiver, false, true),
        account(mintAddress, true, false),
      ],
      data,
    };
    const message = Buffer.from(compileMessage(payerAddress, [instruction], blockhash));
    const hexOf = (address: string) =>
      Buffer.from(compileMessage(address, [], blockhash).subarray(4, 36)).toString('hex');
    const accounts = [payerAddress, mintAddress, feeReceiver, merchantAddress, programAddress]
      .map(hexOf)
      .join('');
    const compiled = `${'01'}${'04'}03030201${'c801'}${'07'.repeat(200)}`;
    expect(message.toString('hex')).toBe(`02010205${accounts}${hexOf(blockhash)}${compiled}`);
  });

  it('combines the rights that an account needs in all instructions', () => {
    const use = (isWritable: boolean, isSigner: boolean) => ({
      programId: programAddress,
      accounts: [{ address: merchantAddress, isWritable, isSigner }],
      data: new Uint8Array(0),
    });
    const message = compileMessage(
      payerAddress,
      [use(false, false), use(true, false), use(false, true)],
      blockhash,
    );
    expect([...message.subarray(0, 4)]).toEqual([2, 0, 1, 3]);
  });

  it('fits the largest payment with two new token accounts into a transaction', () => {
    const longest = 'x'.repeat(maxTokenNameBytes);
    const order = tokenOrder({ token_in: longest, token_out: longest });
    const instructions = [
      createTokenAccountInstruction(payerAddress, merchantAddress, mintAddress),
      createTokenAccountInstruction(payerAddress, feeReceiver, mintAddress),
      payInstruction(programAddress, order, payerAddress),
    ];
    const transaction = unsignedTransaction(compileMessage(payerAddress, instructions, blockhash));
    expect(transaction.length).toBeLessThanOrEqual(maxTransactionBytes);
    expect([...transaction.subarray(0, 65)]).toEqual([1, ...new Uint8Array(64)]);
  });
});

describe('signTransaction', () => {
  it('rejects a message that needs a second signature', () => {
    const instruction = {
      programId: systemProgram,
      accounts: [{ address: merchantAddress, isSigner: true, isWritable: true }],
      data: new Uint8Array(0),
    };
    const message = compileMessage(payerAddress, [instruction], blockhash);
    expect(() => signTransaction(message, keyOf('payer'))).toThrow('needs 2 signatures');
  });
});
