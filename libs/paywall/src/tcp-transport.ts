import { connect, type Socket } from 'node:net';
import {
  decodeOutcomes,
  encodeFrame,
  maxTcpMessageBytes,
  tcpMessage,
  TcpMessages,
  tokenNumber,
} from '@tollbridge/nanopay';
import { Replies } from './replies';
import type { Transport } from './transport';

export interface TcpTransportOptions {
  host: string;
  port: number;
  /** The enclave's `TEE_TCP_TOKEN`. */
  token: string;
  timeoutMs?: number;
}

/** So long after a connection has failed nobody tries another. */
const pauseMs = 100;
const keepAliveMs = 10_000;
const lastNumber = 0xffff_ffff;

/**
 * For sellers beside the enclave, in a network that nobody else reads: the shortest way there, over one connection that is
 * made with the first payment and again after it broke.
 */
export function tcpTransport(options: TcpTransportOptions): Transport {
  const { port, token, timeoutMs = 2_000 } = options;
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new TypeError('port is from 1 to 65535.');
  if (token === '') throw new TypeError('token is empty.');
  let link: Link | undefined;
  let triedMs = -Infinity;

  function open(): Link {
    if (link?.isOpen) return link;
    const nowMs = performance.now();
    if (nowMs - triedMs < pauseMs) throw new Error('There is no connection to the enclave.');
    triedMs = nowMs;
    return (link = new Link(options));
  }

  return {
    async send(items) {
      const outcomes = decodeOutcomes(await open().ask(encodeFrame(items), timeoutMs));
      if (!outcomes) throw new TypeError('The reply of the enclave cannot be read.');
      return outcomes;
    },
    close: () => link?.close(),
  };
}

/** One connection, from its first byte to its last. It keeps no process alive. */
class Link {
  private readonly replies = new Replies<number, Buffer>();
  private readonly messages = new TcpMessages(maxTcpMessageBytes);
  private readonly socket: Socket;
  private lastNumber = tokenNumber;
  private isWelcome = false;
  private heardMs = 0;
  private problem: Error | undefined;

  constructor({ host, port, token }: TcpTransportOptions) {
    this.socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs });
    this.socket.unref();
    this.socket.on('data', (chunk) => this.read(chunk));
    this.socket.on('error', (error) => (this.problem = error));
    this.socket.on('close', () => this.replies.failAll(this.reason()));
    this.socket.write(tcpMessage(tokenNumber, Buffer.from(token)));
  }

  get isOpen(): boolean {
    return !this.socket.destroyed && this.socket.writable;
  }

  async ask(frame: Uint8Array, timeoutMs: number): Promise<Buffer> {
    this.lastNumber = this.lastNumber === lastNumber ? 1 : this.lastNumber + 1;
    const number = this.lastNumber;
    const askedMs = performance.now();
    this.socket.write(tcpMessage(number, frame));
    try {
      return await this.replies.wait(number, timeoutMs);
    } catch (error) {
      // Nothing at all has come since: whoever was there may be gone without a word.
      if (this.heardMs < askedMs) this.close();
      throw error;
    }
  }

  close(): void {
    this.socket.destroy();
  }

  private read(chunk: Buffer): void {
    this.heardMs = performance.now();
    try {
      for (const { number, bytes } of this.messages.read(chunk)) {
        if (number === tokenNumber) this.isWelcome = true;
        else this.replies.settle(number, bytes);
      }
    } catch (error) {
      this.socket.destroy(error as Error);
    }
  }

  private reason(): Error {
    if (this.problem) return this.problem;
    const what = this.isWelcome ? 'has broken' : 'was refused: is the token that of the enclave?';
    return new Error(`The connection to the enclave ${what}`);
  }
}
