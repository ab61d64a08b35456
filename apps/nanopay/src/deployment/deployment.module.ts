import { Module, type FactoryProvider } from '@nestjs/common';
import { deploymentOf, ServiceConfig } from '@tollbridge/bootstrap';
import type { NanopayConfig } from '../config';
import { Deployed } from './deployed';

const deployed: FactoryProvider<Deployed> = {
  provide: Deployed,
  inject: [ServiceConfig],
  useFactory: (config: NanopayConfig) =>
    new Deployed(deploymentOf(config, config.GATEWAY_PUBLIC_URL.replace(/\/+$/, ''))),
};

/** The network, contract and asset of this deployment. */
@Module({ providers: [deployed], exports: [Deployed] })
export class DeploymentModule {}
