import { Module } from '@nestjs/common';
import { DeploymentHandlers } from './deployment.handlers';

@Module({ controllers: [DeploymentHandlers] })
export class DeploymentModule {}
