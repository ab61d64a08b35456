import { Controller, Get, Req, Res } from '@nestjs/common';
import { logoSvg } from '@tollbridge/chains';
import { DomainError } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';

@Controller('logos')
export class LogosController {
  @Get('*')
  read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const svg = logoSvg(request.url.split('?', 1)[0]!);
    if (svg === undefined)
      throw new DomainError(
        'NOT_FOUND',
        'No logo has this path. Take the logo URLs from GET /api/v1/pay/chains.',
      );
    void reply
      .header('content-type', 'image/svg+xml')
      .header('cache-control', 'public, max-age=86400')
      .send(svg);
  }
}
