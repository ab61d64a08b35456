import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { internalPaymentsApi } from '@tollbridge/contracts';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { BusClient } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../../config';
import { checkoutUrl } from '../checkout/checkout-pages';
import { qrPng } from './qr';

const { findPaymentRequest } = internalPaymentsApi.operations;

/** Returns the QR code of the checkout page's URL, for merchants to show. */
@Controller('api/v1/payment')
export class QrController {
  constructor(
    private readonly bus: BusClient,
    @Inject(ServiceConfig) private readonly config: Pick<GatewayConfig, 'GATEWAY_PUBLIC_URL'>,
  ) {}

  @Get(':id/qr.png')
  async read(
    @Param('id') requestId: string,
    @Req() { call }: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { id } = await this.bus.call(findPaymentRequest, { id: requestId }, call);
    const png = await qrPng(checkoutUrl(this.config.GATEWAY_PUBLIC_URL, id));
    // Cacheable, because the code of a request never changes.
    void reply
      .header('content-type', 'image/png')
      .header('cache-control', 'public, max-age=86400, immutable')
      .send(png);
  }
}
