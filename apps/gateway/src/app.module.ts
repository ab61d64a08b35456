import { Module } from '@nestjs/common';

/** HTTP routes are made from the declared operations (see `http/operation-routes.ts`); Nest hosts them. */
@Module({})
export class GatewayModule {}
