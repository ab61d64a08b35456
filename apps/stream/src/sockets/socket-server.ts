import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import {
  closeCodes,
  DomainError,
  heartbeatSeconds,
  maxClientMessageBytes,
  transactionStream,
} from '@tollbridge/contracts';
import { callContext, logFields } from '@tollbridge/rpc';
import { Metrics, type Logger } from '@tollbridge/observability';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type ServerOptions, type WebSocket } from 'ws';
import type { StreamConfig } from '../config';
import { Updates } from '../updates/updates';
import { Client } from './client';
import { clientAddress } from './client-address';
import { Heartbeat } from './heartbeat';
import { rejectionReply, rejectUpgrade } from './rejection-reply';

// A handshake is one small request of the gateway without a body.
const headersTimeoutMs = 5_000;
const maxHeaderBytes = 16 * 1024;
const checkIntervalMs = 1_000;
/** The time-out for a client to answer a close frame. */
const closeTimeoutMs = 1_500;
// Clients have no reason to fragment messages.
const maxFragments = 16;
// The number of connections during their handshake, in addition to open sockets.
const spareConnections = 1_000;

const socketOptions: ServerOptions & { closeTimeout: number } = {
  noServer: true,
  clientTracking: false,
  maxPayload: maxClientMessageBytes,
  maxFragments,
  // Compression needs many times the memory of a socket, and updates are short.
  perMessageDeflate: false,
  handleProtocols: () => false,
  closeTimeout: closeTimeoutMs,
};

/** The WebSocket server of the stream: handshakes, limits, heartbeat and shutdown. */
@Injectable()
export class SocketServer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly server: Server;
  private readonly sockets = new WebSocketServer(socketOptions);
  private readonly heartbeat = new Heartbeat(heartbeatSeconds * 1_000);
  private readonly clients = new Set<Client>();
  private readonly perAddress = new Map<string, number>();
  private readonly open;
  private readonly subscriptions;
  private readonly slowReaders;
  private isStopping = false;

  constructor(
    private readonly updates: Updates,
    metrics: Metrics,
    @Inject(ServiceLogger) private readonly logger: Logger,
    @Inject(ServiceConfig) private readonly config: StreamConfig,
  ) {
    this.open = metrics.gauge('tollbridge_stream_sockets', 'Open sockets');
    this.subscriptions = metrics.gauge('tollbridge_stream_subscriptions', 'Subscriptions of all sockets');
    this.slowReaders = metrics.counter(
      'tollbridge_stream_slow_readers_total',
      'Sockets closed because their clients read too slowly',
    );
    this.server = createServer({
      headersTimeout: headersTimeoutMs,
      requestTimeout: headersTimeoutMs,
      connectionsCheckingInterval: checkIntervalMs,
      maxHeaderSize: maxHeaderBytes,
    });
    this.server.maxConnections = config.STREAM_MAX_SOCKETS + spareConnections;
    this.listenToRequests();
  }

  get url(): string {
    const { address, family, port } = this.server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  async onApplicationBootstrap(): Promise<void> {
    const { STREAM_PORT_NUMBER, STREAM_HOST } = this.config;
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(STREAM_PORT_NUMBER, STREAM_HOST, resolve);
    });
    this.logger.info({ url: this.url }, 'listening');
  }

  /**
   * Closes all sockets with `restarting`, so that clients reconnect to other replicas. Terminates clients that do not
   * answer.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    this.heartbeat.stop();
    if (!this.server.listening) return;
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const client of this.clients) client.close(closeCodes.restarting, 'the service restarts');
    const timer = setTimeout(() => {
      for (const client of this.clients) client.terminate();
      this.server.closeAllConnections();
    }, closeTimeoutMs + 500);
    await closed;
    clearTimeout(timer);
  }

  private listenToRequests(): void {
    this.server.on('request', (request, response) => {
      const reason = this.rejectionOf(request) ?? new DomainError('UPGRADE_REQUIRED');
      const { status, headers, body } = rejectionReply(reason);
      response.writeHead(status, headers).end(body);
    });
    this.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      // An upgraded socket has no other error listener, and an unhandled 'error' event ends the process.
      socket.on('error', () => socket.destroy());
      const reason = this.rejectionOf(request);
      if (reason) return rejectUpgrade(socket, rejectionReply(reason));
      this.sockets.handleUpgrade(request, socket, head, (opened) => this.welcome(opened, request));
    });
    this.sockets.on('wsClientError', (_error, socket) => {
      const error = new DomainError(
        'VALIDATION_ERROR',
        'The request is not a WebSocket handshake of version 13.',
      );
      rejectUpgrade(socket, rejectionReply(error, { 'sec-websocket-version': '13' }));
    });
  }

  /** The error for a request that cannot become a WebSocket; undefined if it can. */
  private rejectionOf(request: IncomingMessage): DomainError | undefined {
    const { url = '', method, headers } = request;
    if (url.split('?', 1)[0] !== transactionStream.path) return new DomainError('NOT_FOUND');
    if (method !== 'GET') return new DomainError('METHOD_NOT_ALLOWED', 'This path accepts GET only.');
    if (headers.upgrade?.toLowerCase() !== 'websocket') return new DomainError('UPGRADE_REQUIRED');
    if (this.isStopping || this.clients.size >= this.config.STREAM_MAX_SOCKETS)
      return new DomainError('SERVICE_UNAVAILABLE', undefined, { retryAfterSeconds: 5 });
    const { STREAM_MAX_SOCKETS_PER_ADDRESS: most } = this.config;
    if ((this.perAddress.get(clientAddress(request)) ?? 0) >= most)
      return new DomainError(
        'RATE_LIMIT_EXCEEDED',
        `Your address has ${most} open sockets, the maximum. Close one first.`,
        {
          retryAfterSeconds: 30,
        },
      );
    return undefined;
  }

  private welcome(socket: WebSocket, request: IncomingMessage): void {
    const address = clientAddress(request);
    const { 'x-request-id': requestId, traceparent } = request.headers;
    const call = logFields(callContext({ requestId, traceparent }));
    const openedMs = performance.now();
    const client = new Client(socket, request.socket, this.updates, {
      onSubscriptions: (change) => this.subscriptions.inc(change),
      onSlowReader: () => this.slowReaders.inc(),
    });
    const leave = this.heartbeat.join(client);
    this.clients.add(client);
    this.perAddress.set(address, (this.perAddress.get(address) ?? 0) + 1);
    this.open.inc();
    // A protocol violation closes only its own socket, with the code that ws chooses.
    socket.on('error', (error) => this.logger.debug({ ...call, err: error }, 'socket failed'));
    socket.once('close', (code) => {
      leave();
      this.clients.delete(client);
      this.leaveAddress(address);
      this.open.dec();
      this.logger.info({ ...call, code, ms: Math.round(performance.now() - openedMs) }, 'socket closed');
    });
  }

  private leaveAddress(address: string): void {
    const left = (this.perAddress.get(address) ?? 1) - 1;
    if (left > 0) this.perAddress.set(address, left);
    else this.perAddress.delete(address);
  }
}
