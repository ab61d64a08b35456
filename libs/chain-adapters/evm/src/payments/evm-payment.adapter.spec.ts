import { findChain, type DeployedChain } from '@tollbridge/chains';
import type { EvmReads } from '../evm-reads';
import { RpcError, type RpcErrorKind } from '../rpc-error';
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
const adapterOf = (changes: Partial<DeployedChain> = {}, reads: Partial<EvmReads> = {}) =>
  new EvmPaymentAdapter({ ...deployed, ...changes }, {
    pinned: <T>(work: (pinned: EvmReads) => Promise<T>) => work(reads as EvmReads),
  } as EvmRpc);

describe('EvmPaymentAdapter', () => {
  it.each([
    ['a chain with slow blocks', { confirmations: 12, blockTimeMs: 12_000, pollIntervalMs: 4_000 }, 148_000],
    ['a chain with fast blocks', { confirmations: 20, blockTimeMs: 250, pollIntervalMs: 250 }, 5_250],
    ['one confirmation', { confirmations: 1, blockTimeMs: 1, pollIntervalMs: 1 }, 2],
  ])('returns the duration of the confirmations and one poll for %s', (_name, changes, settlementMs) => {
    expect(adapterOf(changes).settlementMs).toBe(settlementMs);
  });

  describe('receivedCoins', () => {
    const receiver = `0x${'1'.repeat(40)}`;
    const block = { height: 10, hash: '0xa', timeMs: 0 };
    const received = (balances: Record<string, string>, hash = block.hash) =>
      adapterOf(
        {},
        {
          call: async (_method, [, tag]: readonly unknown[] = []) => balances[String(tag)],
          blockByNumber: async (height) => ({ height, hash, parentHash: '0x9', timestamp: 1 }),
        },
      ).receivedCoins({ txHash: `0x${'a'.repeat(64)}`, receiver, block });

    it.each<[string, string, string, boolean | null]>([
      ['a balance that grew in the block', '0x5', '0x6', true],
      ['the same balance', '0x5', '0x5', false],
      ['a lower balance, which hides received coins', '0x5', '0x4', null],
    ])('compares the balances around the block: %s', async (_name, before, after, expected) => {
      expect(await received({ '0x9': before, '0xa': after })).toBe(expected);
    });

    it('returns null after another block has replaced the block', async () => {
      expect(await received({ '0x9': '0x5', '0xa': '0x5' }, '0xb')).toBeNull();
    });

    it.each<[RpcErrorKind, boolean]>([
      ['rejected', true],
      ['unavailable', false],
      ['rateLimited', false],
    ])('returns null after an error of kind %s instead of throwing: %s', async (kind, isUnknown) => {
      const error = new RpcError({ kind, reason: 'headerNotFound', endpoint: 'one', text: 'no state' });
      const asked = adapterOf({}, { call: () => Promise.reject(error) }).receivedCoins({
        txHash: `0x${'a'.repeat(64)}`,
        receiver,
        block,
      });
      if (isUnknown) expect(await asked).toBeNull();
      else await expect(asked).rejects.toBe(error);
    });
  });
});
