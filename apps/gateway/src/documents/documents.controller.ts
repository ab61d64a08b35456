import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorsPath } from '../http/replies';
import { ApiDocuments } from './api-documents';
import { CompressedText } from './compressed-text';
import { assets, page, pagePolicy } from './docs-page';
import { assetNames, assetPath } from './documents.routes';

// Pages change with a deployment; their assets do not, since an asset's URL contains its hash.
const pageMaxAge = 'public, max-age=60';
const assetMaxAge = 'public, max-age=31536000, immutable';

/** `/openapi.json`, `/asyncapi.json`, `/docs` and `/docs/errors`. Everything is served from memory, compressed once. */
@Controller()
export class DocumentsController {
  private readonly asyncApi: CompressedText;
  private readonly page = pageText(page, pagePolicy);
  private readonly errors: CompressedText;
  private readonly assets: ReadonlyMap<string, CompressedText>;
  private openApi: { document: unknown; text: CompressedText } | undefined;

  constructor(@Inject(ApiDocuments) private readonly documents: ApiDocuments) {
    this.asyncApi = jsonText(documents.asyncApi);
    this.errors = pageText(documents.errorsHtml, documents.errorsPolicy);
    this.assets = new Map(
      assetNames.map((name) => {
        const { type, body } = assets[name];
        const text = new CompressedText(body, { 'content-type': type, 'cache-control': assetMaxAge });
        return [assetPath(name), text];
      }),
    );
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
    await this.page.send(request, reply);
  }

  @Get(errorsPath)
  async openErrors(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.errors.send(request, reply);
  }

  @Get(assetNames.map(assetPath))
  async readAsset(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.assets.get(request.routeOptions.url!)!.send(request, reply);
  }
}

const jsonText = (document: unknown): CompressedText =>
  new CompressedText(JSON.stringify(document), {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': pageMaxAge,
  });

const pageText = (body: string, policy: string): CompressedText =>
  new CompressedText(body, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': pageMaxAge,
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
  });
