// Counts the requests that an app sends to a chain's node.
import { createServer } from 'node:http';
import { once } from 'node:events';

/**
 * The request that starts a poll reads the head of the chain.
 * @type {Record<string, (path: string, body: string) => boolean>}
 */
const beginsPoll = {
  evm: (_path, body) => asksForHead(body),
  tron: (_path, body) => asksForHead(body),
  ton: (path) => path.endsWith('/api/v3/masterchainInfo'),
  solana: (_path, body) => body.includes('"getSlot"'),
  sui: (_path, body) => body.includes('availableRange'),
};

/** Only a separate request counts: batches contain the same method to read other values at the head. */
const asksForHead = (body) =>
  !body.startsWith('[') && body.includes('"eth_getBlockByNumber"') && body.includes('"latest"');

/** Forwards requests to a node, and counts them. */
export class CountingProxy {
  requests = 0;
  polls = 0;

  /** @param {string} family @param {string} target URL of the node */
  static async open(family, target) {
    const proxy = new CountingProxy();
    proxy.family = family;
    proxy.target = new URL(target);
    proxy.server = createServer((request, reply) => void proxy.#pass(request, reply));
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  /** The URL that replaces the node's URL. */
  get url() {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${this.server.address().port}`;
    return url.href;
  }

  get counts() {
    return { requests: this.requests, polls: this.polls };
  }

  async close() {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  async #pass(request, reply) {
    const chunks = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
      const body = Buffer.concat(chunks);
      this.requests++;
      if (beginsPoll[this.family](request.url.split('?')[0], body.toString())) this.polls++;
      const { status, type, answer } = await this.#ask(request, body);
      reply.writeHead(status, { 'content-type': type }).end(answer);
    } catch {
      // The node or the app has ended the connection.
      reply.destroy();
    }
  }

  async #ask({ method, url, headers }, body) {
    const { 'content-type': contentType = 'application/json' } = headers;
    const answer = await fetch(new URL(url, this.target.origin), {
      method,
      headers: { 'content-type': contentType },
      ...(body.length > 0 && { body }),
    });
    return {
      status: answer.status,
      type: answer.headers.get('content-type') ?? 'application/json',
      answer: Buffer.from(await answer.arrayBuffer()),
    };
  }
}
