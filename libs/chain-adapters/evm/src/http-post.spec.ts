import { httpSender } from '@tollbridge/http';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { postJson } from './http-post';
import type { RpcError } from './rpc-error';
import { parseRpcUrl } from './rpc-url';
import { errorOf } from './testing/test-rpc';

const key = 's3cr3tkey0123456';

// Uses a real server, because the behaviour of the HTTP client is under test.
describe('postJson', () => {
  let server: Server;
  let port: number;
  let answer: (request: IncomingMessage, response: ServerResponse, body: string) => void;
  const sockets = new Set<Socket>();

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk)).on('end', () => answer(request, response, body));
    });
    server.on('connection', (socket) => sockets.add(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const post = (limits: { timeoutMs?: number; maxReplyBytes?: number } = {}, userinfo = '', to = port) =>
    postJson(parseRpcUrl(`http://${userinfo}127.0.0.1:${to}/v2/${key}`, 1), '{"id":1}', {
      fetch: httpSender(),
      timeoutMs: 5_000,
      maxReplyBytes: 1_000,
      ...limits,
    });

  const failure = async (promise: Promise<unknown>): Promise<RpcError> => {
    const error = await errorOf(promise);
    expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain(key);
    expect(error.cause).toBeUndefined();
    return error;
  };

  it('sends JSON with the credentials of the URL, and returns status, Retry-After and body', async () => {
    answer = (request, response, body) => {
      response.writeHead(503, { 'retry-after': '7' });
      const { method, url, headers } = request;
      response.end(JSON.stringify([method, url, headers.authorization, headers['content-type'], body]));
    };
    const { status, retryAfter, body } = await post({}, 'me:pw@');
    expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: '7' });
    const basic = `Basic ${Buffer.from('me:pw').toString('base64')}`;
    expect(JSON.parse(body)).toEqual(['POST', `/v2/${key}`, basic, 'application/json', '{"id":1}']);
  });

  it('reuses the connection for the next post', async () => {
    answer = (_request, response) => response.end('{}');
    await post();
    const before = sockets.size;
    await post();
    await post();
    expect(sockets.size).toBe(before);
  });

  it.each([
    ['announced', (response: ServerResponse) => response.end('x'.repeat(1_001))],
    [
      'with endless chunks',
      (response: ServerResponse) => void setInterval(() => response.write('x'.repeat(10)), 0).unref(),
    ],
    [
      'packed',
      (response: ServerResponse) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(1_001))),
    ],
  ])('aborts a reply that is too large: %s', async (_title, reply) => {
    let closed = false;
    answer = (_request, response) => {
      response.on('close', () => (closed = true));
      reply(response);
    };
    const { kind, reason } = await failure(post({ timeoutMs: 60_000 }));
    expect({ kind, reason }).toEqual({ kind: 'badReply', reason: 'replyTooLarge' });
    for (const deadline = Date.now() + 5_000; !closed && Date.now() < deadline;) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(closed).toBe(true);
  });

  it('accepts a reply of exactly the maximum size', async () => {
    answer = (_request, response) => response.end('x'.repeat(1_000));
    expect((await post()).body).toHaveLength(1_000);
  });

  it.each([
    ['before the head of the reply', () => undefined],
    ['in the middle of the body', (response: ServerResponse) => void response.write('{')],
  ])('times out %s', async (_title, stall) => {
    answer = (_request, response) => stall(response);
    const { kind, reason, message } = await failure(post({ timeoutMs: 50 }));
    expect({ kind, reason }).toEqual({ kind: 'unavailable', reason: 'timeout' });
    expect(message).toBe(`#1 http://127.0.0.1:${port}/…: no answer within 50 ms`);
  });

  it('follows no redirect', async () => {
    const seen: string[] = [];
    answer = (request, response) => {
      seen.push(request.url!);
      response.writeHead(307, { location: '/elsewhere' }).end();
    };
    expect((await failure(post())).reason).toBe('connection');
    expect(seen).toEqual([`/v2/${key}`]);
  });

  it('reports only the cause of a failed connection', async () => {
    answer = (request) => request.socket.destroy();
    expect((await failure(post())).message).toMatch(/connection failed \([A-Z_]+\)$/);
    // Port 1 is reserved and nothing listens on it.
    const rejected = await failure(post({}, '', 1));
    expect(rejected.message).toContain('connection failed');
    expect(rejected.kind).toBe('unavailable');
  });
});
