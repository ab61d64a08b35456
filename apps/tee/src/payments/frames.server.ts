import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  maxTcpMessageBytes,
  tcpMessage,
  TcpMessages,
  tokenNumber,
  type TcpMessage,
} from '@tollbridge/nanopay';
import type { Logger } from '@tollbridge/observability';
import { ServiceConfig, ServiceLogger } from '@tollbridge/service';
import { maxTokenBytes, type TeeConfig } from '../config';

/** False for what is no frame: then nobody replies. */
type Answer = (frame: Uint8Array, reply: (outcomes: Uint8Array) => void) => boolean;

/** Processes of sellers, of which each has one connection; and those that have not shown the token yet. */
const maxGuards = 128;
const maxStrangers = 32;
const tokenMs = 5_000;
const keepAliveMs = 10_000;
/** A guard that does not read what it is answered is not read either. */
const maxUnderWay = 64;
const goodbyeMs = 1_000;
const bindPauseMs = 200;
const bindAttempts = 50;

const welcome = tcpMessage(tokenNumber, Buffer.alloc(0));
const hashed = (token: Uint8Array): Buffer => createHash('sha256').update(token).digest();

/** Hears guards that have a connection of their own: without the bus a payment has two hops less to wait for. */
@Injectable()
export class FramesServer {
  private readonly connections = new Set<GuardConnection>();
  private server: Server | undefined;

  constructor(
    @Inject(ServiceConfig) private readonly config: TeeConfig,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** Where it listens; undefined without a token. */
  get port(): number | undefined {
    return (this.server?.address() as AddressInfo | null | undefined)?.port;
  }

  async listen(answer: Answer): Promise<void> {
    const { TEE_TCP_TOKEN: token, TEE_TCP_HOST: host, TEE_TCP_PORT: port } = this.config;
    if (token === '') return;
    const tokenHash = hashed(Buffer.from(token));
    const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs });
    server.on('connection', (socket) => this.accept(socket, tokenHash, answer));
    await this.bind(server, host, port);
    server.on('error', (error) => this.logger.error({ err: error }, 'guards cannot connect'));
    this.server = server;
    this.logger.info({ host, port: this.port }, 'guards can connect');
  }

  /** An enclave whose ledger this one has taken over may still have the port: it ends soon. */
  private async bind(server: Server, host: string, port: number): Promise<void> {
    for (let left = bindAttempts; ; left--) {
      try {
        server.listen(port, host);
        return void (await once(server, 'listening'));
      } catch (error) {
        if (left === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
        if (left === bindAttempts)
          this.logger.warn({ host, port }, 'the port of guards is in use; waiting for it');
        await sleep(bindPauseMs);
      }
    }
  }

  /** What is under way can still be answered. */
  stopTaking(): void {
    this.server?.close();
    for (const connection of this.connections) connection.stopTaking();
  }

  /** When all answers have left. */
  async close(): Promise<void> {
    await Promise.all([...this.connections].map((connection) => connection.close()));
  }

  private accept(socket: Socket, tokenHash: Buffer, answer: Answer): void {
    // Its end tells all that is to be known.
    socket.on('error', () => undefined);
    const strangers = [...this.connections].filter(({ isGuard }) => !isGuard).length;
    if (strangers >= maxStrangers || this.connections.size - strangers >= maxGuards) {
      this.logger.warn('a guard cannot connect: there are too many');
      return void socket.destroy();
    }
    const onWrongToken = (): void =>
      this.logger.warn({ address: socket.remoteAddress }, 'somebody does not know the token of guards');
    const connection = new GuardConnection(socket, { tokenHash, answer, onWrongToken });
    this.connections.add(connection);
    socket.once('close', () => this.connections.delete(connection));
  }
}

class GuardConnection {
  /** It has shown the token; before, it has a few bytes and some seconds. */
  isGuard = false;
  private readonly messages = new TcpMessages(maxTokenBytes);
  private readonly timer: NodeJS.Timeout;
  private underWay = 0;
  private isStopped = false;

  constructor(
    private readonly socket: Socket,
    private readonly options: { tokenHash: Buffer; answer: Answer; onWrongToken: () => void },
  ) {
    this.timer = setTimeout(() => socket.destroy(), tokenMs);
    socket.once('close', () => clearTimeout(this.timer));
    socket.on('data', (chunk) => this.read(chunk));
  }

  /** What comes from now on is read and left: bytes that nobody reads would cut off the answers on their way. */
  stopTaking(): void {
    this.isStopped = true;
    this.socket.resume();
  }

  async close(): Promise<void> {
    if (this.socket.destroyed) return;
    const timer = setTimeout(() => this.socket.destroy(), goodbyeMs);
    this.socket.end();
    await once(this.socket, 'close');
    clearTimeout(timer);
  }

  private read(chunk: Buffer): void {
    try {
      for (const message of this.messages.read(chunk)) {
        if (this.isGuard) this.take(message);
        else this.welcome(message);
        if (this.socket.destroyed) return;
      }
    } catch {
      // Too long: whatever follows cannot be read.
      this.socket.destroy();
    }
  }

  private welcome({ number, bytes }: TcpMessage): void {
    if (number !== tokenNumber || !timingSafeEqual(hashed(bytes), this.options.tokenHash)) {
      this.options.onWrongToken();
      return void this.socket.destroy();
    }
    this.isGuard = true;
    clearTimeout(this.timer);
    this.messages.maxBytes = maxTcpMessageBytes;
    this.socket.write(welcome);
  }

  private take({ number, bytes }: TcpMessage): void {
    if (this.isStopped) return;
    if (++this.underWay >= maxUnderWay) this.socket.pause();
    const isFrame = this.options.answer(bytes, (outcomes) =>
      this.socket.write(tcpMessage(number, outcomes), () => this.goOn()),
    );
    if (!isFrame) this.socket.destroy();
  }

  private goOn(): void {
    if (--this.underWay < maxUnderWay) this.socket.resume();
  }
}
