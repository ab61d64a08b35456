import { closedUrl, startHttpServer, type HttpServer } from '@tollbridge/testing';
import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Outbound, type OutboundOptions, type OutboundRequest } from './outbound';
import type { ResolvedAddress } from './resolve-name';
import { certificate } from './testing/certificate';
import { insideSpellings } from './testing/inside-spellings';

jest.setTimeout(30_000);

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
/** A server of bare bytes. */
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
const answering = (text: string) => listen((socket) => socket.once('data', () => socket.end(text)));

afterEach(async () => {
  opened.splice(0).forEach((each) => each.close());
  await Promise.all(closing.map((close) => close()));
  closing = [];
});

describe('a request', () => {
  it('arrives as it was made, and says what was answered', async () => {
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

  it('uses its connection again, and another when the server has closed it meanwhile', async () => {
    let connections = 0;
    const port = await listen((socket) => {
      connections += 1;
      let requests = 0;
      socket.on('data', () => {
        // Each connection dies with its third request, as one that was kept too long.
        if (++requests === 3) socket.destroy();
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      });
    });
    const kept = outbound(`http://127.0.0.1:${port}`);
    for (let sent = 0; sent < 5; sent++)
      expect(await kept.post({ ...request, body: '' })).toMatchObject({ status: 200 });
    expect(connections).toBe(3);
  });

  it.each([
    ['that never ends', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nbegun')],
    ['that is cut', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nhalf')],
    [
      'that is endless',
      (socket: Socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        const more = (): void =>
          void (socket.writable && socket.write(Buffer.alloc(65_536), () => setImmediate(more)));
        more();
      },
    ],
  ])('is answered by the status, whatever follows: a body %s', async (_name, answer) => {
    const port = await listen((socket) => socket.once('data', () => answer(socket)));
    const url = `http://127.0.0.1:${port}`;
    const startedMs = performance.now();
    expect(await outbound(url).post(request)).toMatchObject({ status: 200 });
    expect(performance.now() - startedMs).toBeLessThan(3_000);
  });

  it('reads no more of an answer than 64 KiB, and what the system holds ready', async () => {
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

describe('a request without an answer', () => {
  it('says that nobody listens', async () => {
    expect(await failure(async () => outbound(await closedUrl()).post(request))).toBe('unreachable');
  });

  it('ends when its time is over: silent, one byte at a time, or while its name is asked for', async () => {
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
      expect(performance.now() - startedMs).toBeLessThan(1_000);
    }
    expect(['timeout', 'malformed']).toContain(
      await failure(() => outbound(`http://127.0.0.1:${slow}`).post(brief)),
    );
  });

  it.each([
    ['closes early', '', 'closed'],
    ['speaks something else', 'SSH-2.0-OpenSSH_9.2\r\n', 'malformed'],
    ['sends headers without end', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}`, 'malformed'],
    [
      'changes the protocol',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      'closed',
    ],
  ])('says so: it %s', async (_name, text, expected) => {
    const port = await answering(text);
    expect(await failure(() => outbound(`http://127.0.0.1:${port}`).post(request))).toBe(expected);
  });

  it('says that a name has no address', async () => {
    // Without a name server nobody says so in time.
    expect(['unresolved', 'timeout']).toContain(
      await failure(() => outbound('https://no-such-name.invalid').post(request)),
    );
  });
});

describe('https', () => {
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

  it('asks the checked address for the name, and checks the certificate by it', async () => {
    const { port, names } = await secure();
    const options = { resolve, ca: certificate.cert };
    const reply = await outbound(`https://hooks.example.com:${port}`, options).post(request);
    expect([reply.status, names]).toEqual([200, ['hooks.example.com hooks.example.com']]);
  });

  it('sends nothing to who has no certificate of that name, or one that nobody vouches for', async () => {
    const { port, names } = await secure();
    const ca = certificate.cert;
    const post = (name: string, options: Partial<OutboundOptions>) =>
      failure(() => outbound(`https://${name}:${port}`, { resolve, ...options }).post(request));
    expect(await post('other.example.com', { ca })).toBe('insecure');
    expect(await post('hooks.example.com', {})).toBe('insecure');
    expect(names).toEqual([]);
  });

  it('is not spoken with who does not speak it', async () => {
    const receiver = await server();
    const { port } = new URL(receiver.url);
    expect(
      await failure(() => outbound(`https://hooks.example.com:${port}`, { resolve }).post(request)),
    ).toBe('insecure');
    expect(receiver.requests).toEqual([]);
  });
});

describe('nothing leads inside', () => {
  // One of the two ports that are allowed outside of the sandbox, so that only the address can be what is refused.
  const port = 8_443;

  it('by any spelling: nobody is even connected to', async () => {
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
    ['that is inside', ['127.0.0.1']],
    ['that is inside, in IPv6', ['::1']],
    ['that is mapped', ['::ffff:127.0.0.1']],
    ['by NAT64', ['64:ff9b::7f00:1']],
    ['by 6to4', ['2002:7f00:1::1']],
    ['by Teredo', ['2001:0:7f00:1::80ff:fffe']],
    ['of this machine', ['0.0.0.0']],
    ['of the cloud', ['169.254.169.254']],
    ['beside a public one', ['93.184.215.14', '127.0.0.1']],
    ['behind a public one of IPv6', ['2606:2800:21f::1', '93.184.215.14', '10.0.0.1']],
    ['that does not exist', []],
  ])('by a name with an address %s', async (_name, addresses) => {
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

  it('by a name that means something else after it was checked', async () => {
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

  it('but the sandbox reaches this machine, and there too the address that was checked', async () => {
    const [first, second] = [await server(), await server()];
    const answers = [loopback, { address: '127.0.0.2', family: 4 as const }];
    let asked = 0;
    const resolve = async () => [answers[asked++]!];
    const kept = outbound(`http://hooks.example.com:${new URL(first.url).port}`, { resolve });
    await kept.post(request);
    await kept.post(request);
    expect([first.requests.length, second.requests.length, asked]).toEqual([2, 0, 1]);
    expect(await outbound(first.url.replace('127.0.0.1', 'localhost')).post(request)).toMatchObject({
      status: 200,
    });
  });
});
