import { DomainError, logFields, type Operation } from '@tollbridge/rpc';
import type { Logger } from '@tollbridge/observability';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Admit } from '../http/admission';
import { gate } from '../http/operation-routes';
import { asDomainError, retryAfterOf } from '../http/render';
import { failurePage } from './failure-page';
import { sendPage } from './layout';

/** A page, and the operation that it stands for: who may call that, and how often, may open the page. */
export interface PageRoute {
  method: 'GET' | 'POST';
  /** As the router spells it: `/checkout/:id`. */
  url: string;
  operation: Operation<any, any>;
  answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

// A form of a few fields; what is longer was not typed into one of ours.
const formLimitBytes = 8 * 1024;

/** Serves pages. Whatever goes wrong with one is a page too. Forms are taken here, and nowhere else. */
export function addPageRoutes(
  server: FastifyInstance,
  routes: readonly PageRoute[],
  { admit, logger }: { admit: Admit; logger: Logger },
): void {
  void server.register(async (pages) => {
    pages.removeAllContentTypeParsers();
    const form = { parseAs: 'string', bodyLimit: formLimitBytes } as const;
    pages.addContentTypeParser('application/x-www-form-urlencoded', form, (_request, body, done) =>
      done(null, String(body)),
    );
    pages.setErrorHandler((thrown, request, reply) => {
      const failure = asDomainError(thrown);
      if (failure.code === 'INTERNAL_ERROR')
        logger.error({ ...logFields(request.call), err: failure }, 'a page failed');
      request.failureCode = failure.code;
      const retryAfter = retryAfterOf(failure);
      if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter));
      return sendPage(reply, failure.status, failurePage(failure, request.call.requestId));
    });
    for (const { method, url, operation, answer } of routes)
      pages.route({ method, url, onRequest: gate(operation, admit), handler: answer });
  });
}

/** The fields of a form. One that stands twice, or that nobody asked for, is refused as in a body of JSON. */
export function formFields(request: FastifyRequest, names: readonly string[]): Map<string, string> {
  const given = [...new URLSearchParams((request.body as string | undefined) ?? '')];
  const fields = new Map(given);
  const wrong = [...fields.keys()].filter((name) => !names.includes(name));
  if (wrong.length > 0 || fields.size < given.length)
    throw new DomainError('VALIDATION_ERROR', 'The form cannot be read. Go back and send it again.');
  return fields;
}
