import { base58 } from '@scure/base';
import {
  addressOfKey,
  compileMessage,
  parseTransaction,
  splTokenProgram,
  tokenAccountAddress,
  tokenTransferInstruction,
  unsignedTransaction,
  type Instruction,
} from '@tollbridge/onchain/solana';
import { readTransfer, refundTransaction, type RefundTransfer } from './solana-transfer';

const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const secretKey = Buffer.alloc(32, 1);
const wallet = addressOfKey(secretKey);
const addressOf = (byte: number): string => base58.encode(Buffer.alloc(32, byte));
const [to, other, feePayer, blockhash] = [addressOf(2), addressOf(3), addressOf(4), addressOf(5)];
const refund: RefundTransfer = {
  feePayer: feePayer,
  wallet,
  secretKey,
  to: to,
  mint,
  amountAtomic: 660_000n,
  decimals: 6,
  blockhash: blockhash,
  memo: 'refund 1',
};
const bytesOf = (transaction: string) => Buffer.from(transaction, 'base64');

describe('refundTransaction', () => {
  it('transfers from the wallet to the account of the payer, and makes the facilitator the fee payer', () => {
    const parsed = parseTransaction(bytesOf(refundTransaction(refund)));
    expect(parsed.accountKeys.slice(0, 2)).toEqual([feePayer, wallet]);
    expect(parsed.signatures[0]).toBe(base58.encode(Buffer.alloc(64)));
    const { accounts, data } = parsed.instructions[2]!;
    const accountOf = (owner: string) => tokenAccountAddress(owner, mint, splTokenProgram);
    expect(accounts.map((index) => parsed.accountKeys[index])).toEqual([
      accountOf(wallet),
      mint,
      accountOf(to),
      wallet,
    ]);
    expect(Buffer.from(data).readBigUInt64LE(1)).toBe(660_000n);
  });

  it('differs with another memo', () => {
    const nonces = ['one', 'two'].map(
      (memo) => readTransfer(refundTransaction({ ...refund, memo }), mint)!.nonce,
    );
    expect(new Set(nonces).size).toBe(2);
  });
});

describe('readTransfer', () => {
  const transactionOf = (...instructions: Instruction[]): string =>
    Buffer.from(unsignedTransaction(compileMessage(feePayer, instructions, blockhash))).toString('base64');
  const transfer = tokenTransferInstruction({
    from: wallet,
    to,
    mint,
    tokenProgram: splTokenProgram,
    amountAtomic: 1n,
    decimals: 6,
  });
  const budget = { ...transfer, accounts: [], data: Uint8Array.of(0) };

  it('identifies a payment by its message, whatever its signatures are', () => {
    const transaction = refundTransaction(refund);
    const read = readTransfer(transaction, mint);
    expect(read).toEqual({ payer: wallet, decimals: 6, nonce: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
    const wire = bytesOf(transaction).fill(9, 1, 129);
    expect(readTransfer(wire.toString('base64'), mint)).toEqual(read);
  });

  it.each<[string, unknown, string]>([
    ['no text', 1, mint],
    ['text that is not base64', `${refundTransaction(refund)} `, mint],
    [
      'bytes behind it',
      Buffer.concat([bytesOf(refundTransaction(refund)), Buffer.alloc(1)]).toString('base64'),
      mint,
    ],
    ['another token', refundTransaction(refund), other!],
    ['a token that is not an address', refundTransaction(refund), 'USDC'],
    ['no transfer in its place', transactionOf(transfer, budget, budget), mint],
    ['the token account of another owner', transactionOf(budget, budget, withSource(transfer)), mint],
  ])('returns undefined for %s', (_title, transaction, token) => {
    expect(readTransfer(transaction, token)).toBeUndefined();
  });

  function withSource(given: Instruction): Instruction {
    const [source, ...rest] = given.accounts;
    return {
      ...given,
      accounts: [{ ...source!, address: tokenAccountAddress(other, mint, splTokenProgram) }, ...rest],
    };
  }
});
