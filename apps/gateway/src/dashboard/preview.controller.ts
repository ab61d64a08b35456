import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CachedSessions, type Session } from '../auth/cached-sessions';
import { unauthorized } from '../auth/rejections';
import { dashboardHeader, SessionCookie } from '../auth/session-cookie';
import { PageRenderer } from '../pages/parts/layout';
import { previewPage, type EnteredStorefront } from './preview-page';

/** Shows the checkout with unsaved settings in a frame of the dashboard. */
@Controller('dashboard/preview')
export class PreviewController {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly sessions: CachedSessions,
    private readonly cookie: SessionCookie,
  ) {}

  @Get()
  async show(
    @Query() query: Record<string, unknown>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { wallet } = await this.sessionOf(request);
    const page = await previewPage(textsOf(query), wallet);
    void reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', framedPolicy(this.renderer.policyOf(page)))
      .header('x-frame-options', 'SAMEORIGIN')
      .send(this.renderer.render(page));
  }

  /**
   * Reads the session of a frame. A frame cannot send the dashboard's header, so this checks `sec-fetch-site` instead,
   * which no page can set.
   * @throws DomainError UNAUTHORIZED for a request that is not from a frame of this origin
   */
  private async sessionOf({ headers, call }: FastifyRequest): Promise<Session> {
    const isOwnFrame = headers['sec-fetch-site'] === 'same-origin' && headers['sec-fetch-dest'] === 'iframe';
    const token = isOwnFrame
      ? this.cookie.read({ headers: { ...headers, [dashboardHeader]: '1' } })
      : 'missing';
    if (token === 'missing' || token === 'malformed') throw unauthorized(token);
    return this.sessions.find(token, call);
  }
}

/**
 * The content security policy for a page in a frame of the dashboard, without forms. `data:` allows a logo that is not
 * stored yet.
 */
export const framedPolicy = (policy: string): string =>
  [
    ...policy.split('; ').filter((directive) => !/^(frame-ancestors|form-action|img-src) /.test(directive)),
    "img-src 'self' data:",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');

/** Repeated parameters are arrays, and are omitted. */
const textsOf = (query: Record<string, unknown>): EnteredStorefront =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => typeof value === 'string'));
