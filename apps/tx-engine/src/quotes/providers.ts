import type { SwapRoutes } from '@tollbridge/routing';

/** Who is asked for swaps, as configured. */
export class SwapProviders {
  constructor(readonly all: readonly SwapRoutes[]) {}

  find(name: string): SwapRoutes | undefined {
    return this.all.find((provider) => provider.name === name);
  }
}
