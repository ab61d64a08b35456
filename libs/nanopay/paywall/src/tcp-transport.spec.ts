import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import {
  decodeFrame,
  encodeOutcomes,
  maxTcpMessageBytes,
  tcpMessage,
  TcpMessages,
  type FrameItem,
  type TcpMessage,
} from '@tollbridge/nanopay-protocol';
import { aRejectedOutcome } from '@tollbridge/nanopay-protocol/testing';
import { eventually } from '@tollbridge/testing';
import { tcpTransport, type TcpTransportOptions } from './index';

const token = 'a token of the ledger service, long enough';
const item: FrameItem = { kind: 'void', callKey: Buffer.alloc(16, 1), confirmationId: Buffer.alloc(16) };
const rejected = aRejectedOutcome();
type Reply = (bytes: Uint8Array) => void;

/** A fake ledger service. The test sets its replies. */
class FakeLedger {
  readonly sockets: Socket[] = [];
  readonly tokens: string[] = [];
  onMessage: (message: TcpMessage, reply: Reply, socket: Socket) => void = ({ bytes }, reply) =>
    reply(outcomesFor(bytes));
  onToken: (socket: Socket) => void = (socket) => socket.write(tcpMessage(0, Buffer.alloc(0)));
  private readonly server: Server = createServer((socket) => this.accept(socket));

  async listen(port = 0): Promise<number> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private accept(socket: Socket): void {
    this.sockets.push(socket);
    const messages = new TcpMessages(maxTcpMessageBytes);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      for (const message of messages.read(chunk)) {
        const { number, bytes } = message;
        if (number > 0) this.onMessage(message, (reply) => socket.write(tcpMessage(number, reply)), socket);
        else {
          this.tokens.push(bytes.toString());
          this.onToken(socket);
        }
      }
    });
  }
}

const outcomesFor = (frame: Uint8Array): Buffer => encodeOutcomes(decodeFrame(frame)!.map(() => rejected));

let ledger: FakeLedger;
let port: number;
const opened: ReturnType<typeof tcpTransport>[] = [];

beforeEach(async () => {
  ledger = new FakeLedger();
  port = await ledger.listen();
});
afterEach(async () => {
  for (const transport of opened.splice(0)) transport.close!();
  await ledger.close();
});

function openTransport(options: Partial<TcpTransportOptions> = {}) {
  const transport = tcpTransport({ host: '127.0.0.1', port, token, timeoutMs: 30_000, ...options });
  opened.push(transport);
  return transport;
}

