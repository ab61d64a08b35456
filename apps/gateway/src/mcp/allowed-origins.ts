/**
 * The pages that may call are those of the gateway itself. This stops DNS rebinding, because a host name that an
 * attacker resolves to this machine is another origin.
 */
export class AllowedOrigins {
  private readonly origins: ReadonlySet<string>;

  constructor(publicUrl: string) {
    const { protocol, hostname, port, origin } = new URL(publicUrl);
    const isLocal = loopback.includes(hostname);
    const names = isLocal
      ? loopback.map((name) => `${protocol}//${name}${port === '' ? '' : `:${port}`}`)
      : [];
    this.origins = new Set([origin, ...names]);
  }

  /** Programs send no `Origin`. */
  allows(origin: string | undefined): boolean {
    return origin === undefined || this.origins.has(origin);
  }
}

const loopback = ['localhost', '127.0.0.1', '[::1]'];
