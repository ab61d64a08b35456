import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { DomainError } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { varyBy } from '../http/vary';
import { wantsPage } from '../http/wants-page';
import { html, type Html } from '../pages/parts/html';
import { WebFiles } from '../web/web-files';
import { guideBody, guideList, mostChars, searchForm } from './guide-page';
import { Guides, mostMatches, type Match } from './guides';
import { sendSitePage, type SitePage } from './site-layout';

/** `/guides`: the guides of this repository as pages, and a search in them. */
@Controller('guides')
export class GuidesController {
  constructor(
    private readonly guides: Guides,
    private readonly files: WebFiles,
  ) {}

  @Get()
  async list(@Query('q') query: unknown, @Res() reply: FastifyReply): Promise<void> {
    const words = typeof query === 'string' ? query.trim().slice(0, mostChars) : '';
    const matches = words === '' ? undefined : this.guides.search(words);
    const body = html`<h1>Guides</h1>
      ${searchForm(words)} ${matches ? matchList(words, matches) : guideList(this.guides.groups)}`;
    const description =
      'How to take payments, run a shop, swap, sell routes and buy services with Tollbridge.';
    await this.send(reply, { title: 'Guides - Tollbridge', description, body, current: '/guides' });
  }

  @Get(':slug')
  async open(
    @Param('slug') slug: string,
    @Req() { headers }: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (slug.endsWith('.md') && this.sendMarkdown(slug.slice(0, -'.md'.length), reply)) return;
    const guide = this.guides.find(slug);
    if (!guide) {
      if (!wantsPage(headers.accept))
        throw new DomainError('NOT_FOUND', 'There is no such guide. GET /guides lists all guides.');
      varyBy(reply, 'Accept');
      const body = html`<h1>There is no such guide</h1>
        <p>The guides that exist:</p>
        ${guideList(this.guides.groups)}`;
      const page = { title: 'Not found - Tollbridge', description: 'There is no such guide.', body };
      await sendSitePage(reply, { files: this.files, page, status: 404 });
      return;
    }
    const body = guideBody(guide, this.guides);
    const { title, summary: description } = guide;
    await this.send(reply, {
      title: `${title} - Tollbridge`,
      description,
      body,
      current: '/guides',
      script: 'guides',
    });
  }

  /** Sends the Markdown source of a guide, for programs. */
  private sendMarkdown(slug: string, reply: FastifyReply): boolean {
    const guide = this.guides.find(slug);
    if (guide) void reply.header('content-type', 'text/markdown; charset=utf-8').send(guide.markdown);
    return guide !== undefined;
  }

  private async send(reply: FastifyReply, page: SitePage): Promise<void> {
    await sendSitePage(reply, { files: this.files, page });
  }
}

function matchList(words: string, matches: readonly Match[]): Html {
  if (matches.length === 0)
    return html`<p role="status">
      Nothing matches “${words}”. Try fewer words, or <a href="/docs">the API reference</a>.
    </p>`;
  return html`<p role="status">
      ${matches.length === mostMatches ? `The best ${mostMatches}` : matches.length}
      ${matches.length === 1 ? 'place matches' : 'places match'} “${words}”.
    </p>
    <ol class="matches">
      ${matches.map(
        ({ path, guide, title, excerpt }) =>
          html`<li>
            <a href="${path}">${title}</a> <span class="soft">${title === guide ? '' : guide}</span>
            <p>${excerpt}</p>
          </li>`,
      )}
    </ol>`;
}
