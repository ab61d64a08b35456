import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { DomainError } from '@tollbridge/bus';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { asDomainError, sendFailure, styleOf } from './render';

/** Nest answers what no route matches; this puts it in our form. */
@Catch()
export class UnknownRoutes implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const isUnknown = (thrown as { status?: number }).status === 404;
    const error = isUnknown
      ? new DomainError('NOT_FOUND', 'There is no such route; GET /docs lists them all.')
      : asDomainError(thrown);
    void sendFailure(http.getResponse<FastifyReply>(), styleOf(request.url), error);
  }
}
