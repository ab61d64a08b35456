import { Module, type FactoryProvider } from '@nestjs/common';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import type { Logger } from '@tollbridge/observability';
import { threadsOf, type TeeConfig } from '../config';
import { Verifier } from './verifier';
import { workerFile } from './worker-file';

const verifier: FactoryProvider<Verifier> = {
  provide: Verifier,
  inject: [ServiceConfig, ServiceLogger],
  useFactory: (config: TeeConfig, logger: Logger) =>
    new Verifier({
      workerFile,
      threads: threadsOf(config),
      onThreadLost: (error) => logger.error({ err: error }, 'verifier thread lost'),
    }),
};

/** Provides threads that verify signatures. */
@Module({ providers: [verifier], exports: [Verifier] })
export class VerificationModule {}
