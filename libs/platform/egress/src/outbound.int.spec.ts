import { closedUrl, startHttpServer, type HttpServer } from '@tollbridge/testing';
import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Outbound, type OutboundOptions, type OutboundRequest } from './outbound';
import type { ResolvedAddress } from './resolve-name';
import { certificate } from './testing/certificate';
import { insideSpellings } from './testing/inside-spellings';

const request: OutboundRequest = {
  headers: { 'content-type': 'application/json' },
  body: '{"a":"é"}',
  timeoutMs: 5_000,
};
const loopback: ResolvedAddress = { address: '127.0.0.1', family: 4 };
const opened: Outbound[] = [];
let closing: (() => unknown)[] = [];

function outbound(url: string, options: Partial<OutboundOptions> = {}): Outbound {
  const made = new Outbound(url, { reach: 'public-or-loopback', ...options });
  opened.push(made);
  return made;
}
const failure = (work: () => Promise<unknown>): Promise<unknown> =>
  Promise.resolve()
    .then(work)
    .then(
      () => 'none',
      (error: { failure?: string }) => error.failure ?? error,
    );

async function server(answer: Parameters<typeof startHttpServer>[0] = () => ({})): Promise<HttpServer> {
  const started = await startHttpServer(answer);
  closing.push(() => started.close());
  return started;
}
/** A plain TCP server. */
async function listen(take: (socket: Socket) => void, port = 0, host = '127.0.0.1'): Promise<number> {
  const sockets = new Set<Socket>();
  const started: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    take(socket);
  });
  started.listen(port, host);
  await once(started, 'listening');
  closing.push(() => {
    sockets.forEach((socket) => socket.destroy());
    return once(started.close(), 'close');
  });
  return (started.address() as AddressInfo).port;
}
const listenAndAnswer = (text: string) => listen((socket) => socket.once('data', () => socket.end(text)));

afterEach(async () => {
  opened.splice(0).forEach((each) => each.close());
  await Promise.all(closing.map((close) => close()));
  closing = [];
});

