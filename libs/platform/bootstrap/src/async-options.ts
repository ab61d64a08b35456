import type { FactoryProvider, InjectionToken } from '@nestjs/common';

/** Options of a dynamic module that come from other providers, as in Nest's own modules. */
export interface AsyncOptions<T> {
  inject?: InjectionToken[];
  useFactory: (...dependencies: any[]) => T | Promise<T>;
}

export const optionsProvider = <T>(
  provide: InjectionToken,
  { inject = [], useFactory }: AsyncOptions<T>,
): FactoryProvider<T> => ({ provide, inject, useFactory });
