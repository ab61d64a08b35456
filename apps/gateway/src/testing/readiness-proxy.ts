import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface Replica {
  /** The URL of the public API. */
  url: string;
  /** The URL of the readiness probe. */
  management: string;
}

// The interval of the readiness probes.
const probeEveryMs = 25;

/**
 * A load balancer like the Service of Kubernetes: each new connection goes to the next ready replica, and open
 * connections stay. A replica that is not ready is withdrawn some time after its first failed probe.
 */
export class ReadinessProxy {
  /** The number of connections that a replica did not accept. */
  rejected = 0;
  private readonly notReadySinceMs = new Map<Replica, number>();
  private readonly sockets = new Set<Socket>();
  private readonly server: Server = createServer((socket) => this.forward(socket));
  private timer: NodeJS.Timeout | undefined;
  private turn = 0;

  private constructor(
    private readonly replicas: readonly Replica[],
    private readonly withdrawnAfterMs: number,
  ) {}

  static async start(replicas: readonly Replica[], withdrawnAfterMs: number): Promise<ReadinessProxy> {
    const proxy = new ReadinessProxy(replicas, withdrawnAfterMs);
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    proxy.timer = setInterval(() => void proxy.probe(), probeEveryMs);
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Whether new connections do not go to the replica any more. */
  isWithdrawn(replica: Replica): boolean {
    return performance.now() - (this.notReadySinceMs.get(replica) ?? Infinity) >= this.withdrawnAfterMs;
  }

  private async probe(): Promise<void> {
    await Promise.all(
      this.replicas.map(async (replica) => {
        const isReady = await fetch(`${replica.management}/health/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
        if (isReady) this.notReadySinceMs.delete(replica);
        else if (!this.notReadySinceMs.has(replica)) this.notReadySinceMs.set(replica, performance.now());
      }),
    );
  }

  private forward(client: Socket): void {
    const ready = this.replicas.filter((replica) => !this.isWithdrawn(replica));
    const replica = ready[this.turn++ % ready.length];
    if (!replica) return void client.destroy();
    const { hostname, port } = new URL(replica.url);
    const upstream = connect(Number(port), hostname);
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') this.rejected++;
      client.destroy();
    });
    client.on('error', () => upstream.destroy());
    for (const socket of [client, upstream]) {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    }
    client.pipe(upstream).pipe(client);
  }
}
