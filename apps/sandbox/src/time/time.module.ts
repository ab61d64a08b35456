import { Module } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { Clock } from '@tollbridge/database';
import { nodeUrls, type SandboxConfig } from '../config';
import { readDeployment } from '../deployment/local-deployment';
import { ChainTimes } from './chain-times';
import { ClockAheadHandlers, ClockHandlers } from './clock.handlers';
import { ClockRepository } from './clock.repository';
import { SandboxTime } from './sandbox-time';

const chainTimes = {
  provide: ChainTimes,
  inject: [ServiceConfig, Clock],
  useFactory: (config: SandboxConfig, clock: Clock) => {
    const { chains } = readDeployment(config.SANDBOX_WORLD_FILE);
    const tron = config.SANDBOX_TRON_NODE ? [config.SANDBOX_TRON_NODE] : [];
    return new ChainTimes([...chains.map(nodeUrls(config.SANDBOX_EVM_NODES)), ...tron], clock);
  },
};

/** The clock of the sandbox. */
@Module({
  controllers: [ClockHandlers, ClockAheadHandlers],
  providers: [chainTimes, ClockRepository, SandboxTime],
})
export class TimeModule {}
