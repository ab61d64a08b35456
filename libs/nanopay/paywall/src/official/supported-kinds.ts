import type { OfficialKind } from '../x402/official-types';
import type { FacilitatorClient } from './facilitator-client';

/** Pause after a failed request to the facilitator. */
const pauseMs = 1_000;

/** What the facilitator supports. The first request asks for it. */
export class SupportedKinds {
  current: readonly OfficialKind[] | undefined;
  private underWay: Promise<readonly OfficialKind[] | undefined> | undefined;
  private askAgainMs = 0;

  constructor(
    private readonly facilitator: FacilitatorClient,
    private readonly onFailed: (error: unknown) => void,
  ) {}

  /** Undefined until the facilitator answers. */
  load(): Promise<readonly OfficialKind[] | undefined> {
    if (this.current) return Promise.resolve(this.current);
    if (this.underWay) return this.underWay;
    if (performance.now() < this.askAgainMs) return Promise.resolve(undefined);
    this.underWay = this.ask().finally(() => (this.underWay = undefined));
    return this.underWay;
  }

  private async ask(): Promise<readonly OfficialKind[] | undefined> {
    try {
      this.current = await this.facilitator.supported();
    } catch (error) {
      this.onFailed(error);
    }
    this.askAgainMs = performance.now() + pauseMs;
    return this.current;
  }
}
