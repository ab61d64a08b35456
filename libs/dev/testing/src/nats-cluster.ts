import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port';
import { findProgram, LocalProgram } from './local-program';

const configuration = join(__dirname, '../../../../deploy/nats');
const ready = /Server is ready/;
const password = 'test-password';

/** A server of the cluster. */
export interface NatsNode {
  name: string;
  url: string;
  /** Kills the server; its clients receive no notice. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Three NATS servers in one cluster, with the users and permissions of deploy/nats. Start all of them together. */
export class NatsCluster {
  private readonly folder = mkdtempSync(join(tmpdir(), 'tollbridge-nats-cluster-'));
  private readonly programs = new Map<string, LocalProgram>();

  private constructor(readonly nodes: readonly NatsNode[]) {}

  static async start(size = 3): Promise<NatsCluster> {
    const ports: { client: number; cluster: number }[] = [];
    for (let at = 0; at < size; at++) ports.push({ client: await freePort(), cluster: await freePort() });
    const routes = ports.map(({ cluster }) => `nats://cluster:${password}@127.0.0.1:${cluster}`);
    const nodes: NatsNode[] = [];
    const cluster = new NatsCluster(nodes);
    ports.forEach((port, at) => nodes.push(cluster.node(`node-${at + 1}`, port, routes)));
    try {
      await Promise.all(nodes.map((node) => node.start()));
    } catch (error) {
      await cluster.remove();
      throw error;
    }
    return cluster;
  }

  /** The addresses of all servers for one user, in the format of an app's setting. */
  url(user: string): string {
    return this.nodes.map(({ url }) => url.replace('//', `//${user}:${password}@`)).join(',');
  }

  async remove(): Promise<void> {
    await Promise.all([...this.programs.values()].map((program) => program.stop('SIGKILL')));
    rmSync(this.folder, { recursive: true, force: true });
  }

  private node(name: string, port: { client: number; cluster: number }, routes: string[]): NatsNode {
    const env = {
      ...process.env,
      ...passwords(),
      NATS_HOST: '127.0.0.1',
      NATS_PORT: String(port.client),
      NATS_STORE_DIR: JSON.stringify(join(this.folder, name)),
      NATS_SERVER_NAME: name,
      NATS_CLUSTER_HOST: '127.0.0.1',
      NATS_CLUSTER_PORT: String(port.cluster),
      NATS_CLUSTER_PASSWORD: password,
      NATS_ROUTES: JSON.stringify(routes),
    };
    const args = ['-c', join(configuration, 'cluster-2.9.conf')];
    return {
      name,
      url: `nats://127.0.0.1:${port.client}`,
      kill: () => this.programs.get(name)!.stop('SIGKILL'),
      start: async () => {
        this.programs.set(name, await LocalProgram.start(findProgram('nats-server'), args, ready, env));
      },
    };
  }
}

/** One password for every user in the configuration. */
function passwords(): Record<string, string> {
  const text = readFileSync(join(configuration, 'users.conf'), 'utf8');
  const names = [...text.matchAll(/\$(NATS_[A-Z_]+_PASSWORD)/g)].map(([, name]) => name!);
  return Object.fromEntries(names.map((name) => [name, password]));
}
