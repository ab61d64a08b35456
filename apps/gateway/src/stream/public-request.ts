import { transactionStream } from '@tollbridge/contracts';
import { IncomingMessage } from 'node:http';

/**
 * A request that is an upgrade only when it is the handshake of the stream. Node takes every upgrade request away from
 * the routes, body unread. Some HTTP clients ask for HTTP/2 with each request: those are ordinary requests here.
 */
export class PublicRequest extends IncomingMessage {
  private asksForUpgrade = false;

  /** Node sets whether the request asks for an upgrade, and reads whether it gets one. */
  get upgrade(): boolean {
    return this.asksForUpgrade && isStreamHandshake(this);
  }

  set upgrade(asks: unknown) {
    this.asksForUpgrade = asks === true;
  }
}

function isStreamHandshake({ method, url = '', headers }: IncomingMessage): boolean {
  const path = url.split('?', 1)[0];
  // The router accepts a trailing slash too.
  const isPath = path === transactionStream.path || path === `${transactionStream.path}/`;
  return isPath && method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}
