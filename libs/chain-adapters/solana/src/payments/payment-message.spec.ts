import type { DepositTransfer } from '@tollbridge/chain-port';
import { findChain, sampleAddress, type Token } from '@tollbridge/chains';
import {
  addressFromBytes,
  memoProgram,
  splTokenProgram,
  systemProgram,
  token2022Program,
  tokenAccountAddress,
} from '@tollbridge/onchain/solana';
import { paymentCall, transferInstructions } from './payment-message';

const chain = findChain('solana')!;
const tokenOf = (symbol: string): Token => chain.tokens.find((it) => it.symbol === symbol)!;
const payer = addressFromBytes(new Uint8Array(32).fill(7));
const transfer: DepositTransfer = {
  token: tokenOf('USDC'),
  receiver: sampleAddress(chain),
  amountAtomic: 1_650n,
  memo: null,
  expiresAtMs: 0,
};
const programsOf = (changes: Partial<DepositTransfer>, tokenProgram: string | null) =>
  transferInstructions({ ...transfer, ...changes }, payer, tokenProgram).map(({ programId }) => programId);

describe('transferInstructions', () => {
  it.each([splTokenProgram, token2022Program])('creates the account of the receiver under %s', (program) => {
    const instructions = transferInstructions(transfer, payer, program);
    expect(instructions.map(({ programId }) => programId)).toEqual([
      expect.stringMatching(/^AToken/),
      program,
    ]);
    const received = tokenAccountAddress(transfer.receiver, transfer.token.address!, program);
    for (const { accounts } of instructions)
      expect(accounts.map(({ address }) => address)).toContain(received);
  });

  it('transfers the coin with one instruction', () => {
    expect(programsOf({ token: tokenOf('SOL') }, null)).toEqual([systemProgram]);
  });

  it('places the memo directly before the transfer, as Token-2022 requires', () => {
    const memo = 'x'.repeat(100);
    expect(programsOf({ memo }, token2022Program).slice(-2)).toEqual([memoProgram, token2022Program]);
    expect(programsOf({ memo, token: tokenOf('SOL') }, null)).toEqual([memoProgram, systemProgram]);
    const recent = { blockhash: payer, lastValidBlockHeight: 1 };
    const instructions = transferInstructions({ ...transfer, memo }, payer, token2022Program);
    const { transaction } = paymentCall(payer, instructions, recent);
    expect(Buffer.from(transaction, 'base64').length).toBeLessThanOrEqual(1_232);
  });
});
