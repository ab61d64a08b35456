import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { DomainError } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendFile } from './send-file';
import { WebFiles } from './web-files';

// A file name with a hash always has the same content.
const hashedName = /-[\w-]{8}\.\w+$/;
const forEver = 'public, max-age=31536000, immutable';
const forADay = 'public, max-age=86400';

/** Serves the scripts, style sheets and images of the pages. */
@Controller('assets')
export class AssetsController {
  constructor(private readonly files: WebFiles) {}

  @Get(':file')
  read(@Param('file') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const file = this.files.find(name);
    if (!file) throw new DomainError('NOT_FOUND', 'There is no such file. Reload the page that names it.');
    sendFile(request, reply, file, hashedName.test(name) ? forEver : forADay);
  }
}
