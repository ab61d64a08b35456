import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Repeat, type Repeated } from '@tollbridge/service';
import type { TonAccountReader } from '@tollbridge/ton';
import type { Chain } from './asset-wallet';

/** Looks at the chain again and again while the app runs; never where none is configured. */
export abstract class ChainLooks implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly looking: Repeat | undefined;

  constructor({ reader }: Chain, lookMs: number, onError: (error: unknown) => void) {
    this.looking = reader && new Repeat(() => this.look(reader), lookMs, onError);
  }

  protected abstract look(reader: TonAccountReader): Promise<Repeated>;

  onApplicationBootstrap(): void {
    this.looking?.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.looking?.stop();
  }
}
