import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { DomainError } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorsPath } from '../http/replies';
import { ApiDocuments } from './api-documents';
import { CompressedText } from './compressed-text';
import { ApiReference } from './reference/api-reference';

const maxAge = 'public, max-age=60';

/**
 * `/openapi.json`, `/asyncapi.json` and the pages below `/docs`. All are served from memory, and compressed only once.
 */
@Controller()
export class DocumentsController {
  private readonly asyncApi: CompressedText;
  private readonly errors: CompressedText;
  private openApi: { document: unknown; text: CompressedText } | undefined;

  constructor(
    @Inject(ApiDocuments) private readonly documents: ApiDocuments,
    private readonly reference: ApiReference,
  ) {
    this.asyncApi = jsonText(documents.asyncApi);
    this.errors = pageText(documents.errorsHtml, documents.errorsPolicy);
  }

  @Get('openapi.json')
  async readOpenApi(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const document = await this.documents.openApi();
    if (!this.openApi || this.openApi.document !== document)
      this.openApi = { document, text: jsonText(document) };
    await this.openApi.text.send(request, reply);
  }

  @Get('asyncapi.json')
  async readAsyncApi(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.asyncApi.send(request, reply);
  }

  @Get('docs')
  async openDocs(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await (await this.reference.read(''))!.send(request, reply);
  }

  @Get(errorsPath)
  async openErrors(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.errors.send(request, reply);
  }

  @Get('docs/:group')
  async openGroup(
    @Param('group') group: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const text = await this.reference.read(group);
    if (!text)
      throw new DomainError('NOT_FOUND', 'No group of operations has this name. GET /docs lists all groups.');
    await text.send(request, reply);
  }
}

const jsonText = (document: unknown): CompressedText =>
  new CompressedText(JSON.stringify(document), {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': maxAge,
  });

const pageText = (body: string, policy: string): CompressedText =>
  new CompressedText(body, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': maxAge,
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
  });
