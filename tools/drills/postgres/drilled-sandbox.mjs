import { appEnvironment, appNames } from '../../local/apps.mjs';
import { LocalSandbox, portNames } from '../../local/local-sandbox.mjs';
import { isHealthy } from '../../local/health.mjs';
import { natsPlans } from '../../local/nats.mjs';
import { redisPlan } from '../../local/redis.mjs';

/** Apps with two replicas, so that work also moves between replicas. */
export const doubled = ['pay-orders', 'merchant'];

export const drillPorts = [
  ...portNames,
  ...['etcd', 'etcd-peer', 'pg1', 'pg1-rest', 'pg2', 'pg2-rest'],
  ...doubled.map((app) => `${app}-2`),
];

/** The sandbox of `npm start` with a PostgreSQL cluster and two replicas of some apps. */
export class DrilledSandbox extends LocalSandbox {
  /**
   * @param {import('../../local/local-sandbox.mjs').LocalSandboxOptions} options
   * @param {import('./patroni-cluster.mjs').PatroniCluster} cluster
   */
  constructor(options, cluster) {
    super(options, () => undefined);
    this.cluster = cluster;
  }

  async startServers() {
    const { directory, ports, passwords, programs } = this.options;
    for (const plan of natsPlans({ directory, programs, ports, passwords: passwords.nats }))
      this.supervisor.start(plan);
    this.supervisor.start(redisPlan({ directory, programs, port: ports.redis, password: passwords.redis }));
    await this.cluster.start();
    await this.supervisor.untilReady(['nats', 'redis']);
  }

  /** Performs the steps of `npm start`, in the same order. */
  async bringUp() {
    await this.startServers();
    await this.prepareDatabase();
    await this.startNodes();
    await this.migrate();
    await this.provisionStreams();
    await this.deployContracts();
    await this.startApps();
    for (const app of doubled) this.supervisor.start(this.secondPlan(app));
    await this.supervisor.untilReady(doubled.map((app) => `${app}-2`));
    this.markReady();
  }

  /** @param {string} app */
  secondPlan(app) {
    const port = this.options.ports[`${app}-2`];
    const first = this.appPlan(app, [app]);
    return {
      ...first,
      name: `${app}-2`,
      command: async () => {
        const { program, args } = await first.command();
        const env = appEnvironment(this.options, [app]);
        const variable = Object.keys(env).find((name) => /_MANAGEMENT_PORT(_NUMBER)?$/.test(name));
        return { program, args, env: { ...env, [variable]: String(port) } };
      },
      isReady: () => isHealthy(`http://127.0.0.1:${port}/health/ready`),
    };
  }

  async stop() {
    await super.stop();
    await this.cluster.stop();
  }

  /** Returns true if every app is ready. */
  async areAppsReady() {
    const { ports } = this.options;
    const names = [...appNames, ...doubled.map((app) => `${app}-2`)];
    const ready = await Promise.all(
      names.map((app) => isHealthy(`http://127.0.0.1:${ports[app]}/health/ready`)),
    );
    return ready.every(Boolean);
  }
}
