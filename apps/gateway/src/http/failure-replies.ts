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
import { logFields, type DomainError } from '@tollbridge/rpc';
import { GroupedWarnings, type Logger } from '@tollbridge/observability';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config';
import { fastifyOf } from './gateway-adapter';
import { asDomainError, sendFailure, styleOfPath } from './replies';
import { varyBy } from './vary';
import { wantsPage } from './wants-page';

/** Sends a page to browsers when a path does not exist. */
export interface FailurePages {
  send(request: FastifyRequest, reply: FastifyReply, failure: DomainError): Promise<FastifyReply>;
}

// 502 is the error of a provider, and is not grouped.
const temporary: readonly number[] = [503, 504];

/** Sends every failure in the error format of its route, and logs internal errors. */
@Injectable()
export class FailureReplies implements OnModuleInit {
  private readonly warnings: GroupedWarnings;
  private pages: FailurePages | undefined;

  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(ServiceConfig) private readonly config: Pick<GatewayConfig, 'GATEWAY_PUBLIC_URL'>,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    this.warnings = new GroupedWarnings(logger);
  }

  onModuleInit(): void {
    fastifyOf(this.host).setErrorHandler((thrown, request, reply) => this.send(request, reply, thrown));
  }

  /** Registers the pages for browsers. The module that renders them depends on this one. */
  showBrowsers(pages: FailurePages): void {
    this.pages = pages;
  }

  send(request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply | Promise<FastifyReply> {
    const failure = asDomainError(thrown);
    if (failure.code === 'INTERNAL_ERROR')
      this.logger.error({ ...logFields(request.call), err: failure }, 'request failed');
    else if (temporary.includes(failure.status)) this.warn(request, failure);
    if (isMissing(request, failure)) {
      varyBy(reply, 'Accept');
      if (this.pages && wantsPage(request.headers.accept)) return this.pages.send(request, reply, failure);
    }
    const style = request.routeOptions.config?.style ?? styleOfPath(request.url);
    return sendFailure(reply, failure, { style, publicUrl: this.config.GATEWAY_PUBLIC_URL });
  }

  /**
   * A temporary failure affects many requests at once, so one log line covers them. The access log contains each
   * request.
   */
  private warn({ call, routeOptions: { url: route } }: FastifyRequest, failure: DomainError): void {
    const { code, message: reason, cause } = failure;
    const fields = { ...logFields(call), route, code, reason, err: cause };
    this.warnings.warn(`${route} ${code} ${reason}`, fields, 'requests not served');
  }
}

/** Whether no route matches the path, or an open route such as files and documents returns 404. */
function isMissing({ is404, routeOptions }: FastifyRequest, { status }: DomainError): boolean {
  return is404 || (status === 404 && routeOptions.config?.isOpen === true);
}

/** Sends failures of exceptions in controllers, which Nest catches before Fastify. */
@Catch()
export class FailureFilter implements ExceptionFilter {
  constructor(private readonly failures: FailureReplies) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    void this.failures.send(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), thrown);
  }
}
