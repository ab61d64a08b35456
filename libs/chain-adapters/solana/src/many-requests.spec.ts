import { startHttpServer, type HttpServer } from '@tollbridge/testing';
import { Backlog } from './payments/backlog';
import { nextUpdate } from './payments/next-update';
import { SolanaTransferReader } from './payments/solana-transfer-reader';
import { SolanaNode } from './solana-node';
import { FakeChain, namedAddress, programAddress, solanaChain } from './testing/fake-chain';
import type { ChainWithNodes } from '@tollbridge/chains';
import { NodePool } from '@tollbridge/chain-nodes';

let chain: FakeChain;
let server: HttpServer;
let node: SolanaNode;
beforeEach(async () => {
  chain = new FakeChain();
  server = await startHttpServer(({ body }) => {
    const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: unknown[] };
    return { body: { jsonrpc: '2.0', id, result: chain.answer(method, params) } };
  });
  node = new SolanaNode(solanaChain, server.url, 1);
});
afterEach(() => server.close());

// A node accepts eight concurrent requests, and 32 more may wait.
describe('a Solana node over HTTP', () => {
  it('returns 150 payments of one slot in one step', async () => {
    for (let payment = 0; payment < 150; payment++) chain.pay(80);
    const update = await nextUpdate(node, [], {
      programs: [programAddress],
      startHeight: 0,
      backlog: new Backlog(),
    });
    expect(update).toMatchObject({ kind: 'advance', payments: { length: 150 } });
  });

  it('reads 100 transfers concurrently', async () => {
    const wanted = Array.from({ length: 100 }, () => chain.pay(80)).map(({ signature }) => ({
      txHash: signature,
      token: { address: null },
      receiver: namedAddress('merchant'),
      seenIn: null,
    }));
    const rpc = new NodePool({
      clients: [node],
      head: (it) => it.slot(),
      maxLagBlocks: 100,
      onUnhealthy: () => undefined,
    });
    const reader = new SolanaTransferReader(solanaChain as ChainWithNodes, rpc);
    expect(await reader.readTransfers(wanted)).toHaveLength(100);
  });
});
