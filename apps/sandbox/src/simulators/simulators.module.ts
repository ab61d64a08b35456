import {
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Clock, Database, Leases } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { parseNetworks, nodeUrls, type SandboxConfig } from '../config';
import { readDeployment, solverOf } from '../deployment/local-deployment';
import { networkTokens } from '../networks/networks';
import { providerRates } from './request-rate';
import { Simulators } from './simulators';

// The chains have a block per second, so a deposit counts with the next block.
const confirmations = 2;
const pollIntervalMs = 250;

const simulators = {
  provide: Simulators,
  inject: [ServiceConfig, Database, Leases, Clock, ServiceLogger],
  useFactory: async (
    config: SandboxConfig,
    database: Database,
    leases: Leases,
    clock: Clock,
    logger: Logger,
  ) => {
    const deployment = readDeployment(config.SANDBOX_WORLD_FILE);
    const urlOf = nodeUrls(config.SANDBOX_EVM_NODES);
    return new Simulators({
      database,
      leases,
      clock,
      host: config.SANDBOX_SIMULATORS_HOST,
      port: config.SANDBOX_SIMULATORS_PORT_NUMBER,
      smtpPort: config.SANDBOX_SMTP_PORT_NUMBER,
      hooksUrl: config.SANDBOX_HOOKS_URL || undefined,
      requestRates: providerRates,
      nanopayDepositAddress: config.SANDBOX_NANOPAY_DEPOSIT_ADDRESS || undefined,
      tronNodeUrl: config.SANDBOX_TRON_NODE || undefined,
      publicUrl: config.SANDBOX_SIMULATORS_PUBLIC_URL,
      chains: deployment.chains.map((chain) => {
        const { caip2, tokens, uniswapV3, across } = chain;
        return { chain: caip2, rpcUrl: urlOf(chain), tokens, confirmations, uniswapV3, across };
      }),
      networks: await networkTokens(
        parseNetworks(config.SANDBOX_NETWORKS),
        config.SANDBOX_SIMULATORS_PUBLIC_URL,
      ),
      solver: solverOf(deployment),
      pollIntervalMs,
      onError: (error) => logger.warn({ err: error }, 'simulator failed, retrying'),
    });
  },
};

@Injectable()
export class SimulatorsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly simulators: Simulators,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.logger.info({ address: await this.simulators.start() }, 'simulators listening');
  }

  async onApplicationShutdown(): Promise<void> {
    await this.simulators.stop();
  }
}

@Module({ providers: [simulators, SimulatorsServer], exports: [Simulators] })
export class SimulatorsModule {}
