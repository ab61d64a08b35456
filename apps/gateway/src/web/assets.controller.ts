import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { DomainError } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncoding } from '../documents/compressed-text';
import { WebFiles } from './web-files';

// A name with a hash never gets another content.
const hashedName = /-[\w-]{8}\.\w+$/;
const forEver = 'public, max-age=31536000, immutable';
const forADay = 'public, max-age=86400';

/** The modules, style sheets and images of the pages. */
@Controller('assets')
export class AssetsController {
  constructor(private readonly files: WebFiles) {}

  @Get(':file')
  read(@Param('file') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const file = this.files.find(name);
    if (!file) throw new DomainError('NOT_FOUND', 'There is no such file. Reload the page that names it.');
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    const encoded = { br: file.brotli, gzip: file.gzip, identity: file.body }[encoding];
    if (encoding !== 'identity' && encoded) void reply.header('content-encoding', encoding);
    void reply
      .header('content-type', file.type)
      .header('cache-control', hashedName.test(name) ? forEver : forADay)
      .header('vary', 'Accept-Encoding')
      .send(encoded ?? file.body);
  }
}
