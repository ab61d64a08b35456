import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { CountingProxy } from './counting-proxy.mjs';

let node;
let url;
before(async () => {
  node = createServer(async (request, reply) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    reply.writeHead(202, { 'content-type': 'text/plain' }).end(`${request.method} ${request.url} ${body}`);
  });
  node.listen(0, '127.0.0.1');
  await once(node, 'listening');
  url = `http://127.0.0.1:${node.address().port}`;
});
after(() => node.close());

async function through(family, path, requests) {
  const proxy = await CountingProxy.open(family, `${url}${path}`);
  try {
    for (const request of requests) await (await fetch(proxy.url, { method: 'POST', body: request })).text();
    return proxy.counts;
  } finally {
    await proxy.close();
  }
}

describe('CountingProxy', () => {
  it('forwards a request and its reply', async () => {
    const proxy = await CountingProxy.open('sui', `${url}/graphql`);
    const reply = await fetch(`${proxy.url}?a=b`, { method: 'POST', body: 'question' });
    assert.equal(reply.status, 202);
    assert.equal(reply.headers.get('content-type'), 'text/plain');
    assert.equal(await reply.text(), 'POST /graphql?a=b question');
    await proxy.close();
  });

  it('counts a request for the head of an EVM chain as a poll, and a batch with it as a request', async () => {
    const head = { method: 'eth_getBlockByNumber', params: ['latest', false] };
    const requests = [head, [head, head], { method: 'eth_getLogs' }].map((it) => JSON.stringify(it));
    assert.deepEqual(await through('evm', '/', requests), { requests: 3, polls: 1 });
  });

  it('counts the first request of a poll on each other network', async () => {
    const polls = {
      ton: ['/api/v3/masterchainInfo', ''],
      solana: ['/', '{"method":"getSlot"}'],
      tron: ['/jsonrpc', '{"method":"eth_getBlockByNumber","params":["latest",false]}'],
      sui: ['/graphql', '{"query":"{ availableRange }"}'],
    };
    for (const [family, [path, body]] of Object.entries(polls))
      assert.deepEqual(await through(family, path, [body]), { requests: 1, polls: 1 }, family);
    assert.deepEqual(await through('ton', '/api/v2/jsonRPC', ['{}']), { requests: 1, polls: 0 });
  });

  it('ends the connection when the node does not answer', async () => {
    const proxy = await CountingProxy.open('sui', 'http://127.0.0.1:9/');
    await assert.rejects(fetch(proxy.url));
    assert.equal(proxy.requests, 1);
    await proxy.close();
  });
});
