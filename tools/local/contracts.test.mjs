import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { areDeployed, noteDeployed } from './contracts.mjs';
import { Directory } from './directory.mjs';

const others = { networks: ['ton'], simulators: 9207 };
const pay = '0x1111111111111111111111111111111111111111';
const router = '0x2222222222222222222222222222222222222222';

/** Code by address, as the node returns it. */
let codes;
/** @type {string} */
let url;
/** @type {Directory} */
let directory;
const node = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const replies = JSON.parse(body).map((/** @type {any} */ { id, params: [address] }) => ({
    id,
    result: codes[address] ?? '0x',
  }));
  // A node may return the replies of a batch in any order.
  response.end(JSON.stringify(replies.reverse()));
});

before(async () => {
  node.listen(0, '127.0.0.1');
  await once(node, 'listening');
  const address = node.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : ''}`;
});
after(() => node.close());

beforeEach(() => {
  directory = new Directory(mkdtempSync(join(tmpdir(), 'tollbridge-contracts-')));
  codes = { [pay]: '0x60', [router]: '0x61' };
  const chain = {
    chainId: 8453,
    rpcUrl: url,
    payContract: pay,
    uniswapV3: { router },
    tokens: [{ address: null }],
  };
  directory.writeJson('world.json', { chains: [chain] });
  directory.writeJson('chains.json', { chains: [] });
  noteDeployed(directory, others);
});

describe('the check of contracts', () => {
  it('finds them deployed if every address has code', async () => {
    assert.equal(await areDeployed(directory, [url], others), true);
  });

  it('requires a deployment if other networks are selected, or their simulators have a new address', async () => {
    assert.equal(await areDeployed(directory, [url], { ...others, networks: [] }), false);
    assert.equal(await areDeployed(directory, [url], { ...others, simulators: 9208 }), false);
  });

  it('requires a deployment if one address has no code', async () => {
    codes[router] = '0x';
    assert.equal(await areDeployed(directory, [url], others), false);
  });

  it('requires a deployment if the node has another address', async () => {
    assert.equal(await areDeployed(directory, ['http://127.0.0.1:1'], others), false);
  });

  it('requires a deployment if the last one was interrupted or used other code', async () => {
    directory.writeJson('contracts.json', { build: 'other' });
    assert.equal(await areDeployed(directory, [url], others), false);
    rmSync(directory.file('contracts.json'));
    assert.equal(await areDeployed(directory, [url], others), false);
  });
});
