import { Module } from '@nestjs/common';
import { LogosController } from './logos.controller';
import { StoreLogosController } from './store-logos.controller';

@Module({ controllers: [LogosController, StoreLogosController] })
export class LogosModule {}
