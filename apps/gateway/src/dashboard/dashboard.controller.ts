import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { DomainError } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config';
import { CompressedText } from '../documents/compressed-text';
import { qrPng } from '../pages/parts/qr';
import { WebFiles } from '../web/web-files';
import { dashboardPage, dashboardPolicy } from './dashboard-page';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The pages of the dashboard, and QR codes of PayLinks. The API returns QR codes for payment requests only. */
@Controller('dashboard')
export class DashboardController {
  private readonly page: CompressedText;
  private readonly publicUrl: string;

  constructor(
    files: WebFiles,
    @Inject(ServiceConfig) config: Pick<GatewayConfig, 'GATEWAY_PUBLIC_URL' | 'environment'>,
  ) {
    this.publicUrl = config.GATEWAY_PUBLIC_URL.replace(/\/+$/, '');
    const isSandbox = config.environment === 'sandbox';
    this.page = new CompressedText(dashboardPage(files, { isSandbox }), {
      'content-type': 'text/html; charset=utf-8',
      // A new deployment changes the names of the files in the page.
      'cache-control': 'no-cache',
      'content-security-policy': dashboardPolicy,
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  }

  @Get('qr/:id')
  async readLinkCode(@Param('id') id: string, @Res() reply: FastifyReply): Promise<void> {
    if (!uuid.test(id)) throw new DomainError('NOT_FOUND', 'The id of a PayLink is a UUID. Check the id.');
    const png = await qrPng(`${this.publicUrl}/l/${id}`);
    void reply
      .header('content-type', 'image/png')
      .header('cache-control', 'public, max-age=86400, immutable')
      .send(png);
  }

  @Get(['', '*'])
  async open(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.page.send(request, reply);
  }
}
