import { Module } from '@nestjs/common';
import { ProviderHooksRoute } from './provider-hooks-route';

@Module({ providers: [ProviderHooksRoute] })
export class ProviderHooksModule {}
