import { Module, type DynamicModule } from '@nestjs/common';
import type { Environment } from '@tollbridge/config';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { DeclaredRoutes } from './declared-routes';
import type { GatewayRoute } from './gateway-route';
import { RouteTable } from './route-table';

/** The route table, for every module that registers or describes routes. */
@Module({})
export class RoutesModule {
  static forRoot(routesOf: (environment: Environment) => readonly GatewayRoute[]): DynamicModule {
    const table = {
      provide: RouteTable,
      useFactory: ({ environment }: { environment: Environment }) => new RouteTable(routesOf(environment)),
      inject: [ServiceConfig],
    };
    return {
      module: RoutesModule,
      global: true,
      providers: [table, DeclaredRoutes],
      exports: [RouteTable, DeclaredRoutes],
    };
  }
}
