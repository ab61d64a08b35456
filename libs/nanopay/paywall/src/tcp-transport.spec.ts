import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import {
  decodeFrame,
  encodeOutcomes,
  maxTcpMessageBytes,
  tcpMessage,
  TcpMessages,
  type FrameItem,
  type RejectedOutcome,
  type TcpMessage,
} from '@tollbridge/nanopay-protocol';
import { tcpTransport, type TcpTransportOptions } from './index';

const token = 'a token of the enclave, long enough';
const item: FrameItem = { kind: 'void', callKey: Buffer.alloc(16, 1), confirmationId: Buffer.alloc(16) };
const rejected: RejectedOutcome = {
  status: 'rejected',
  reason: 'insufficient_funds',
  retryAfterS: 0,
  approvalId: undefined,
};
type Reply = (bytes: Uint8Array) => void;

/** An enclave whose answers the test gives. */
class Enclave {
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

let enclave: Enclave;
let port: number;
const opened: ReturnType<typeof tcpTransport>[] = [];

beforeEach(async () => {
  enclave = new Enclave();
  port = await enclave.listen();
});
afterEach(async () => {
  for (const transport of opened.splice(0)) transport.close!();
  await enclave.close();
});

function guard(options: Partial<TcpTransportOptions> = {}) {
  const transport = tcpTransport({ host: '127.0.0.1', port, token, ...options });
  opened.push(transport);
  return transport;
}

describe('a connection of a guard to the enclave', () => {
  it('is made with the first payment, shows the token, and carries all that follow', async () => {
    const transport = guard();
    expect(enclave.sockets).toHaveLength(0);
    expect(await transport.send([item])).toEqual([rejected]);
    expect(await transport.send([item, item])).toEqual([rejected, rejected]);
    expect(enclave.sockets).toHaveLength(1);
    expect(enclave.tokens).toEqual([token]);
  });

  it('brings each answer to who asked, in whatever order they come', async () => {
    const replies: (() => void)[] = [];
    enclave.onMessage = ({ bytes }, reply) => {
      replies.push(() => reply(outcomesFor(bytes)));
      if (replies.length === 3) replies.reverse().forEach((each) => each());
    };
    const transport = guard();
    const told = [1, 2, 3].map((count) => transport.send(Array<FrameItem>(count).fill(item)));
    expect((await Promise.all(told)).map(({ length }) => length)).toEqual([1, 2, 3]);
  });

  it('that breaks leaves nobody waiting, and is made anew', async () => {
    enclave.onMessage = (_message, _reply, socket) => socket.destroy();
    const transport = guard();
    const told = [transport.send([item]), transport.send([item])];
    for (const each of told) await expect(each).rejects.toThrow(/connection|ECONNRESET|EPIPE/);
    enclave.onMessage = ({ bytes }, reply) => reply(outcomesFor(bytes));
    await pause(150);
    expect(await transport.send([item])).toEqual([rejected]);
    expect(enclave.sockets).toHaveLength(2);
  });

  it('that cannot be made says so at once, and is tried again ten times a second at most', async () => {
    await enclave.close();
    const transport = guard();
    const startMs = performance.now();
    for (let attempt = 0; attempt < 3; attempt++)
      await expect(transport.send([item])).rejects.toThrow('ECONNREFUSED');
    expect(performance.now() - startMs).toBeLessThan(1_000);
    enclave = new Enclave();
    await enclave.listen(port);
    await pause(150);
    expect(await transport.send([item])).toEqual([rejected]);
  });

  it('to an enclave that is starting again is waited for, by all who pay meanwhile', async () => {
    const transport = guard();
    await transport.send([item]);
    await enclave.close();
    await pause(50);
    const told = Promise.all([1, 2, 3].map(() => transport.send([item])));
    await pause(300);
    enclave = new Enclave();
    await enclave.listen(port);
    expect(await told).toEqual([[rejected], [rejected], [rejected]]);
    expect(enclave.sockets).toHaveLength(1);
  });

  it('to an enclave that does not come back is waited for no longer than for an answer', async () => {
    const transport = guard({ timeoutMs: 300 });
    await transport.send([item]);
    await enclave.close();
    await pause(50);
    const startMs = performance.now();
    await expect(transport.send([item])).rejects.toThrow('ECONNREFUSED');
    expect(performance.now() - startMs).toBeGreaterThan(150);
    expect(performance.now() - startMs).toBeLessThan(1_000);
  });

  it('to which nobody answers is given up', async () => {
    enclave.onToken = () => undefined;
    await expect(guard({ timeoutMs: 100 }).send([item])).rejects.toThrow('in time');
    await eventuallyClosed();
  });

  it('that was closed takes nothing more', async () => {
    const transport = guard();
    await transport.send([item]);
    transport.close!();
    await expect(transport.send([item])).rejects.toThrow('was closed');
  });

  it.each<[string, (socket: Socket) => void]>([
    ['ended', (socket) => socket.end()],
    ['reset', (socket) => socket.resetAndDestroy()],
  ])('that is rejected, and %s, names TEE_TCP_TOKEN', async (_name, reject) => {
    enclave.onToken = reject;
    await expect(guard().send([item])).rejects.toThrow('Check TEE_TCP_TOKEN');
  });

  it('keeps no process alive', async () => {
    const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    const before = sockets();
    await guard().send([item]);
    // That of the enclave.
    expect(sockets() - before).toBe(1);
  });

  it('is waited for so long; what comes later is of nobody, and an enclave that goes on answering is kept', async () => {
    const late: (() => void)[] = [];
    enclave.onMessage = ({ bytes }, reply) => void late.push(() => reply(outcomesFor(bytes)));
    const transport = guard({ timeoutMs: 400 });
    const first = transport.send([item]);
    await pause(200);
    const second = transport.send([item]);
    await pause(50);
    late[1]!();
    expect(await second).toEqual([rejected]);
    await expect(first).rejects.toThrow('in time');
    late[0]!();
    expect(enclave.sockets).toHaveLength(1);
  });

  it('over which nothing comes any more is given up, though nobody ended it', async () => {
    const transport = guard({ timeoutMs: 300 });
    await transport.send([item]);
    enclave.onMessage = () => undefined;
    await expect(transport.send([item])).rejects.toThrow('in time');
    enclave.onMessage = ({ bytes }, reply) => reply(outcomesFor(bytes));
    await pause(100);
    expect(await transport.send([item])).toEqual([rejected]);
    expect(enclave.sockets).toHaveLength(2);
  });

  it.each<[string, (socket: Socket) => void, string]>([
    ['too long', (socket) => socket.write(Buffer.alloc(8, 0xff)), 'too long'],
    [
      'no outcomes',
      (socket) => socket.write(tcpMessage(1, Buffer.from('{}'))),
      'Invalid reply of the payment ledger service',
    ],
  ])('is not believed when its answer is %s', async (_name, answer, error) => {
    enclave.onMessage = (_message, _reply, socket) => answer(socket);
    await expect(guard().send([item])).rejects.toThrow(error);
  });

  it.each<[string, Partial<TcpTransportOptions>]>([
    ['port', { port: 0 }],
    ['port', { port: 65_536 }],
    ['port', { port: Number.NaN }],
    ['token', { token: '' }],
  ])('is not tried with a wrong %s', (name, options) => {
    expect(() => guard(options)).toThrow(name);
  });
});

async function eventuallyClosed(): Promise<void> {
  const [socket] = enclave.sockets;
  if (!socket!.destroyed) await once(socket!, 'close');
}

const pause = (timeMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, timeMs));
