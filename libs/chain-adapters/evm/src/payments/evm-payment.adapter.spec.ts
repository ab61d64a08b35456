import { findChain, type DeployedChain } from '@tollbridge/chains';
import type { EvmRpc } from '../rpc-pool';
import { EvmPaymentAdapter } from './evm-payment.adapter';

const deployed: DeployedChain = {
  ...findChain('base')!,
  chainId: 8453,
  rpcUrls: ['http://127.0.0.1:8545'],
  payContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  formerPayContracts: [],
  startHeight: 0,
  pollIntervalMs: 1_000,
  payoutContract: null,
  uniswapV3: null,
  contracts: [],
  maxLagBlocks: 5,
};
// No test here reads the chain.
const adapterOf = (changes: Partial<DeployedChain> = {}) =>
  new EvmPaymentAdapter({ ...deployed, ...changes }, {} as EvmRpc);

describe('EvmPaymentAdapter', () => {
  it.each([
    ['a chain with slow blocks', { confirmations: 12, blockTimeMs: 12_000, pollIntervalMs: 4_000 }, 148_000],
    ['a chain with fast blocks', { confirmations: 20, blockTimeMs: 250, pollIntervalMs: 250 }, 5_250],
    ['one confirmation', { confirmations: 1, blockTimeMs: 1, pollIntervalMs: 1 }, 2],
  ])('counts the confirmations and one poll until a settlement on %s', (_name, changes, settlementMs) => {
    expect(adapterOf(changes).settlementMs).toBe(settlementMs);
  });
});
