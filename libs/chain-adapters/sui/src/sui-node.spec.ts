import { NodePool } from '@tollbridge/chain-nodes';
import { nodeAddress } from './node-address';
import { suiMainnet } from './open';
import { SuiNode } from './sui-node';
import { readHead } from './checkpoint-reads';
import { replyOf, ScriptedNode } from './testing/scripted-node';

function poolOf(...nodes: ScriptedNode[]) {
  const reasons: string[] = [];
  const pool = new NodePool({
    clients: nodes.map(({ node }) => node),
    head: async (node) => (await readHead(node)).height,
    maxLagBlocks: 5,
    onUnhealthy: ({ node, reason }) => reasons.push(`${node} ${reason}`),
  });
  return { pool, reasons };
}

describe('a pool of Sui nodes', () => {
  it('uses the next node when one is down', async () => {
    const [one, two] = [new ScriptedNode(), new ScriptedNode()];
    one.isDown = true;
    const { pool, reasons } = poolOf(one, two);
    expect(await pool.ask(readHead)).toMatchObject({ height: 100 });
    expect(reasons).toEqual(['1 unavailable']);
  });

  it('skips a node that lags', async () => {
    const [one, two] = [new ScriptedNode(), new ScriptedNode()];
    one.head = 50;
    const { pool, reasons } = poolOf(one, two);
    expect(await pool.ask(readHead)).toMatchObject({ height: 100 });
    expect(reasons).toEqual(['1 lagging']);
  });

  it('never uses a node of another network', async () => {
    const [one, two] = [new ScriptedNode(), new ScriptedNode()];
    one.network = '4c78adac';
    const { pool, reasons } = poolOf(one, two);
    expect(await pool.ask(readHead)).toMatchObject({ height: 100 });
    expect(reasons).toEqual(['1 badReply']);
    await expect(poolOf(one).pool.ask(readHead)).rejects.toThrow('the node serves network 4c78adac');
  });
});

describe('SuiNode', () => {
  const answering = (status: number, text: string) =>
    new SuiNode({
      url: 'https://node.test',
      chainIdentifier: suiMainnet,
      fetch: async () => replyOf(status, text),
    });

  it.each([
    ['an error of GraphQL', 200, '{"data":null,"errors":[{"message":"Internal error"}]}', 'badReply'],
    ['no JSON', 200, '<html>', 'badReply'],
    ['nothing', 200, '', 'badReply'],
    ['a text', 200, '"ok"', 'badReply'],
    ['a rejected key', 401, '{}', 'unavailable'],
    ['an unknown path', 404, 'not found', 'unavailable'],
    ['an outage', 503, '', 'unavailable'],
    ['a limit', 429, '', 'rateLimited'],
  ])('allows a retry at the next node after %s', async (_name, status, text, kind) => {
    await expect(readHead(answering(status, text))).rejects.toMatchObject({ name: 'ProviderError', kind });
  });
});

describe('nodeAddress', () => {
  it.each([
    ['https://node.test/graphql?key=1', 'https://node.test/graphql?key=1', {}],
    ['https://x-api-key:se%2Fcret@node.test/', 'https://node.test/', { 'x-api-key': 'se/cret' }],
    ['https://user:word@node.test/', 'https://node.test/', { authorization: 'Basic dXNlcjp3b3Jk' }],
  ])('splits %s', (url, baseUrl, headers) => {
    expect(nodeAddress(url)).toEqual({ baseUrl, headers });
  });
});
