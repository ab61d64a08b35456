import { closedUrl } from '@tollbridge/testing';
import { evmRpcOf } from './chain-rpc';
import type { EvmChain } from '@tollbridge/chains';

it('ChainRpc logs the unhealthy endpoint and its chain', async () => {
  const warn = jest.fn();
  const chain = { id: 'eip155:8453', chainId: 8453, rpcUrls: [await closedUrl()], maxLagBlocks: 5 };

  await expect(evmRpcOf(chain as unknown as EvmChain, { warn }).head()).rejects.toThrow();

  const sentence = 'RPC endpoint unhealthy';
  expect(warn).toHaveBeenCalledWith(
    expect.objectContaining({ chain: 'eip155:8453', reason: 'unavailable' }),
    sentence,
  );
});
