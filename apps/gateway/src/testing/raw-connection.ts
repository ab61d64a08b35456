import { connect, type Socket } from 'node:net';

/** A TCP connection that sends exactly the bytes of a test, valid or not. */
export class RawConnection {
  private text = '';
  private isOver = false;

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (this.text += chunk));
    socket.on('close', () => (this.isOver = true));
    // A reset is recorded as a close.
    socket.on('error', () => undefined);
  }

  static open(port: number): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new RawConnection(socket));
      });
    });
  }

  get received(): string {
    return this.text;
  }

  get isClosed(): boolean {
    return this.isOver;
  }

  send(...lines: string[]): this {
    this.socket.write(lines.join('\r\n'));
    return this;
  }

  abort(): void {
    this.socket.resetAndDestroy();
  }
}
