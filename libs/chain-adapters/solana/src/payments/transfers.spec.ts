import type { SolanaTransaction, TokenBalance } from '../solana-types';
import { namedAddress, payerAddress } from '../testing/fake-chain';
import { otherTransfersTo, transfersTo } from './transfers';

const [merchant, other, tokenAccount, payerTokens] = [
  'merchant',
  'other receiver',
  'token account of the merchant',
  'token account of the payer',
].map(namedAddress) as [string, string, string, string];
const [usdc, euro] = ['USDC', 'EURC'].map(namedAddress) as [string, string];

const holds = (account: string, owner: string, amountAtomic: bigint, mint = usdc): TokenBalance => ({
  account,
  owner,
  mint,
  amountAtomic,
});

/** The payer's transaction: 5 USDC to the new token account of the merchant, and coins to two receivers. */
const transaction: SolanaTransaction = {
  signature: 'signature',
  slot: 7,
  isSuccessful: true,
  accounts: [payerAddress, merchant, other, tokenAccount, payerTokens],
  signers: [payerAddress],
  instructions: [],
  before: [100n, 0n, 0n, 0n, 2n],
  after: [50n, 20n, 10n, 20n, 2n],
  tokensBefore: [holds(payerTokens, payerAddress, 9n)],
  tokensAfter: [holds(payerTokens, payerAddress, 4n), holds(tokenAccount, merchant, 5n)],
};

describe('transfersTo', () => {
  it('returns the amount that a receiver gained, in coins and in a token', () => {
    expect(transfersTo(transaction, null, merchant)).toMatchObject([
      { from: payerAddress, amountAtomic: 20n },
    ]);
    expect(transfersTo(transaction, usdc, merchant)).toMatchObject([
      { from: payerAddress, amountAtomic: 5n },
    ]);
  });

  it('returns coins that a program sent without a transfer instruction', () => {
    const fromVault = { ...transaction, before: [100n, 0n, 30n, 0n, 2n], after: [95n, 25n, 5n, 0n, 2n] };
    expect(transfersTo(fromVault, null, merchant)).toMatchObject([{ from: payerAddress, amountAtomic: 25n }]);
    expect(transfersTo(fromVault, null, other)).toEqual([]);
  });

  it('assigns every transfer of a transaction its own index, so that two transfers are never confused', () => {
    const found = [
      [null, merchant],
      [null, other],
      // Its rent, because a token account can be the receiver of coins too.
      [null, tokenAccount],
      [usdc, merchant],
    ].flatMap(([mint, receiver]) => transfersTo(transaction, mint ?? null, receiver!));
    expect(found).toHaveLength(4);
    expect(new Set(found.map(({ logIndex }) => logIndex)).size).toBe(4);
  });

  it.each([
    ['of a failed transaction', { ...transaction, isSuccessful: false }, usdc],
    ['in another token', transaction, euro],
    [
      'by an account that changed its owner',
      {
        ...transaction,
        tokensBefore: [holds(tokenAccount, other, 0n)],
        tokensAfter: [holds(tokenAccount, merchant, 5n)],
      },
      usdc,
    ],
    [
      'that leaves the balance of the receiver unchanged',
      {
        ...transaction,
        tokensBefore: [holds(tokenAccount, merchant, 0n), holds(payerTokens, merchant, 5n)],
        tokensAfter: [holds(tokenAccount, merchant, 5n), holds(payerTokens, merchant, 0n)],
      },
      usdc,
    ],
  ])('returns no transfer %s', (_name, it, mint) => {
    expect(transfersTo(it, mint, merchant)).toEqual([]);
  });
});

describe('otherTransfersTo', () => {
  it('returns the gained amounts of other tokens, and of the coin if a token is wanted', () => {
    const coin = { from: payerAddress, amountAtomic: 20n, tokenAddress: null };
    const token = { from: payerAddress, amountAtomic: 5n, tokenAddress: usdc };
    expect(otherTransfersTo(transaction, euro, merchant)).toMatchObject([coin, token]);
    expect(otherTransfersTo(transaction, usdc, merchant)).toMatchObject([coin]);
    expect(otherTransfersTo(transaction, null, merchant)).toMatchObject([token]);
  });

  it('returns nothing for a failed transaction', () => {
    expect(otherTransfersTo({ ...transaction, isSuccessful: false }, euro, merchant)).toEqual([]);
  });
});