describe('tcpTransport', () => {
  it('connects at the first payment, sends the token, and reuses the connection', async () => {
    const transport = openTransport();
    expect(ledger.sockets).toHaveLength(0);
    expect(await transport.send([item])).toEqual([rejected]);
    expect(await transport.send([item, item])).toEqual([rejected, rejected]);
    expect(ledger.sockets).toHaveLength(1);
    expect(ledger.tokens).toEqual([token]);
  });

  it('resolves each message with its own reply, in any order', async () => {
    const replies: (() => void)[] = [];
    ledger.onMessage = ({ bytes }, reply) => {
      replies.push(() => reply(outcomesFor(bytes)));
      if (replies.length === 3) replies.reverse().forEach((each) => each());
    };
    const transport = openTransport();
    const outcomes = [1, 2, 3].map((count) => transport.send(Array<FrameItem>(count).fill(item)));
    expect((await Promise.all(outcomes)).map(({ length }) => length)).toEqual([1, 2, 3]);
  });

  it('rejects pending messages when the connection breaks, and reconnects', async () => {
    ledger.onMessage = (_message, _reply, socket) => socket.destroy();
    const transport = openTransport();
    const outcomes = [transport.send([item]), transport.send([item])];
    for (const each of outcomes) await expect(each).rejects.toThrow(/connection|ECONNRESET|EPIPE/);
    ledger.onMessage = ({ bytes }, reply) => reply(outcomesFor(bytes));
    await pause(150);
    expect(await transport.send([item])).toEqual([rejected]);
    expect(ledger.sockets).toHaveLength(2);
  });

  it('fails immediately when it cannot connect, and retries at most ten times a second', async () => {
    await ledger.close();
    const transport = openTransport();
    const startMs = performance.now();
    for (let attempt = 0; attempt < 3; attempt++)
      await expect(transport.send([item])).rejects.toThrow('ECONNREFUSED');
    expect(performance.now() - startMs).toBeLessThan(3_000);
    ledger = new FakeLedger();
    await ledger.listen(port);
    await pause(150);
    expect(await transport.send([item])).toEqual([rejected]);
  });

  it('waits while a ledger service restarts', async () => {
    const transport = openTransport();
    await transport.send([item]);
    await ledger.close();
    await pause(50);
    const outcomes = Promise.all([1, 2, 3].map(() => transport.send([item])));
    await pause(300);
    ledger = new FakeLedger();
    await ledger.listen(port);
    expect(await outcomes).toEqual([[rejected], [rejected], [rejected]]);
    expect(ledger.sockets).toHaveLength(1);
  });

  it('waits for a ledger service that stays down no longer than the time-out of a reply', async () => {
    const transport = openTransport({ timeoutMs: 2_000 });
    await transport.send([item]);
    await ledger.close();
    await pause(50);
    const startMs = performance.now();
    await expect(transport.send([item])).rejects.toThrow('ECONNREFUSED');
    expect(performance.now() - startMs).toBeGreaterThan(1_000);
    expect(performance.now() - startMs).toBeLessThan(6_000);
  });

  it('times out when no reply arrives', async () => {
    ledger.onToken = () => undefined;
    await expect(openTransport({ timeoutMs: 100 }).send([item])).rejects.toThrow('in time');
    await eventuallyClosed();
  });

  it('rejects messages after close', async () => {
    const transport = openTransport();
    await transport.send([item]);
    transport.close!();
    await expect(transport.send([item])).rejects.toThrow('was closed');
  });

  it.each<[string, (socket: Socket) => void]>([
    ['ended', (socket) => socket.end()],
    ['reset', (socket) => socket.resetAndDestroy()],
  ])('mentions TEE_TCP_TOKEN when the connection is rejected and %s', async (_name, reject) => {
    ledger.onToken = reject;
    await expect(openTransport().send([item])).rejects.toThrow('Check TEE_TCP_TOKEN');
  });

  it('does not keep the process alive', async () => {
    const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    const before = sockets();
    await openTransport().send([item]);
    // The remaining socket is the ledger's.
    expect(sockets() - before).toBe(1);
  });

  it('ignores a late reply and keeps the connection of a ledger service that still replies', async () => {
    const late: (() => void)[] = [];
    ledger.onMessage = ({ bytes }, reply) => void late.push(() => reply(outcomesFor(bytes)));
    const transport = openTransport({ timeoutMs: 3_000 });
    const first = transport.send([item]);
    const timedOut = expect(first).rejects.toThrow('in time');
    await eventually(() => expect(late).toHaveLength(1));
    await pause(200);
    const second = transport.send([item]);
    await eventually(() => expect(late).toHaveLength(2));
    late[1]!();
    expect(await second).toEqual([rejected]);
    await timedOut;
    late[0]!();
    expect(ledger.sockets).toHaveLength(1);
  });

  it('reconnects when no data arrives over an open connection', async () => {
    const transport = openTransport({ timeoutMs: 2_000 });
    await transport.send([item]);
    ledger.onMessage = () => undefined;
    await expect(transport.send([item])).rejects.toThrow('in time');
    ledger.onMessage = ({ bytes }, reply) => reply(outcomesFor(bytes));
    await pause(100);
    expect(await transport.send([item])).toEqual([rejected]);
    expect(ledger.sockets).toHaveLength(2);
  });

  it.each<[string, (socket: Socket) => void, string]>([
    ['too long', (socket) => socket.write(Buffer.alloc(8, 0xff)), 'too long'],
    [
      'no outcomes',
      (socket) => socket.write(tcpMessage(1, Buffer.from('{}'))),
      'Invalid reply of the payment ledger service',
    ],
  ])('rejects a reply that is %s', async (_name, answer, error) => {
    ledger.onMessage = (_message, _reply, socket) => answer(socket);
    await expect(openTransport().send([item])).rejects.toThrow(error);
  });

  it.each<[string, Partial<TcpTransportOptions>]>([
    ['port', { port: 0 }],
    ['port', { port: 65_536 }],
    ['port', { port: Number.NaN }],
    ['token', { token: '' }],
  ])('rejects a wrong %s', (name, options) => {
    expect(() => openTransport(options)).toThrow(name);
  });
});

async function eventuallyClosed(): Promise<void> {
  await eventually(() => expect(ledger.sockets[0]?.destroyed).toBe(true));
}

const pause = (timeMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, timeMs));
