import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { internalStorefrontsApi } from '@tollbridge/contracts';
import { BusClient } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';

const { readStoreLogo } = internalStorefrontsApi.operations;

/** Serves the logos that merchants stored in their settings. */
@Controller('assets/logos')
export class StoreLogosController {
  constructor(private readonly bus: BusClient) {}

  @Get(':hash')
  async read(
    @Param('hash') hash: string,
    @Req() { call }: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { type, content } = await this.bus.call(readStoreLogo, { hash }, call);
    void reply
      .header('content-type', type)
      // Cacheable forever, because another logo has another hash.
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(Buffer.from(content, 'base64'));
  }
}
