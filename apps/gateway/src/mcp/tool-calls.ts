import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Operation } from '@tollbridge/rpc';
import type { FastifyRequest } from 'fastify';
import { fastifyOf } from '../http/gateway-adapter';
import { paymentHeader, purchaseTokenHeader } from '../sales/sale-headers';
import { toolReply, type RouteReply } from './tool-reply';
import { toolRequest, type ToolRequest } from './tool-request';

/** Headers of the caller that are copied to its calls. Cookies are omitted, because they authenticate pages only. */
const keptHeaders = ['authorization', 'x-api-key', 'x-wallet', 'x-forwarded-for', 'user-agent'] as const;

export interface CallOptions {
  /** Ensures that repeated calls take effect once. */
  idempotencyKey?: string | undefined;
  /** A payment by x402 for an operation that is sold. */
  payment?: object | undefined;
  /** The token to read a purchase that was paid by x402. */
  purchaseToken?: string | undefined;
}

/**
 * Calls operations for an agent, with a request within the process to the route of the operation. So admission, rate
 * limits, validation, idempotency and failures are the same as in the HTTP API.
 */
@Injectable()
export class ToolCalls {
  constructor(private readonly host: HttpAdapterHost) {}

  /** @throws DomainError VALIDATION_ERROR for arguments that cannot be mapped to a request */
  async call(
    operation: Operation,
    given: Record<string, unknown>,
    caller: FastifyRequest,
    { idempotencyKey, payment, purchaseToken }: CallOptions = {},
  ): Promise<CallToolResult> {
    // The path where an operation is sold also serves clients with credentials.
    const { soldAt = operation.path } = operation;
    const request = toolRequest({ ...operation, path: soldAt }, given);
    if (idempotencyKey !== undefined) request.headers['idempotency-key'] = idempotencyKey;
    if (payment !== undefined) request.headers[paymentHeader] = base64Json(payment);
    if (purchaseToken !== undefined) request.headers[purchaseTokenHeader] = purchaseToken;
    return toolReply(operation, await this.send(request, caller));
  }

  /** Sends a request as the caller of another request. */
  async send({ method, url, headers, payload }: ToolRequest, caller: FastifyRequest): Promise<RouteReply> {
    const kept = keptHeaders.flatMap((name) => {
      const value = caller.headers[name];
      return value === undefined ? [] : [[name, String(value)]];
    });
    const { requestId, traceparent } = caller.call;
    const reply = await fastifyOf(this.host).inject({
      method,
      url,
      headers: {
        ...Object.fromEntries(kept),
        'x-request-id': requestId,
        traceparent,
        ...headers,
      },
      ...(payload !== undefined && { payload }),
      ...(caller.raw.socket.remoteAddress !== undefined && {
        remoteAddress: caller.raw.socket.remoteAddress,
      }),
    });
    const header = (name: string): string | undefined => {
      const value = reply.headers[name];
      return typeof value === 'string' ? value : undefined;
    };
    const { statusCode: status, body } = reply;
    return {
      status,
      body,
      link: header('link'),
      paymentResponse: header('payment-response'),
      purchaseToken: header(purchaseTokenHeader),
    };
  }
}

const base64Json = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64');
