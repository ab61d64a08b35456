import { Module } from '@nestjs/common';
import { ChainModule } from '../chain/chain.module';
import { DeploymentModule } from '../deployment/deployment.module';
import { Receivers } from './receivers';

/** Determines which accounts can receive payments. */
@Module({ imports: [ChainModule, DeploymentModule], providers: [Receivers], exports: [Receivers] })
export class ReceiversModule {}
