import { closeCodes, heartbeatSeconds } from '@tollbridge/contracts';
import type { Socket } from 'node:net';
import { closeFrame, FrameBoundary } from './frame-boundary';

// The stream service pings every client. After three missed pings, a client is considered disconnected.
const silenceTimeoutMs = 3 * heartbeatSeconds * 1_000;
// The time to send buffered data and the close frame.
const endTimeoutMs = 2_000;

/** Pipes a client to the stream service, and sends a close frame when the stream ends without one. */
export class JoinedSockets {
  private readonly frames = new FrameBoundary();
  private isStopping = false;

  constructor(
    private readonly client: Socket,
    private readonly stream: Socket,
  ) {
    // Updates are small and rare, so they are sent without waiting for further ones.
    client.setNoDelay(true);
    stream.setNoDelay(true);
    client.pipe(stream);
    stream.on('data', (chunk: Buffer) => this.pass(chunk));
    client.on('drain', () => stream.resume());
    stream.on('error', () => stream.destroy());
    stream.setTimeout(silenceTimeoutMs, () => stream.destroy());
    stream.on('close', () => this.end());
    client.on('close', () => stream.destroy());
  }

  /** Ends the stream at the next frame boundary. The client then gets a close frame. */
  stop(): void {
    this.isStopping = true;
    if (this.frames.isHere) this.stream.destroy();
    else setTimeout(() => this.stream.destroy(), endTimeoutMs).unref();
  }

  private pass(chunk: Buffer): void {
    const taken = this.frames.take(chunk, this.isStopping);
    const hasRoom = this.client.write(taken === chunk.length ? chunk : chunk.subarray(0, taken));
    if (this.isStopping && this.frames.isHere) this.stream.destroy();
    else if (!hasRoom) this.stream.pause();
  }

  /** Called after the stream service has closed its side. */
  private end(): void {
    const { client, frames } = this;
    if (frames.isHere && !frames.hasClosed && client.writable)
      client.write(closeFrame(closeCodes.restarting, 'the service restarts'));
    client.unpipe();
    // Reads and discards further data, because a socket that is not read does not detect its end.
    client.resume();
    client.end();
    setTimeout(() => client.destroy(), endTimeoutMs).unref();
  }
}
