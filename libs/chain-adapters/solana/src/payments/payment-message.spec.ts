import type { DepositTransfer } from '@tollbridge/chain-port';
import { findChain, sampleAddress, type Token } from '@tollbridge/chains';
import {
  addressFromBytes,
  MEMO_PROGRAM,
  SPL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
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
  it.each([SPL_TOKEN_PROGRAM, TOKEN_2022_PROGRAM])(
    'creates the account of the receiver under %s',
    (program) => {
      const instructions = transferInstructions(transfer, payer, program);
      expect(instructions.map(({ programId }) => programId)).toEqual([
        expect.stringMatching(/^AToken/),
        program,
      ]);
      const received = tokenAccountAddress(transfer.receiver, transfer.token.address!, program);
      for (const { accounts } of instructions)
        expect(accounts.map(({ address }) => address)).toContain(received);
    },
  );

  it('transfers the coin by one instruction', () => {
    expect(programsOf({ token: tokenOf('SOL') }, null)).toEqual([SYSTEM_PROGRAM]);
  });

  it('puts the memo just before the transfer, as Token-2022 requires', () => {
    const memo = 'x'.repeat(100);
    expect(programsOf({ memo }, TOKEN_2022_PROGRAM).slice(-2)).toEqual([MEMO_PROGRAM, TOKEN_2022_PROGRAM]);
    expect(programsOf({ memo, token: tokenOf('SOL') }, null)).toEqual([MEMO_PROGRAM, SYSTEM_PROGRAM]);
    const recent = { blockhash: payer, lastValidBlockHeight: 1 };
    const instructions = transferInstructions({ ...transfer, memo }, payer, TOKEN_2022_PROGRAM);
    const { transaction } = paymentCall(payer, instructions, recent);
    expect(Buffer.from(transaction, 'base64').length).toBeLessThanOrEqual(1_232);
  });
});
