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
import { secretValues } from '@tollbridge/config';
import { maxTokenBytes, type TeeConfig } from '../config';

/** Returns undefined for an invalid frame. */
type Answer = (frame: Uint8Array) => Promise<Uint8Array> | undefined;

/** Maximum connections of paywalls, one per seller process, and of connections that have not sent the token yet. */
const maxPaywalls = 128;
const maxUnauthenticated = 32;
const tokenMs = 5_000;
const keepAliveMs = 10_000;
/** Backpressure: with this many unread replies, a connection is not read, and is closed after `stuckMs`. */
const maxInFlight = 64;
const stuckMs = 30_000;
const closeMs = 1_000;
const bindPauseMs = 200;
const portWarningMs = 10_000;
/** A rejected client may reconnect immediately: at most one log line per interval. */
const warnEveryMs = 1_000;

const welcome = tcpMessage(tokenNumber, Buffer.alloc(0));
const nothing = Buffer.alloc(0);
const hashed = (token: Uint8Array): Buffer => createHash('sha256').update(token).digest();

/** Accepts TCP connections of paywalls, which saves a payment two hops of the bus (row `tollbridge: paid`). */
@Injectable()
export class FramesServer {
  private readonly connections = new Set<PaywallConnection>();
  private server: Server | undefined;
  private warnedMs = -Infinity;
  private isStopped = false;

  constructor(
    @Inject(ServiceConfig) private readonly config: TeeConfig,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** Returns the port; undefined without a token. */
  get port(): number | undefined {
    return (this.server?.address() as AddressInfo | null | undefined)?.port;
  }

  async listen(answer: Answer): Promise<void> {
    const { TEE_TCP_TOKEN: tokens, TEE_TCP_HOST: host, TEE_TCP_PORT_NUMBER: port } = this.config;
    if (tokens === '') return;
    const tokenHashes = secretValues(tokens).map((token) => hashed(Buffer.from(token)));
    const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs });
    server.on('connection', (socket) => this.accept(socket, tokenHashes, answer));
    if (await this.isBound(server, host, port)) return;
    // The previous lease holder may still use the port. Meanwhile, payments arrive by the bus.
    this.logger.warn({ host, port }, 'paywall port in use, retrying');
    this.bindLater(server, host, port).catch((error: unknown) =>
      this.logger.error({ err: error }, 'paywall listener failed'),
    );
  }

  private async bindLater(server: Server, host: string, port: number): Promise<void> {
    let warnedMs = performance.now();
    for (;;) {
      await sleep(bindPauseMs, undefined, { ref: false });
      if (this.isStopped || (await this.isBound(server, host, port))) return;
      if (performance.now() - warnedMs < portWarningMs) continue;
      warnedMs = performance.now();
      this.logger.error({ host, port }, 'paywall port still in use');
    }
  }

  /** @returns false while another process uses the port */
  private async isBound(server: Server, host: string, port: number): Promise<boolean> {
    try {
      server.listen(port, host);
      await once(server, 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
      throw error;
    }
    // The service was stopped during the bind.
    if (this.isStopped) server.close();
    server.on('error', (error) => this.logger.error({ err: error }, 'paywall listener failed'));
    this.server = server;
    this.logger.info({ host, port: this.port }, 'paywall listener started');
    return true;
  }

  /** Stops accepting frames. Frames in progress are still answered. */
  stopAccepting(): void {
    this.isStopped = true;
    this.server?.close();
    for (const connection of this.connections) connection.stopAccepting();
  }

  /** Resolves when all replies are sent. */
  async close(): Promise<void> {
    await Promise.all([...this.connections].map((connection) => connection.close()));
  }

  private accept(socket: Socket, tokenHashes: readonly Buffer[], answer: Answer): void {
    // The close event follows an error event.
    socket.on('error', () => undefined);
    const reject = (reason: string): void => {
      this.warn(reason, socket);
      socket.destroy();
    };
    if (this.count(false) >= maxUnauthenticated) return reject('too many unauthenticated connections');
    const isToken = (bytes: Buffer): boolean => {
      const given = hashed(bytes);
      // Compares all tokens, even after a match, so that the time is constant.
      const isRight = tokenHashes.map((hash) => timingSafeEqual(given, hash)).includes(true);
      if (!isRight) reject('wrong token');
      else if (this.count(true) >= maxPaywalls) reject('too many connections');
      return !socket.destroyed;
    };
    const connection = new PaywallConnection(socket, isToken, answer);
    this.connections.add(connection);
    socket.once('close', () => this.connections.delete(connection));
  }

  private count(isAuthenticated: boolean): number {
    return [...this.connections].filter((connection) => connection.isAuthenticated === isAuthenticated)
      .length;
  }

  private warn(reason: string, { remoteAddress: address }: Socket): void {
    const nowMs = performance.now();
    if (nowMs - this.warnedMs < warnEveryMs) return;
    this.warnedMs = nowMs;
    this.logger.warn({ address, reason }, 'paywall connection rejected');
  }
}

class PaywallConnection {
  /** Whether the token was received. Until then, the connection may send only the token, within a time limit. */
  isAuthenticated = false;
  private readonly messages = new TcpMessages(maxTokenBytes);
  private readonly timer: NodeJS.Timeout;
  private inFlight = 0;
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

  /** Reads and discards further bytes: unread bytes would reset the connection before the replies arrive. */
  stopAccepting(): void {
    this.isStopped = true;
    this.socket.resume();
  }

  async close(): Promise<void> {
    if (this.socket.destroyed) return;
    const timer = setTimeout(() => this.socket.destroy(), closeMs);
    this.socket.end();
    // `once` of node:events would reject on an error event.
    await new Promise((resolve) => this.socket.once('close', resolve));
    clearTimeout(timer);
  }

  private read(chunk: Buffer): void {
    try {
      for (const message of this.messages.read(chunk)) {
        if (this.isStopped) continue;
        if (this.isAuthenticated) this.answerFrame(message);
        else this.welcome(message);
        if (this.socket.destroyed || this.inFlight >= maxInFlight) return;
      }
    } catch {
      // The message is too long, so the rest of the stream is unreadable.
      this.socket.destroy();
    }
  }

  private welcome({ number, bytes }: TcpMessage): void {
    if (number !== tokenNumber) return void this.socket.destroy();
    if (!this.isToken(bytes)) return;
    this.isAuthenticated = true;
    clearTimeout(this.timer);
    this.messages.maxBytes = maxTcpMessageBytes;
    this.socket.write(welcome);
  }

  private answerFrame({ number, bytes }: TcpMessage): void {
    const answer = this.answer(bytes);
    if (!answer) return void this.socket.destroy();
    if (++this.inFlight >= maxInFlight) this.socket.pause();
    answer.then(
      (outcomes) => this.socket.write(tcpMessage(number, outcomes), () => this.resume()),
      // The outcome is unknown. Closing the connection informs the paywall immediately.
      () => this.socket.destroy(),
    );
  }

  private resume(): void {
    if (this.inFlight-- < maxInFlight || this.socket.destroyed) return;
    // Reads messages that were buffered before the pause.
    this.read(nothing);
    if (this.inFlight < maxInFlight) this.socket.resume();
  }
}
