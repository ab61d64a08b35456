import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { DomainError } from '@tollbridge/rpc';
import type { FastifyRequest } from 'fastify';
import { BodyAdmission } from './body-admission';
import { fastifyOf } from './gateway-adapter';

/** Accepts JSON bodies as bytes. The code in `operations/` parses them, because it knows the operation. */
@Injectable()
export class JsonBodies implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly bodies: BodyAdmission,
  ) {}

  onModuleInit(): void {
    const server = fastifyOf(this.host);
    server.removeAllContentTypeParsers();
    server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
      const problem = encodingProblem(request) ?? this.lengthProblem(request, body as Buffer);
      if (problem) done(problem);
      else done(null, body);
    });
  }

  /** A body with `content-length` was checked before it was read. */
  private lengthProblem(request: FastifyRequest, { length }: Buffer): Error | undefined {
    if (request.headers['content-length'] !== undefined) return undefined;
    try {
      this.bodies.checkLength(request, length);
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }
}

function encodingProblem({ headers }: FastifyRequest): DomainError | undefined {
  const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = headers;
  if (encoding.toLowerCase() !== 'identity')
    return unsupported('Content-Encoding is not supported. Send the body unencoded.');
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(type)?.[1] ?? 'utf-8';
  return /^utf-?8$/i.test(charset)
    ? undefined
    : unsupported('The charset of Content-Type is not UTF-8. Send the body as application/json in UTF-8.');
}

const unsupported = (message: string): DomainError => new DomainError('UNSUPPORTED_MEDIA_TYPE', message);
