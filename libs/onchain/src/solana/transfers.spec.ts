import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import type { Instruction } from './instructions';
import { splTokenProgram, token2022Program } from './keys';
import { tokenAccountAddress } from './program-address';
import { merchantAddress, mintAddress, payerAddress } from './testing/payments';
import { coinTransferInstruction, memoInstruction, tokenTransferInstruction } from './transfers';

/** Converts an instruction of the official library. */
const officialOf = ({ programId, keys, data }: TransactionInstruction): Instruction => ({
  programId: programId.toBase58(),
  accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
    address: pubkey.toBase58(),
    isSigner,
    isWritable,
  })),
  data: Uint8Array.from(data),
});

describe('coinTransferInstruction', () => {
  it.each([1n, 2n ** 40n])('equals the instruction of the official library for %s lamports', (lamports) => {
    const [fromPubkey, toPubkey] = [new PublicKey(payerAddress), new PublicKey(merchantAddress)];
    const official = SystemProgram.transfer({ fromPubkey, toPubkey, lamports });
    expect(coinTransferInstruction(payerAddress, merchantAddress, lamports)).toEqual(officialOf(official));
  });
});

describe('tokenTransferInstruction', () => {
  it.each([splTokenProgram, token2022Program])('transfers the exact amount through %s', (tokenProgram) => {
    const terms = {
      from: payerAddress,
      to: merchantAddress,
      mint: mintAddress,
      tokenProgram,
      amountAtomic: 258n,
      decimals: 6,
    };
    const { programId, accounts, data } = tokenTransferInstruction(terms);
    const accountOf = (owner: string) => tokenAccountAddress(owner, mintAddress, tokenProgram);
    expect(programId).toBe(tokenProgram);
    expect(accounts.map(({ address }) => address)).toEqual([
      accountOf(payerAddress),
      mintAddress,
      accountOf(merchantAddress),
      payerAddress,
    ]);
    expect(accounts.filter(({ isSigner }) => isSigner).map(({ address }) => address)).toEqual([payerAddress]);
    // TransferChecked, the amount in eight bytes, and the decimals of the mint.
    expect([...data]).toEqual([12, 2, 1, 0, 0, 0, 0, 0, 0, 6]);
  });

  it('rejects an amount of more than 64 bits', () => {
    const terms = {
      from: payerAddress,
      to: merchantAddress,
      mint: mintAddress,
      tokenProgram: splTokenProgram,
      decimals: 6,
    };
    expect(() => tokenTransferInstruction({ ...terms, amountAtomic: 2n ** 64n })).toThrow();
  });
});

describe('memoInstruction', () => {
  it('encodes the text in UTF-8, without accounts', () => {
    const { accounts, data } = memoInstruction('Nº 4711');
    expect([accounts, Buffer.from(data).toString('utf8')]).toEqual([[], 'Nº 4711']);
  });
});
