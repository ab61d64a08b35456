import {
  Catch,
  Inject,
  Injectable,
  type ArgumentsHost,
  type ExceptionFilter,
  type OnModuleInit,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { logFields } from '@tollbridge/rpc';
import type { Logger } from '@tollbridge/observability';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config';
import { fastifyOf } from './gateway-adapter';
import { asDomainError, sendFailure, styleOfPath } from './replies';

/** Sends every failure in the style of its route, and logs those that are faults of ours. */
@Injectable()
export class FailureReplies implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(ServiceConfig) private readonly config: Pick<GatewayConfig, 'GATEWAY_PUBLIC_URL'>,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    fastifyOf(this.host).setErrorHandler((thrown, request, reply) => this.send(request, reply, thrown));
  }

  send(request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply {
    const failure = asDomainError(thrown);
    if (failure.code === 'INTERNAL_ERROR')
      this.logger.error({ ...logFields(request.call), err: failure }, 'request failed');
    const style = request.routeOptions.config?.style ?? styleOfPath(request.url);
    return sendFailure(reply, failure, { style, publicUrl: this.config.GATEWAY_PUBLIC_URL });
  }
}

/** The same for exceptions of controllers, which Nest catches before Fastify. */
@Catch()
export class FailureFilter implements ExceptionFilter {
  constructor(private readonly failures: FailureReplies) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    void this.failures.send(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), thrown);
  }
}
