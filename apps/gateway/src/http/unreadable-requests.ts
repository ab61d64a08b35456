import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { callContext, DomainError, logFields } from '@tollbridge/rpc';
import type { Logger } from '@tollbridge/observability';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import type { GatewayConfig } from '../config';
import { FailureReplies } from './failure-replies';
import { adapterOf, type UnreadableRequestHandler } from './gateway-adapter';
import { rawReply } from './raw-reply';
import { failureText } from './replies';
import { RepliesInProgress } from './replies-in-progress';
import { RequestHooks } from './request-hooks';
import { RequestLog } from './request-log';

interface ParserError extends Error {
  code?: string;
}

/** Answers requests that are not HTTP, time out or have an undecodable path, in the format of all failures. */
@Injectable()
export class UnreadableRequests implements OnModuleInit, UnreadableRequestHandler {
  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(ServiceConfig) private readonly config: Pick<GatewayConfig, 'GATEWAY_PUBLIC_URL'>,
    @Inject(ServiceLogger) private readonly logger: Logger,
    private readonly hooks: RequestHooks,
    private readonly failures: FailureReplies,
    private readonly log: RequestLog,
    private readonly replies: RepliesInProgress,
  ) {}

  onModuleInit(): void {
    adapterOf(this.host).answerUnreadableRequestsBy(this);
  }

  onFrameworkError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    // No hook has run for this request.
    this.hooks.open(request, reply);
    reply.raw.once('close', () => this.log.write(request, reply));
    void this.failures.send(request, reply, error);
  }

  onClientError(error: ParserError, socket: Socket): void {
    // The client disconnected, and the access log contains the request.
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const call = callContext();
    this.logger.info({ ...logFields(call), cause: error.code }, 'unreadable request rejected');
    if (!this.replies.hasBegun(socket)) {
      const failure = failureOf(error);
      const { requestId } = call;
      const body = failureText('bare', failure, { requestId, publicUrl: this.config.GATEWAY_PUBLIC_URL });
      socket.write(rawReply(failure.status, body, requestId));
    }
    socket.destroy();
  }
}

/** The error that Node emits for a request that has not arrived in time. */
export const requestTimeout = (): Error =>
  Object.assign(new Error('The body has not arrived in time.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

function failureOf({ code }: ParserError): DomainError {
  if (code === 'HPE_HEADER_OVERFLOW') return new DomainError('HEADERS_TOO_LARGE');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new DomainError('REQUEST_TIMEOUT');
  return new DomainError(
    'VALIDATION_ERROR',
    'The request is not valid HTTP. Check the client that sends it.',
  );
}
