import { connect, type ConsumerConfig, type StreamConfig } from 'nats';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, LocalProgram } from './local-program';

const ready = /Listening for client connections on 127\.0\.0\.1:(\d+)/;

const declared = join(__dirname, '../../../../deploy/nats/streams.json');

/** Creates the streams and consumers of libs/contracts, as the provisioner does. */
async function provision(url: string): Promise<void> {
  const streams = JSON.parse(readFileSync(declared, 'utf8')) as {
    stream: StreamConfig;
    consumers: ConsumerConfig[];
  }[];
  const nats = await connect({ servers: url });
  try {
    const manager = await nats.jetstreamManager();
    for (const { stream, consumers } of streams) {
      await manager.streams.add(stream);
      for (const consumer of consumers) await manager.consumers.add(stream.name, consumer);
    }
  } finally {
    await nats.close();
  }
}

/**
 * A NATS server with JetStream for one test file. Subjects and streams contain only the app's name. Two test files of
 * one app would therefore interfere on a shared server.
 */
export class NatsServer {
  private program: LocalProgram | undefined;
  private port = -1;
  private readonly folder = mkdtempSync(join(tmpdir(), 'tollbridge-nats-'));

  /**
   * @param maxFileStoreBytes storage limit of JetStream; default: the disk's size. With a limit, the test must create
   * its streams itself.
   */
  constructor(private readonly maxFileStoreBytes?: number) {}

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  /** Starts the server, or restarts it on the same port with the same streams. Creates lost streams. */
  async start(): Promise<void> {
    const args = ['-a', '127.0.0.1', '-p', String(this.port), ...this.storeArguments()];
    this.program = await LocalProgram.start(findProgram('nats-server'), args, ready);
    this.port = Number(this.program.announced);
    if (this.maxFileStoreBytes === undefined) await provision(this.url);
  }

  private storeArguments(): string[] {
    if (this.maxFileStoreBytes === undefined) return ['-js', '-sd', this.folder];
    const file = join(this.folder, 'server.conf');
    const store = `store_dir: ${JSON.stringify(this.folder)}, max_file_store: ${this.maxFileStoreBytes}`;
    writeFileSync(file, `jetstream { ${store} }`);
    return ['-c', file];
  }

  async stop(signal?: NodeJS.Signals): Promise<void> {
    await this.program?.stop(signal);
  }

  /** Deletes all streams of a stopped server. */
  loseStorage(): void {
    rmSync(join(this.folder, 'jetstream'), { recursive: true, force: true });
  }

  async remove(): Promise<void> {
    await this.stop('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export async function startNats(maxFileStoreBytes?: number): Promise<NatsServer> {
  const server = new NatsServer(maxFileStoreBytes);
  await server.start();
  return server;
}
