import { transactionStream } from '@tollbridge/contracts';
import {
  callContext,
  DomainError,
  errorCodes,
  logFields,
  type CallContext,
  type ErrorCode,
} from '@tollbridge/rpc';
import type { Logger, Metrics } from '@tollbridge/observability';
import { request as requestHttp, type ClientRequest, type IncomingMessage, type Server } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { BlockList, Socket } from 'node:net';
import { rawReply } from '../http/broken-requests';
import { failureText } from '../http/render';
import type { GracefulStop } from '../http/graceful-stop';
import { clientAddress } from '../rate-limit/client-address';
import { JoinedSockets } from './joined-sockets';

export interface StreamProxyOptions {
  /** Where the stream is; several are taken in turns. */
  urls: readonly string[];
  maxSockets: number;
  proxies: BlockList;
  stopping: GracefulStop;
  logger: Logger;
  metrics: Metrics;
  publicUrl: string;
  handshakeTimeoutMs?: number;
}

// A stream that takes longer to greet is as good as away.
const defaultHandshakeTimeoutMs = 5_000;
// Its refusals are a sentence.
const maxRefusalBytes = 16 * 1024;
const passedOn = ['sec-websocket-key', 'sec-websocket-version'];

const unavailable = (): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', undefined, { retryAfterSeconds: 5 });

/** Takes the handshakes of the stream, and joins their sockets with the service that answers them. */
export class StreamProxy {
  private readonly joined = new Set<JoinedSockets>();
  private readonly clients = new Set<Socket>();
  private readonly open;
  private turn = 0;

  constructor(private readonly options: StreamProxyOptions) {
    this.open = options.metrics.gauge('tollbridge_gateway_stream_sockets', 'Open sockets of the stream');
  }

  listen(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) =>
      this.take(request, socket, head),
    );
  }

  /** Says goodbye to all; resolves when they are gone. */
  async stop(): Promise<void> {
    const gone = [...this.clients].map((client) => new Promise((resolve) => client.once('close', resolve)));
    for (const sockets of this.joined) sockets.stop();
    await Promise.all(gone);
  }

  private take(request: IncomingMessage, client: Socket, head: Buffer): void {
    const { 'x-request-id': requestId, traceparent } = request.headers;
    const call = callContext({ requestId, traceparent });
    const { stopping, maxSockets } = this.options;
    client.on('error', () => client.destroy());
    // The stream's own pings tell who is gone; nobody else has to speak.
    client.setTimeout(0);
    if (stopping.isStopping || this.clients.size >= maxSockets)
      return this.refuse(client, call, unavailable());
    this.clients.add(client);
    this.open.inc();
    client.once('close', () => {
      this.clients.delete(client);
      this.open.dec();
    });
    this.greet(request, client, head, call);
  }

  /** Asks the stream, and hands on what it answers. */
  private greet(request: IncomingMessage, client: Socket, head: Buffer, call: CallContext): void {
    const { stopping, handshakeTimeoutMs = defaultHandshakeTimeoutMs } = this.options;
    const asked = this.ask(request, call);
    stopping.requestBegan();
    const hangUp = (): void => void asked.destroy();
    const timer = setTimeout(hangUp, handshakeTimeoutMs);
    client.once('close', hangUp);
    asked.once('close', () => {
      clearTimeout(timer);
      client.off('close', hangUp);
      stopping.requestEnded();
    });
    asked.once('upgrade', (reply: IncomingMessage, stream: Socket, first: Buffer) => {
      clearTimeout(timer);
      if (first.length > 0) stream.unshift(first);
      if (head.length > 0) client.unshift(head);
      this.join(client, stream, reply, call);
    });
    asked.once('response', (reply: IncomingMessage) => void this.passRefusal(reply, client, call));
    asked.once('error', (error) => {
      if (client.destroyed) return;
      this.options.logger.warn({ ...logFields(call), err: error }, 'the stream does not answer');
      this.refuse(client, call, unavailable());
    });
    asked.end();
  }

  private ask(request: IncomingMessage, call: CallContext): ClientRequest {
    const { urls, proxies } = this.options;
    const url = new URL(transactionStream.path, urls[this.turn++ % urls.length]);
    const given = passedOn.flatMap((name) => {
      const value = request.headers[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    const headers = {
      ...Object.fromEntries(given),
      connection: 'Upgrade',
      upgrade: 'websocket',
      'x-request-id': call.requestId,
      traceparent: call.traceparent,
      'x-forwarded-for': clientAddress(request, proxies),
    };
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    // A connection of its own, never one that another request has used.
    return send(url, { headers, agent: false });
  }

  private join(client: Socket, stream: Socket, reply: IncomingMessage, call: CallContext): void {
    if (client.destroyed) return void stream.destroy();
    const { logger, stopping } = this.options;
    const openedMs = performance.now();
    client.write(
      'HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n' +
        `sec-websocket-accept: ${reply.headers['sec-websocket-accept']}\r\nx-request-id: ${call.requestId}\r\n\r\n`,
    );
    const sockets = new JoinedSockets(client, stream);
    this.joined.add(sockets);
    client.once('close', () => {
      this.joined.delete(sockets);
      const ms = Math.round(performance.now() - openedMs);
      logger.info({ ...logFields(call), route: transactionStream.path, status: 101, ms }, 'socket');
    });
    if (stopping.isStopping) sockets.stop();
  }

  /** The stream's own code and sentence, in a reply of the gateway. */
  private async passRefusal(reply: IncomingMessage, client: Socket, call: CallContext): Promise<void> {
    try {
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of reply as AsyncIterable<Buffer>) {
        if ((bytes += chunk.length) > maxRefusalBytes)
          throw new Error('the refusal of the stream is too long');
        chunks.push(chunk);
      }
      const { 'retry-after': retryAfter, 'sec-websocket-version': version } = reply.headers;
      this.answer(client, call, readRefusal(Buffer.concat(chunks)), {
        ...(retryAfter && { 'retry-after': retryAfter }),
        ...(version && { 'sec-websocket-version': String(version) }),
      });
    } catch (error) {
      this.options.logger.warn({ ...logFields(call), err: error }, 'the refusal of the stream was cut off');
      this.refuse(client, call, unavailable());
    }
  }

  private refuse(client: Socket, call: CallContext, failure: DomainError): void {
    const retryAfter = { 'retry-after': String(failure.retryAfterSeconds) };
    this.answer(client, call, failure, retryAfter);
  }

  private answer(
    client: Socket,
    call: CallContext,
    failure: DomainError,
    headers: Record<string, string>,
  ): void {
    const { requestId } = call;
    const { status } = failure;
    const body = failureText('envelope', failure, { requestId, publicUrl: this.options.publicUrl });
    this.options.logger.info({ ...logFields(call), route: transactionStream.path, status }, 'socket');
    client.end(rawReply(status, body, requestId, headers), () => client.destroy());
  }
}

/** @throws for a body that holds no failure */
function readRefusal(body: Buffer): DomainError {
  const { error, retryAfter } = JSON.parse(body.toString()) as {
    error: { code: ErrorCode; message: string };
    retryAfter?: number;
  };
  if (!Object.hasOwn(errorCodes, error.code)) throw new Error(`unknown failure code ${error.code}`);
  const retry = retryAfter === undefined ? {} : { retryAfterSeconds: retryAfter };
  return new DomainError(error.code, error.message, retry);
}
