import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { salesApi } from '@tollbridge/contracts';
import { BusClient, type BusReply, type CallContext, type Operation } from '@tollbridge/rpc';
import { isTracing, SpanKind, withSpan } from '@tollbridge/observability';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fastifyOf } from '../http/gateway-adapter';
import { GracefulStop } from '../http/graceful-stop';
import { sendOutput } from '../http/replies';
import { IdempotencyKeys } from '../idempotency/idempotency-keys';
import { patternOf, RouteTable } from '../routes/route-table';
import { PaidOperations } from '../sales/paid-operations';
import { bodyReader, queryReader, type InputReader } from './input-readers';
import { namesLimit, readWholeList, sendPage } from './list-replies';

// A waiting call is answered at the time-out of its operation, and this much later its connection may be closed.
const waitMarginMs = 10_000;

/**
 * Registers one route per declared operation on Fastify. The routes are not Nest controllers. The pipes, guards and
 * exception zone of a controller would run on every call (benchmark "read an order").
 */
@Injectable()
export class OperationRoutes implements OnModuleInit, OnModuleDestroy {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly table: RouteTable,
    private readonly bus: BusClient,
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly stopping: GracefulStop,
    private readonly sales: PaidOperations,
  ) {}

  onModuleInit(): void {
    for (const { kind, declaration } of this.table.routes)
      if (kind === 'operation') this.register(declaration);
  }

  /** Ends calls that wait for minutes with a reply, so that their clients retry them at another replica. */
  onModuleDestroy(): void {
    this.bus.endWaitingCalls();
  }

  private register(operation: Operation): void {
    const { method, path, hasBody } = operation;
    const inputOf = hasBody ? bodyReader(operation) : queryReader(operation);
    const handler = (request: FastifyRequest, reply: FastifyReply) => {
      if (operation.endsWithCaller) this.prepareWait(operation, request, reply);
      if (request.isSale) return this.sell(operation, inputOf, request, reply);
      // A read can be repeated without a key.
      const idempotencyKey = hasBody ? this.idempotencyKeys.read(request) : undefined;
      if (idempotencyKey !== undefined) request.call.idempotencyKey = idempotencyKey;
      return this.answer(operation, inputOf(request), request, reply);
    };
    fastifyOf(this.host).route({ method, url: patternOf(path), handler });
  }

  private prepareWait(operation: Operation, request: FastifyRequest, reply: FastifyReply): void {
    request.call.signal = disconnectSignal(reply);
    const { timeoutMs } = request.isSale ? salesApi.operations.sellAwaited : operation;
    allowSilence(request, timeoutMs + waitMarginMs);
  }

  private sell(
    operation: Operation,
    inputOf: InputReader,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const answered = this.sales.answer(operation, inputOf, request, reply);
    if (operation.endsWithCaller && this.stopping.isStopping) this.bus.endWaitingCalls();
    return answered;
  }

  private async answer(
    operation: Operation,
    input: Buffer,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const answered = isTracing()
      ? this.callTraced(operation, input, request.call)
      : this.call(operation, input, request.call);
    if (operation.endsWithCaller && this.stopping.isStopping) this.bus.endWaitingCalls();
    const output = await (request.onFailure ? answered.catch(request.onFailure) : answered);
    sendPage(reply, request.url, output.page);
    return sendOutput(reply, operation, output);
  }

  private callTraced(operation: Operation, input: Buffer, context: CallContext): Promise<BusReply> {
    return withSpan(
      operation.subject,
      context.traceparent,
      SpanKind.CLIENT,
      (traceparent) => this.call(operation, input, { ...context, traceparent }),
      { 'rpc.system.name': 'nats', 'rpc.method': operation.subject },
    );
  }

  private call(operation: Operation, input: Buffer, context: CallContext): Promise<BusReply> {
    return operation.isWholeList && !namesLimit(input)
      ? readWholeList(this.bus, operation, input, context)
      : this.bus.callBytes(operation, input, context);
  }
}

/** A waiting call has no traffic on its connection. Node resets the time-out with the next request. */
function allowSilence({ raw: { socket } }: FastifyRequest, ms: number): void {
  if (socket.timeout !== undefined && socket.timeout < ms) socket.setTimeout(ms);
}

/** Aborted when the client disconnects before the reply. */
function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) disconnected.abort();
  });
  if (raw.destroyed) disconnected.abort();
  return disconnected.signal;
}
