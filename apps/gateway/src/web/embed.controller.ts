import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendFile } from './send-file';
import { WebFiles } from './web-files';

// Shops include this file by its name, so a new version must replace the content under the same name.
const fiveMinutes = 'public, max-age=300';

/** `GET /embed.js`: the script that shows a checkout in the page of a shop. */
@Controller('embed.js')
export class EmbedController {
  constructor(private readonly files: WebFiles) {}

  @Get()
  read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendFile(request, reply, this.files.find('embed.js')!, fiveMinutes);
  }
}
