import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { fastifyOf } from '../http/gateway-adapter';
import { AllowedMethods } from './allowed-methods';
import { RouteTable } from './route-table';

/** Rejects routes that the table does not declare, and records the methods that each path allows. */
@Injectable()
export class DeclaredRoutes {
  readonly allowed = new AllowedMethods();

  constructor(host: HttpAdapterHost, table: RouteTable) {
    // Registered in the constructor, because Nest registers the routes of controllers before onModuleInit.
    fastifyOf(host).addHook('onRoute', (options) => {
      for (const method of [options.method].flat()) {
        const route = table.find(method, options.url);
        if (!route) throw new Error(`Route ${method} ${options.url} is not declared in the route table`);
        const style = route.kind === 'own' ? route.failureStyle : undefined;
        const isOpen = route.kind === 'own' && !route.isAdmitted;
        options.config = { style: style ?? route.declaration.style, isOpen, ...options.config };
        this.allowed.add(options.url, method);
      }
    });
  }
}
