import { closeCodes, heartbeatSeconds } from '@tollbridge/contracts';
import type { Socket } from 'node:net';
import { closeFrame, FrameBoundary } from './frame-boundary';

// The stream pings every client: when nothing moves for three pings, it is not there any more.
const silenceTimeoutMs = 3 * heartbeatSeconds * 1_000;
// What is still to be sent, and the goodbye, have this long.
const endTimeoutMs = 2_000;

/** A client and the stream, joined: bytes pass through, and the client is told when that ends without a goodbye. */
export class JoinedSockets {
  private readonly frames = new FrameBoundary();
  private isStopping = false;

  constructor(
    private readonly client: Socket,
    private readonly stream: Socket,
  ) {
    // An update is small, and the next one may be far: it must not wait to be sent together with that.
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

  /** Says goodbye to the client as soon as the frame that is on its way has ended. */
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

  /** Nothing comes from the stream any more. */
  private end(): void {
    const { client, frames } = this;
    if (frames.isHere && !frames.hasClosed && client.writable)
      client.write(closeFrame(closeCodes.restarting, 'the service restarts'));
    client.unpipe();
    // What it still says is for nobody, but only who reads hears that it has ended.
    client.resume();
    client.end();
    setTimeout(() => client.destroy(), endTimeoutMs).unref();
  }
}