describe('Outbound.post', () => {
  it('sends the request and returns the status and headers of the reply', async () => {
    const receiver = await server(() => ({ status: 202, headers: { 'retry-after': '7' }, body: 'thanks' }));
    const reply = await outbound(`${receiver.url}/hook?a=b`).post(request);
    expect([reply.status, reply.header('Retry-After'), reply.header('x-none')]).toEqual([
      202,
      '7',
      undefined,
    ]);
    const [seen] = receiver.requests;
    expect(seen).toMatchObject({ method: 'POST', path: '/hook', body: request.body });
    expect(seen!.query.get('a')).toBe('b');
    expect(seen!.headers).toMatchObject({ host: new URL(receiver.url).host, 'content-length': '10' });
  });

  it('follows no redirect', async () => {
    const target = await server();
    const receiver = await server(() => ({ status: 307, headers: { location: target.url } }));
    expect(await outbound(receiver.url).post(request)).toMatchObject({ status: 307 });
    expect(target.requests).toEqual([]);
  });

  it('reuses its connection, and opens a new one when the server has closed it', async () => {
    let connections = 0;
    const port = await listen((socket) => {
      connections += 1;
      let requests = 0;
      socket.on('data', () => {
        // Each connection breaks at its third request, like an idle connection that the server closes.
        if (++requests === 3) socket.destroy();
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      });
    });
    const reused = outbound(`http://127.0.0.1:${port}`);
    for (let sent = 0; sent < 5; sent++)
      expect(await reused.post({ ...request, body: '' })).toMatchObject({ status: 200 });
    expect(connections).toBe(3);
  });

  it.each([
    ['never ends', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nbegun')],
    ['is cut off', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nhalf')],
    [
      'sends bytes for ever',
      (socket: Socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        const more = (): void =>
          void (socket.writable && socket.write(Buffer.alloc(65_536), () => setImmediate(more)));
        more();
      },
    ],
  ])('returns the status of a reply with a body that %s', async (_name, answer) => {
    const port = await listen((socket) => socket.once('data', () => answer(socket)));
    const url = `http://127.0.0.1:${port}`;
    const startedMs = performance.now();
    expect(await outbound(url).post(request)).toMatchObject({ status: 200 });
    expect(performance.now() - startedMs).toBeLessThan(3_000);
  });

  it('stops reading a reply after 64 KiB', async () => {
    let written = 0;
    const port = await listen((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        const more = (): void =>
          void (
            socket.writable &&
            socket.write(Buffer.alloc(16_384), () => ((written += 16_384), setImmediate(more)))
          );
        more();
      }),
    );
    await outbound(`http://127.0.0.1:${port}`).post(request);
    expect(written).toBeLessThan(16 * 1024 * 1024);
  });
});

describe('Outbound.post without a reply', () => {
  it('fails as unreachable when no server listens', async () => {
    expect(await failure(async () => outbound(await closedUrl()).post(request))).toBe('unreachable');
  });

  it('fails at its time-out when the server is silent, sends single bytes, or the name is not resolved', async () => {
    const silent = await listen(() => undefined);
    const slow = await listen((socket) => {
      const timer = setInterval(() => socket.write('H'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    const brief = { ...request, timeoutMs: 200 };
    const unanswered = outbound('http://hooks.example.com', { resolve: () => new Promise(() => undefined) });
    for (const post of [
      () => outbound(`http://127.0.0.1:${silent}`).post(brief),
      () => unanswered.post(brief),
    ]) {
      const startedMs = performance.now();
      expect(await failure(post)).toBe('timeout');
      expect(performance.now() - startedMs).toBeLessThan(3_000);
    }
    expect(['timeout', 'malformed']).toContain(
      await failure(() => outbound(`http://127.0.0.1:${slow}`).post(brief)),
    );
  });

  it.each([
    ['closes the connection early', '', 'closed'],
    ['speaks another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'malformed'],
    ['sends endless headers', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}`, 'malformed'],
    [
      'switches the protocol',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      'closed',
    ],
  ])('fails when the server %s', async (_name, text, expected) => {
    const port = await listenAndAnswer(text);
    expect(await failure(() => outbound(`http://127.0.0.1:${port}`).post(request))).toBe(expected);
  });

  it('fails as unresolved when the name has no address', async () => {
    // Without a reachable name server the request times out.
    expect(['unresolved', 'timeout']).toContain(
      await failure(() => outbound('https://no-such-name.invalid').post(request)),
    );
  });
});

describe('Outbound over https', () => {
  async function secure(): Promise<{ port: number; names: (string | undefined)[] }> {
    const names: (string | undefined)[] = [];
    const started = createHttpsServer(certificate, (message, response) => {
      names.push(
        `${(message.socket as { servername?: string }).servername} ${message.headers.host?.split(':')[0]}`,
      );
      response.end('ok');
    });
    started.listen(0, '127.0.0.1');
    await once(started, 'listening');
    closing.push(() => {
      started.closeAllConnections();
      return once(started.close(), 'close');
    });
    return { port: (started.address() as AddressInfo).port, names };
  }
  const resolve = async () => [loopback];

  it('connects to the checked address, and verifies the certificate by the name', async () => {
    const { port, names } = await secure();
    const options = { resolve, ca: certificate.cert };
    const reply = await outbound(`https://hooks.example.com:${port}`, options).post(request);
    expect([reply.status, names]).toEqual([200, ['hooks.example.com hooks.example.com']]);
  });

  it('sends nothing to a server with a certificate for another name or of an unknown CA', async () => {
    const { port, names } = await secure();
    const ca = certificate.cert;
    const post = (name: string, options: Partial<OutboundOptions>) =>
      failure(() => outbound(`https://${name}:${port}`, { resolve, ...options }).post(request));
    expect(await post('other.example.com', { ca })).toBe('insecure');
    expect(await post('hooks.example.com', {})).toBe('insecure');
    expect(names).toEqual([]);
  });

  it('fails as insecure when the server does not speak TLS', async () => {
    const receiver = await server();
    const { port } = new URL(receiver.url);
    expect(
      await failure(() => outbound(`https://hooks.example.com:${port}`, { resolve }).post(request)),
    ).toBe('insecure');
    expect(receiver.requests).toEqual([]);
  });
});

describe('Outbound to internal addresses', () => {
  // This port is allowed outside the sandbox, so that only the address can cause the rejection.
  const port = 8_443;

  it('rejects every spelling of an internal host, and opens no connection', async () => {
    let connections = 0;
    for (const host of ['127.0.0.1', '::1']) await listen(() => void connections++, port, host);
    const brief = { ...request, timeoutMs: 1_000 };
    for (const host of insideSpellings) {
      const post = () => outbound(`https://${host}:${port}/`, { reach: 'public' }).post(brief);
      expect([host, await failure(post)]).toEqual([host, 'refused']);
    }
    expect(connections).toBe(0);
  });

  it.each([
    ['that is a loopback address', ['127.0.0.1']],
    ['that is a loopback address of IPv6', ['::1']],
    ['that is mapped to IPv6', ['::ffff:127.0.0.1']],
    ['in NAT64', ['64:ff9b::7f00:1']],
    ['in 6to4', ['2002:7f00:1::1']],
    ['in Teredo', ['2001:0:7f00:1::80ff:fffe']],
    ['of this machine', ['0.0.0.0']],
    ["of the cloud's metadata service", ['169.254.169.254']],
    ['beside a public one', ['93.184.215.14', '127.0.0.1']],
    ['after public IPv6 and IPv4 addresses', ['2606:2800:21f::1', '93.184.215.14', '10.0.0.1']],
    ['list that is empty', []],
  ])('rejects a name with an address %s', async (_name, addresses) => {
    let connections = 0;
    for (const host of ['127.0.0.1', '::1']) await listen(() => void connections++, port, host);
    const found = addresses.map(
      (address) => ({ address, family: address.includes(':') ? 6 : 4 }) as ResolvedAddress,
    );
    const resolve = async () => found;
    const post = () =>
      outbound(`https://hooks.example.com:${port}`, { reach: 'public', resolve }).post(request);
    expect(await failure(post)).toBe('refused');
    expect(connections).toBe(0);
  });

  it('connects only to the checked address when the name resolves to another address later', async () => {
    let connections = 0;
    const free = await listen(() => void connections++);
    const answers = [{ address: '127.0.0.2', family: 4 as const }, loopback];
    let asked = 0;
    const resolve = async () => [answers[Math.min(asked++, 1)]!];
    const rebinding = outbound(`http://hooks.example.com:${free}`, { resolve });
    for (let sent = 0; sent < 2; sent++)
      expect(['timeout', 'unreachable']).toContain(
        await failure(() => rebinding.post({ ...request, timeoutMs: 300 })),
      );
    expect([asked, connections]).toEqual([1, 0]);
  });

  it('connects to this machine in the sandbox, at the checked address', async () => {
    const [first, second] = [await server(), await server()];
    const answers = [loopback, { address: '127.0.0.2', family: 4 as const }];
    let asked = 0;
    const resolve = async () => [answers[asked++]!];
    const reused = outbound(`http://hooks.example.com:${new URL(first.url).port}`, { resolve });
    await reused.post(request);
    await reused.post(request);
    expect([first.requests.length, second.requests.length, asked]).toEqual([2, 0, 1]);
    expect(await outbound(first.url.replace('127.0.0.1', 'localhost')).post(request)).toMatchObject({
      status: 200,
    });
  });
});
