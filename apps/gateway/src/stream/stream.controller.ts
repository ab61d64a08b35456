import { Controller, Get, Res } from '@nestjs/common';
import { transactionStream } from '@tollbridge/contracts';
import { DomainError } from '@tollbridge/rpc';
import type { FastifyReply } from 'fastify';

/** Answers requests for the stream without a WebSocket handshake. `StreamProxy` handles the handshakes. */
@Controller()
export class StreamController {
  @Get(transactionStream.path)
  rejectPlainRequest(@Res() reply: FastifyReply): void {
    void reply.header('upgrade', 'websocket').header('connection', 'upgrade');
    throw new DomainError('UPGRADE_REQUIRED');
  }
}
