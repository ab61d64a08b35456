import {
  applyDecorators,
  createParamDecorator,
  Module,
  UseGuards,
  type DynamicModule,
  type ExecutionContext,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Payment as PaymentOf } from '../grant';
import type { PaidOptions } from '../paid-options';
import { Paywall, type PaywallOptions } from '../paywall';
import { PaidGuard, pricesOf } from './paid-guard';

export interface AsyncPaywallOptions {
  imports?: DynamicModule['imports'];
  inject?: any[];
  useFactory: (...dependencies: any[]) => PaywallOptions | Promise<PaywallOptions>;
}

/** A global module, so that every module can inject `Paywall`. */
@Module({})
export class PaywallModule implements OnApplicationShutdown {
  constructor(private readonly paywall: Paywall) {}

  static forRoot(options: PaywallOptions): DynamicModule {
    return PaywallModule.forRootAsync({ useFactory: () => options });
  }

  static forRootAsync({ imports = [], inject = [], useFactory }: AsyncPaywallOptions): DynamicModule {
    const provider = {
      provide: Paywall,
      inject,
      useFactory: async (...dependencies: unknown[]) => new Paywall(await useFactory(...dependencies)),
    };
    return {
      module: PaywallModule,
      global: true,
      imports,
      providers: [provider, PaidGuard],
      exports: [Paywall, PaidGuard],
    };
  }

  onApplicationShutdown(): Promise<void> {
    return this.paywall.close();
  }
}

/** The price of a route, or of each route of a controller. The price of the route takes precedence. */
export function Paid(options: PaidOptions): MethodDecorator & ClassDecorator {
  const mark = (target: object, _name?: string | symbol, descriptor?: PropertyDescriptor): void => {
    Object.defineProperty((descriptor?.value as object | undefined) ?? target, pricesOf, { value: options });
  };
  return applyDecorators(mark as MethodDecorator & ClassDecorator, UseGuards(PaidGuard));
}

/** Injects the payment of the request. */
export const Payment: ReturnType<typeof createParamDecorator> = createParamDecorator(
  (_data: unknown, context: ExecutionContext): PaymentOf | undefined =>
    context.switchToHttp().getRequest<{ payment?: PaymentOf }>().payment,
);

export { PaidGuard } from './paid-guard';
export { Paywall, type PaywallOptions } from '../paywall';
export type { Payment as PaymentContext } from '../grant';
export type { PaidOptions } from '../paid-options';
