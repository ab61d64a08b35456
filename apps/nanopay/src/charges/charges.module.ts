import { Module } from '@nestjs/common';
import { DeploymentModule } from '../deployment/deployment.module';
import { LedgerModule } from '../ledger/ledger.module';
import { ReceiversModule } from '../receivers/receivers.module';
import { ChargesHandlers } from './charges.handlers';

/** Nano-payments for sales of this deployment. */
@Module({ imports: [DeploymentModule, LedgerModule, ReceiversModule], controllers: [ChargesHandlers] })
export class ChargesModule {}
