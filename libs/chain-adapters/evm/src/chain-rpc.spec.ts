import { closedUrl } from '@tollbridge/testing';
import { evmRpcOf } from './chain-rpc';
import type { EvmChain } from '@tollbridge/chains';

it('tells the log which endpoint of which chain was set aside', async () => {
  const warn = jest.fn();
  const chain = { id: 'eip155:8453', chainId: 8453, rpcUrls: [await closedUrl()], maxLagBlocks: 5 };

  await expect(evmRpcOf(chain as unknown as EvmChain, { warn }).head()).rejects.toThrow();

  const sentence = 'an RPC endpoint was set aside';
  expect(warn).toHaveBeenCalledWith(
    expect.objectContaining({ chain: 'eip155:8453', reason: 'unavailable' }),
    sentence,
  );
});
