import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { DomainError } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FailureReplies, type FailurePages } from '../../http/failure-replies';
import { PageRenderer } from '../parts/layout';
import { missingPage } from './missing-page';
import { languageOf } from '../texts/languages';

/** Sends a page to browsers at a path without a page. Programs get JSON instead. */
@Injectable()
export class MissingPages implements OnModuleInit, FailurePages {
  constructor(
    private readonly failures: FailureReplies,
    private readonly renderer: PageRenderer,
  ) {}

  onModuleInit(): void {
    this.failures.showBrowsers(this);
  }

  send(request: FastifyRequest, reply: FastifyReply, { code, status }: DomainError): Promise<FastifyReply> {
    request.failureCode = code;
    const [path = ''] = request.url.split('?', 1);
    const allow = String(reply.getHeader('allow') ?? '');
    return this.renderer.send(reply, status, missingPage({ path, allow }, languageOf(request)));
  }
}
