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
} from '@tollbridge/nanopay-protocol';
import type { Logger } from '@tollbridge/observability';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { maxTokenBytes, type TeeConfig } from '../config';

/** Undefined for what is no frame. */
type Answer = (frame: Uint8Array) => Promise<Uint8Array> | undefined;

/** Processes of sellers, of which each has one connection; and those that have not shown the token yet. */
const maxGuards = 128;
const maxStrangers = 32;
const tokenMs = 5_000;
const keepAliveMs = 10_000;
/** A guard that does not read what it is answered is not read either, and is cut off after so long. */
const maxUnderWay = 64;
const stuckMs = 30_000;
const goodbyeMs = 1_000;
const bindPauseMs = 200;
const complainAfterMs = 10_000;
/** Who is refused may come back at once: one line tells of many. */
const warnEveryMs = 1_000;

const welcome = tcpMessage(tokenNumber, Buffer.alloc(0));
const nothing = Buffer.alloc(0);
const hashed = (token: Uint8Array): Buffer => createHash('sha256').update(token).digest();

/** Hears guards that have a connection of their own: without the bus a payment has two hops less to wait for. */
@Injectable()
export class FramesServer {
  private readonly connections = new Set<GuardConnection>();
  private server: Server | undefined;
  private warnedMs = -Infinity;
  private isStopped = false;

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
    if (await this.isBound(server, host, port)) return;
    // An enclave whose ledger this one has taken over may still have the port. The bus works meanwhile.
    this.logger.warn({ host, port }, 'the port of guards is in use; waiting for it');
    this.bindLater(server, host, port).catch((error: unknown) =>
      this.logger.error({ err: error }, 'guards cannot connect'),
    );
  }

  private async bindLater(server: Server, host: string, port: number): Promise<void> {
    let complainedMs = performance.now();
    for (;;) {
      await sleep(bindPauseMs, undefined, { ref: false });
      if (this.isStopped || (await this.isBound(server, host, port))) return;
      if (performance.now() - complainedMs < complainAfterMs) continue;
      complainedMs = performance.now();
      this.logger.error({ host, port }, 'guards cannot connect: the port is still in use');
    }
  }

  /** @returns false while another process has the port */
  private async isBound(server: Server, host: string, port: number): Promise<boolean> {
    try {
      server.listen(port, host);
      await once(server, 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
      throw error;
    }
    // Stopped while it was being bound.
    if (this.isStopped) server.close();
    server.on('error', (error) => this.logger.error({ err: error }, 'guards cannot connect'));
    this.server = server;
    this.logger.info({ host, port: this.port }, 'guards can connect');
    return true;
  }

  /** What is under way can still be answered. */
  stopTaking(): void {
    this.isStopped = true;
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
    const refuse = (why: string): void => {
      this.warn(why, socket);
      socket.destroy();
    };
    if (this.count(false) >= maxStrangers) return refuse('too many show no token');
    const isToken = (bytes: Buffer): boolean => {
      const isRight = timingSafeEqual(hashed(bytes), tokenHash);
      if (!isRight) refuse('the token is wrong');
      else if (this.count(true) >= maxGuards) refuse('there are too many guards');
      return !socket.destroyed;
    };
    const connection = new GuardConnection(socket, isToken, answer);
    this.connections.add(connection);
    socket.once('close', () => this.connections.delete(connection));
  }

  private count(areGuards: boolean): number {
    return [...this.connections].filter(({ isGuard }) => isGuard === areGuards).length;
  }

  private warn(why: string, { remoteAddress: address }: Socket): void {
    const nowMs = performance.now();
    if (nowMs - this.warnedMs < warnEveryMs) return;
    this.warnedMs = nowMs;
    this.logger.warn({ address, why }, 'a guard was refused');
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
    private readonly isToken: (bytes: Buffer) => boolean,
    private readonly answer: Answer,
  ) {
    this.timer = setTimeout(() => socket.destroy(), tokenMs);
    socket.once('close', () => clearTimeout(this.timer));
    socket.setTimeout(stuckMs, () => {
      if (socket.writableLength > 0) socket.destroy();
    });
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
    // Not by `once` of events, which an error would make reject.
    await new Promise((resolve) => this.socket.once('close', resolve));
    clearTimeout(timer);
  }

  private read(chunk: Buffer): void {
    try {
      for (const message of this.messages.read(chunk)) {
        if (this.isStopped) continue;
        if (this.isGuard) this.take(message);
        else this.welcome(message);
        if (this.socket.destroyed || this.underWay >= maxUnderWay) return;
      }
    } catch {
      // Too long: whatever follows cannot be read.
      this.socket.destroy();
    }
  }

  private welcome({ number, bytes }: TcpMessage): void {
    if (number !== tokenNumber) return void this.socket.destroy();
    if (!this.isToken(bytes)) return;
    this.isGuard = true;
    clearTimeout(this.timer);
    this.messages.maxBytes = maxTcpMessageBytes;
    this.socket.write(welcome);
  }

  private take({ number, bytes }: TcpMessage): void {
    const answered = this.answer(bytes);
    if (!answered) return void this.socket.destroy();
    if (++this.underWay >= maxUnderWay) this.socket.pause();
    answered.then(
      (outcomes) => this.socket.write(tcpMessage(number, outcomes), () => this.goOn()),
      // Nobody knows, and the guard learns so at once.
      () => this.socket.destroy(),
    );
  }

  private goOn(): void {
    if (this.underWay-- < maxUnderWay || this.socket.destroyed) return;
    // What was read before it was too much.
    this.read(nothing);
    if (this.underWay < maxUnderWay) this.socket.resume();
  }
}
