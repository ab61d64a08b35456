import { Inject, Injectable } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import type { GatewayConfig } from '../../config';
import { RouteTable } from '../../routes/route-table';
import { renderSitePage, siteHeaders } from '../../site/site-layout';
import { WebFiles } from '../../web/web-files';
import { ApiDocuments } from '../api-documents';
import { CompressedText } from '../compressed-text';
import type { OpenApiDocument } from './open-api';
import { referenceGroups } from './reference-groups';
import { ReferencePages } from './reference-page';

interface Rendered {
  document: unknown;
  pages: ReferencePages;
  /** The pages by slug. The slug of `/docs` itself is empty. */
  texts: Map<string, CompressedText>;
}

/** The pages at `/docs`. Each page is rendered and compressed once, at its first request. */
@Injectable()
export class ApiReference {
  private rendered: Rendered | undefined;

  constructor(
    @Inject(ApiDocuments) private readonly documents: ApiDocuments,
    private readonly table: RouteTable,
    private readonly files: WebFiles,
    @Inject(ServiceConfig) private readonly config: Pick<GatewayConfig, 'environment'>,
  ) {}

  /** @param slug of a group of operations, or empty for the overview @returns undefined for an unknown slug */
  async read(slug: string): Promise<CompressedText | undefined> {
    const { pages, texts } = this.render(await this.documents.openApi());
    const known = texts.get(slug);
    if (known) return known;
    const page = slug === '' ? pages.overview() : pages.group(slug);
    if (!page) return undefined;
    const text = new CompressedText(renderSitePage(page, this.files), {
      ...siteHeaders(page),
      'cache-control': 'public, max-age=60',
    });
    texts.set(slug, text);
    return text;
  }

  /** In the sandbox the document changes once, when the addresses of its contracts are known. */
  private render(document: unknown): Rendered {
    const before = this.rendered;
    if (before !== undefined && before.document === document) return before;
    const described = document as OpenApiDocument;
    const deployment = {
      url: described.servers[0]!.url.replace(/\/+$/, ''),
      isSandbox: this.config.environment === 'sandbox',
    };
    const pages = new ReferencePages(described, referenceGroups(described, this.table.routes), deployment);
    return (this.rendered = { document, pages, texts: new Map() });
  }
}
