import { Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The replies of each connection that are not finished yet; a client may pipeline several requests. */
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

  /** How many requests of the connection wait for their reply, or for its end. */
  count(socket: Socket): number {
    return this.bySocket.get(socket)?.size ?? 0;
  }

  /** The reply goes on without its `ServerResponse`, until the connection closes. */
  goesOn(socket: Socket): void {
    this.endless.add(socket);
  }

  isEndless(socket: Socket): boolean {
    return this.endless.has(socket);
  }

  /** Whether part of a reply is on its way: anything written now would be read as the rest of it. */
  hasBegun(socket: Socket): boolean {
    if (this.isEndless(socket)) return true;
    for (const { headersSent, writableFinished } of this.bySocket.get(socket) ?? [])
      if (headersSent && !writableFinished) return true;
    return false;
  }
}
