import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import {
  decodeOutcomes,
  encodeFrame,
  maxTcpMessageBytes,
  tcpMessage,
  TcpMessages,
  tokenNumber,
} from '@tollbridge/nanopay-protocol';
import { Replies } from './replies';
import type { Transport } from './transport';

export interface TcpTransportOptions {
  host: string;
  port: number;
  /** `TEE_TCP_TOKEN` of the ledger service. */
  token: string;
  timeoutMs?: number;
}

/** Pause between two attempts to connect. */
const pauseMs = 100;
const keepAliveMs = 10_000;
const maxNumber = 0xffff_ffff;
/** Limit for a service that answers but stops reading. */
const maxUnsentBytes = 8_000_000;

/**
 * The fastest transport, for sellers in the private network of the payment ledger service. It opens a connection with
 * the first payment, and reconnects when the connection breaks. After its first successful connection it waits for a
 * service that restarts.
 */
export function tcpTransport(options: TcpTransportOptions): Transport {
  const { port, token, timeoutMs = 2_000 } = options;
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new TypeError('port must be from 1 to 65535.');
  if (token === '') throw new TypeError('token is empty.');
  const links = new Links(options, timeoutMs);
  return {
    async send(items) {
      const endMs = performance.now() + timeoutMs;
      const link = await links.open(endMs);
      const outcomes = decodeOutcomes(await link.ask(encodeFrame(items), endMs - performance.now()));
      if (!outcomes) throw new TypeError('Invalid reply of the payment ledger service.');
      return outcomes;
    },
    close: () => links.close(),
  };
}

/** Manages one connection at a time. */
class Links {
  private link: Link | undefined;
  private opening: Promise<void> | undefined;
  private failure: { error: unknown; atMs: number } | undefined;
  private wasThere = false;
  private isClosed = false;

  constructor(
    private readonly options: TcpTransportOptions,
    private readonly timeoutMs: number,
  ) {}

  /** Returns the open connection, or opens a new one. */
  async open(endMs: number): Promise<Link> {
    for (;;) {
      if (this.link?.isOpen) return this.link;
      if (this.isClosed) throw new Error('The connection to the payment ledger service was closed.');
      const waitMs = this.failure ? this.failure.atMs + pauseMs - performance.now() : 0;
      if (waitMs <= 0) await (this.opening ??= this.connect());
      else if (!this.wasThere || performance.now() + waitMs > endMs) throw this.failure!.error;
      else await pause(waitMs);
    }
  }

  close(): void {
    this.isClosed = true;
    this.link?.close();
  }

  /** Never rejects. Until the next attempt every caller receives the last error. */
  private async connect(): Promise<void> {
    const link = new Link(this.options);
    try {
      await link.welcome(this.timeoutMs);
      this.link = link;
      this.wasThere = true;
      this.failure = undefined;
    } catch (error) {
      link.close();
      this.failure = { error, atMs: performance.now() };
    } finally {
      this.opening = undefined;
    }
  }
}

/** One connection over its whole lifetime. It does not keep the process alive. */
class Link {
  private readonly replies = new Replies<number, Buffer>();
  private readonly messages = new TcpMessages(maxTcpMessageBytes);
  private readonly socket: Socket;
  private lastNumber = tokenNumber;
  private isConnected = false;
  private receivedMs = 0;
  private problem: Error | undefined;

  constructor({ host, port, token }: TcpTransportOptions) {
    this.socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs });
    this.socket.unref();
    this.socket.on('connect', () => (this.isConnected = true));
    this.socket.on('data', (chunk) => this.read(chunk));
    this.socket.on('error', (error) => (this.problem = error));
    this.socket.on('close', () => this.replies.failAll(this.reason()));
    this.socket.write(tcpMessage(tokenNumber, Buffer.from(token)));
  }

  get isOpen(): boolean {
    return !this.socket.destroyed && this.socket.writable;
  }

  /** Resolves when the service has accepted the token. */
  async welcome(timeoutMs: number): Promise<void> {
    await this.replies.wait(tokenNumber, timeoutMs);
  }

  async ask(frame: Uint8Array, timeoutMs: number): Promise<Buffer> {
    if (this.socket.writableLength > maxUnsentBytes) this.close();
    if (!this.isOpen) throw this.reason();
    this.lastNumber = this.lastNumber === maxNumber ? 1 : this.lastNumber + 1;
    const number = this.lastNumber;
    const askedMs = performance.now();
    this.socket.write(tcpMessage(number, frame));
    try {
      return await this.replies.wait(number, timeoutMs);
    } catch (error) {
      // No data has arrived since the request, so the peer may have disappeared without a FIN.
      if (this.receivedMs < askedMs) this.close();
      throw error;
    }
  }

  close(): void {
    this.socket.destroy();
  }

  private read(chunk: Buffer): void {
    this.receivedMs = performance.now();
    try {
      for (const { number, bytes } of this.messages.read(chunk)) this.replies.settle(number, bytes);
    } catch (error) {
      this.socket.destroy(error as Error);
    }
  }

  private reason(): Error {
    // A rejection with unread bytes appears as a connection reset.
    const isRejected = this.isConnected && this.receivedMs === 0;
    const what = isRejected ? 'was rejected. Check TEE_TCP_TOKEN.' : 'has broken.';
    if (this.problem && !isRejected) return this.problem;
    return new Error(`The connection to the payment ledger service ${what}`, { cause: this.problem });
  }
}
