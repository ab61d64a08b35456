import { Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The unfinished replies of each connection. A client may pipeline several requests. */
@Injectable()
export class RepliesInProgress {
  private readonly bySocket = new WeakMap<Socket, Set<ServerResponse>>();
  private readonly endless = new WeakSet<Socket>();

  add(socket: Socket, reply: ServerResponse): void {
    const replies = this.bySocket.get(socket);
    if (replies) replies.add(reply);
    else this.bySocket.set(socket, new Set([reply]));
  }

  remove(socket: Socket, reply: ServerResponse): void {
    const replies = this.bySocket.get(socket);
    replies?.delete(reply);
    if (replies?.size === 0) this.bySocket.delete(socket);
  }

  /** The number of requests of the connection with an unfinished reply. */
  count(socket: Socket): number {
    return this.bySocket.get(socket)?.size ?? 0;
  }

  /** Marks a connection with a reply that continues without its `ServerResponse` until the connection closes. */
  goesOn(socket: Socket): void {
    this.endless.add(socket);
  }

  isEndless(socket: Socket): boolean {
    return this.endless.has(socket);
  }

  /** Whether a reply is partly sent, so that anything written now would be read as a part of it. */
  hasBegun(socket: Socket): boolean {
    if (this.isEndless(socket)) return true;
    for (const { headersSent, writableFinished } of this.bySocket.get(socket) ?? [])
      if (headersSent && !writableFinished) return true;
    return false;
  }
}
