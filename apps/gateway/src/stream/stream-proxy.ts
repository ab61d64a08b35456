import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
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
import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { BlockList, Socket } from 'node:net';
import { clientAddress } from '../client-address/client-address';
import { fastifyOf } from '../http/gateway-adapter';
import type { GracefulStop } from '../http/graceful-stop';
import { rawReply } from '../http/raw-reply';
import { failureText } from '../http/replies';
import { JoinedSockets } from './joined-sockets';

export interface StreamProxyOptions {
  /** The URLs of the stream service, used in turn. */
  urls: readonly string[];
  maxSockets: number;
  proxies: BlockList;
  stopping: GracefulStop;
  logger: Logger;
  metrics: Metrics;
  publicUrl: string;
  handshakeTimeoutMs?: number;
}

// A stream service that takes longer counts as unavailable.
const defaultHandshakeTimeoutMs = 5_000;
// The body of a rejection is one sentence.
const maxRejectionBytes = 16 * 1024;
const forwardedHeaders = ['sec-websocket-key', 'sec-websocket-version'];

const unavailable = (): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', undefined, { retryAfterSeconds: 5 });

/** Forwards WebSocket handshakes to the stream service, and pipes accepted sockets. */
export class StreamProxy implements OnModuleInit, OnModuleDestroy {
  private readonly joined = new Set<JoinedSockets>();
  private readonly clients = new Set<Socket>();
  private readonly open;
  private turn = 0;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly options: StreamProxyOptions,
  ) {
    this.open = options.metrics.gauge('tollbridge_gateway_stream_sockets', 'Open sockets of the stream');
  }

  onModuleInit(): void {
    fastifyOf(this.host).server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) =>
      this.take(request, socket, head),
    );
  }

  /** Sends close frames, because closing the server waits for the sockets. */
  onModuleDestroy(): void {
    for (const sockets of this.joined) sockets.stop();
  }

  private take(request: IncomingMessage, client: Socket, head: Buffer): void {
    const { 'x-request-id': requestId, traceparent } = request.headers;
    const call = callContext({ requestId, traceparent });
    const { stopping, maxSockets } = this.options;
    client.on('error', () => client.destroy());
    // The pings of the stream service detect disconnected clients instead.
    client.setTimeout(0);
    if (stopping.isStopping || this.clients.size >= maxSockets)
      return this.reject(client, call, unavailable());
    this.clients.add(client);
    this.open.inc();
    client.once('close', () => {
      this.clients.delete(client);
      this.open.dec();
    });
    this.forward(request, client, head, call);
  }

  /** Sends the handshake to the stream service, and its reply to the client. */
  private forward(request: IncomingMessage, client: Socket, head: Buffer, call: CallContext): void {
    const { stopping, handshakeTimeoutMs = defaultHandshakeTimeoutMs } = this.options;
    const upstream = this.request(request, call);
    stopping.requestBegan();
    const hangUp = (): void => void upstream.destroy();
    const timer = setTimeout(hangUp, handshakeTimeoutMs);
    client.once('close', hangUp);
    upstream.once('close', () => {
      clearTimeout(timer);
      client.off('close', hangUp);
      stopping.requestEnded();
    });
    upstream.once('upgrade', (reply: IncomingMessage, stream: Socket, first: Buffer) => {
      clearTimeout(timer);
      if (first.length > 0) stream.unshift(first);
      if (head.length > 0) client.unshift(head);
      this.join(client, stream, reply, call);
    });
    upstream.once('response', (reply: IncomingMessage) => void this.passRejection(reply, client, call));
    upstream.once('error', (error) => {
      if (client.destroyed) return;
      this.options.logger.warn({ ...logFields(call), err: error }, 'stream handshake failed');
      this.reject(client, call, unavailable());
    });
    upstream.end();
  }

  private request(request: IncomingMessage, call: CallContext): ClientRequest {
    const { urls, proxies } = this.options;
    const url = new URL(transactionStream.path, urls[this.turn++ % urls.length]);
    const forwarded = forwardedHeaders.flatMap((name) => {
      const value = request.headers[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    const headers = {
      ...Object.fromEntries(forwarded),
      connection: 'Upgrade',
      upgrade: 'websocket',
      'x-request-id': call.requestId,
      traceparent: call.traceparent,
      'x-forwarded-for': clientAddress(request, proxies),
    };
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    // A new connection, because it becomes the WebSocket.
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
      logger.info(
        { ...logFields(call), route: transactionStream.path, status: 101, ms },
        'stream socket closed',
      );
    });
    if (stopping.isStopping) sockets.stop();
  }

  /** Replies with the code and the message of the stream service. */
  private async passRejection(reply: IncomingMessage, client: Socket, call: CallContext): Promise<void> {
    try {
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of reply as AsyncIterable<Buffer>) {
        if ((bytes += chunk.length) > maxRejectionBytes)
          throw new Error('the rejection of the stream service is too long');
        chunks.push(chunk);
      }
      const { 'retry-after': retryAfter, 'sec-websocket-version': version } = reply.headers;
      this.answer(client, call, readRejection(Buffer.concat(chunks)), {
        ...(retryAfter && { 'retry-after': retryAfter }),
        ...(version && { 'sec-websocket-version': String(version) }),
      });
    } catch (error) {
      this.options.logger.warn({ ...logFields(call), err: error }, 'stream rejection unreadable');
      this.reject(client, call, unavailable());
    }
  }

  private reject(client: Socket, call: CallContext, failure: DomainError): void {
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
    this.options.logger.info(
      { ...logFields(call), route: transactionStream.path, status },
      'stream handshake rejected',
    );
    client.end(rawReply(status, body, requestId, headers), () => client.destroy());
  }
}

/** @throws for a body that is not a failure */
function readRejection(body: Buffer): DomainError {
  const { error, retryAfter } = JSON.parse(body.toString()) as {
    error: { code: ErrorCode; message: string };
    retryAfter?: number;
  };
  if (!Object.hasOwn(errorCodes, error.code)) throw new Error(`unknown failure code ${error.code}`);
  const retry = retryAfter === undefined ? {} : { retryAfterSeconds: retryAfter };
  return new DomainError(error.code, error.message, retry);
}
