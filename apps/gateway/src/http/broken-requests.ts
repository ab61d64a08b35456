import { callContext, DomainError, logFields } from '@tollbridge/rpc';
import type { Logger } from '@tollbridge/observability';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { failureText, jsonType } from './render';
import { standingHeaders } from './standing-headers';

interface ParserError extends Error {
  code?: string;
}

/** Answers what is not HTTP at all, or did not come in time, in the form of all other answers, and hangs up. */
export function answerBrokenRequest(
  logger: Logger,
  publicUrl: string,
): (error: ParserError, socket: Socket) => void {
  return (error, socket) => {
    // Nobody is there to be answered; what was under way is logged as such.
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const call = callContext();
    logger.info({ ...logFields(call), cause: error.code }, 'a request could not be read');
    if (!isAnswering(socket)) {
      const failure = failureOf(error);
      const { requestId } = call;
      const body = failureText('bare', failure, { requestId, publicUrl });
      socket.write(rawReply(failure.status, body, requestId));
    }
    socket.destroy();
  };
}

function failureOf({ code }: ParserError): DomainError {
  if (code === 'HPE_HEADER_OVERFLOW') return new DomainError('HEADERS_TOO_LARGE');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new DomainError('REQUEST_TIMEOUT');
  return new DomainError(
    'VALIDATION_ERROR',
    'The request is not valid HTTP. Check the client that sends it.',
  );
}

/** A second reply in the middle of a first one would be read as a part of it. */
function isAnswering(socket: Socket): boolean {
  const { _httpMessage: reply } = socket as Socket & { _httpMessage?: { headersSent: boolean } };
  return reply?.headersSent === true;
}

/** A whole reply as text, for where Node gives no response to write it with. The connection ends behind it. */
export function rawReply(
  status: number,
  body: string,
  requestId: string,
  more: Record<string, string> = {},
): string {
  const headers = {
    ...standingHeaders,
    ...more,
    'x-request-id': requestId,
    'content-type': jsonType,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}
