import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ServiceLogger } from '@tollbridge/bootstrap';
import { logFields } from '@tollbridge/rpc';
import type { Logger } from '@tollbridge/observability';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fastifyOf } from '../../http/gateway-adapter';
import { asDomainError, retryAfterOf } from '../../http/replies';
import { patternOf, RouteTable } from '../../routes/route-table';
import { failurePage } from './failure-page';
import { PageRenderer } from '../parts/layout';
import type { PageHandler } from './page-handler';
import { languageOf } from '../texts/languages';

// Enough for a form with a few fields.
const formLimitBytes = 8 * 1024;

/** Injection token of all `PageHandler`s. */
export const PageHandlers = Symbol('PageHandlers');

/**
 * Serves pages, and failures as pages too. A separate Fastify plugin, because no other route accepts forms, and Nest
 * controllers share one body parser and error handler.
 */
@Injectable()
export class PageRoutes implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly table: RouteTable,
    @Inject(PageHandlers) private readonly pages: readonly PageHandler[],
    @Inject(ServiceLogger) private readonly logger: Logger,
    private readonly renderer: PageRenderer,
  ) {}

  onModuleInit(): void {
    void fastifyOf(this.host).register(async (server) => {
      acceptForms(server);
      server.setErrorHandler((thrown, request, reply) => this.fail(thrown, request, reply));
      for (const { route, handle } of this.pages) {
        // Some pages exist in the sandbox only.
        if (!this.table.has(route)) continue;
        const { method, path } = route.declaration;
        server.route({ method, url: patternOf(path), handler: handle });
      }
    });
  }

  private fail(thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const failure = asDomainError(thrown);
    if (failure.code === 'INTERNAL_ERROR')
      this.logger.error({ ...logFields(request.call), err: failure }, 'page failed');
    request.failureCode = failure.code;
    const retryAfter = retryAfterOf(failure);
    if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter));
    const isRead = request.method === 'GET';
    const page = failurePage(failure, request.call.requestId, languageOf(request), isRead);
    return this.renderer.send(reply, failure.status, page);
  }
}

function acceptForms(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  const options = { parseAs: 'string', bodyLimit: formLimitBytes } as const;
  server.addContentTypeParser('application/x-www-form-urlencoded', options, (_request, body, done) =>
    done(null, String(body)),
  );
}
