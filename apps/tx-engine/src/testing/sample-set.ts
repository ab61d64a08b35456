import { findChain } from '@tollbridge/chains';
import type { RouteToken, SwapStep } from '@tollbridge/routing';
import { nextState, type SetTransaction, type TransactionSet } from '../transactions/transaction-set';

export const base = findChain('base')!.id;
export const arbitrum = findChain('arb')!.id;
export const usdt: RouteToken = {
  chain: base,
  symbol: 'USDT',
  address: '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2',
  decimals: 6,
};
export const usdc: RouteToken = {
  chain: base,
  symbol: 'USDC',
  address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  decimals: 6,
};
export const coin: RouteToken = { chain: base, symbol: 'ETH', address: null, decimals: 18 };
export const dai: RouteToken = {
  chain: arbitrum,
  symbol: 'DAI',
  address: '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1',
  decimals: 18,
};
export const user = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
export const router = '0x2626664c2603336E57B271c5C0b26F421741e481';
export const hashOf = (byte: string): string => `0x${byte.repeat(32)}`;

const step = (type: SwapStep['type'], tokenIn: RouteToken, tokenOut: RouteToken): SwapStep => {
  return { type, venue: 'test', tokenIn, tokenOut, amountInAtomic: 100n, amountOutAtomic: 99n };
};
export const oneChain = [step('originSwap', usdt, usdc)];
export const acrossChains = [
  step('originSwap', usdt, usdc),
  step('bridge', usdc, { ...dai, symbol: 'USDC' }),
  step('destinationSwap', { ...dai, symbol: 'USDC' }, dai),
];

export function transactionOf(changes: Partial<SetTransaction> = {}): SetTransaction {
  return {
    chainId: 8453,
    to: router,
    data: '0x12',
    valueAtomic: 0n,
    gasLimitUnits: 140_000n,
    nonce: 7,
    fees: { isLegacy: false, maxFeePerGas: 20n, maxPriorityFeePerGas: 1n },
    type: 'swap',
    description: 'Swap',
    gasUnits: 100_000n,
    signed: null,
    status: 'waiting',
    sentAtMs: null,
    block: null,
    minedAtMs: null,
    gasUsedUnits: null,
    gasPricePerGas: null,
    confirmations: 0,
    ...changes,
  };
}

export const approval = transactionOf({ type: 'approval', description: 'Allow', gasUnits: 46_000n });

/** Signed, as if executed: the hashes are 0xaa… and 0xbb…. */
export function setOf(changes: Partial<TransactionSet> = {}): TransactionSet {
  return {
    id: '0199aa11-93d0-7e52-b1c4-0a7d2e6f4c18',
    owner: 'me',
    quoteId: 'q',
    batchId: null,
    terms: '',
    replacedBy: null,
    savedUsd: '0.00',
    state: nextState('building', 'built'),
    version: 1,
    provider: 'test',
    from: usdt,
    to: usdc,
    user,
    recipient: user,
    amountInAtomic: 100n,
    amountOutAtomic: 99n,
    minAmountOutAtomic: 98n,
    steps: oneChain,
    transactions: [
      { ...approval, signed: { raw: '0xaa', hash: hashOf('aa') } },
      transactionOf({ nonce: 8, signed: { raw: '0xbb', hash: hashOf('bb') } }),
    ],
    estimatedSeconds: 10,
    gasCostUsd: '0.10',
    validUntilMs: 2_000_000,
    originConfirmations: 3,
    destinationConfirmations: 2,
    delivery: null,
    failure: null,
    createdAtMs: 1_000_000,
    executedAtMs: 1_010_000,
    endedAtMs: null,
    ...changes,
  };
}
