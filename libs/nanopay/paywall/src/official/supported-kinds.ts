import type { OfficialKind } from '../x402/official-types';
import type { FacilitatorClient } from './facilitator-client';
import type { Way } from './offers';

/**
 * Pause after a failed request to the facilitator, and after an answer that lacks one of the seller's payment methods.
 */
const pauseMs = 1_000;
/** Maximum age of an answer with all payment methods. */
const maxAgeMs = 60_000;

type Kinds = readonly OfficialKind[];

/**
 * The payment kinds that the facilitator supports. The first request loads them, and later requests reload them without
 * waiting.
 */
export class SupportedKinds {
  private current: Kinds | undefined;
  private underWay: Promise<Kinds | undefined> | undefined;
  private askedMs = -Infinity;

  constructor(
    private readonly facilitator: FacilitatorClient,
    private readonly onFailed: (error: unknown) => void,
  ) {}

  /**
   * Returns the kinds for these payment methods, or undefined until the facilitator answers. Equal answers return the
   * same array.
   */
  get(ways: readonly Way[]): Kinds | Promise<Kinds | undefined> {
    const { current } = this;
    if (!current) return this.load();
    const ageMs = performance.now() - this.askedMs;
    if (ageMs >= pauseMs && (ageMs >= maxAgeMs || !hasAll(current, ways))) void this.load();
    return current;
  }

  private load(): Promise<Kinds | undefined> {
    if (this.underWay) return this.underWay;
    if (performance.now() - this.askedMs < pauseMs) return Promise.resolve(this.current);
    this.underWay = this.ask().finally(() => (this.underWay = undefined));
    return this.underWay;
  }

  private async ask(): Promise<Kinds | undefined> {
    try {
      const kinds = await this.facilitator.supported();
      if (JSON.stringify(kinds) !== JSON.stringify(this.current)) this.current = kinds;
    } catch (error) {
      this.onFailed(error);
    }
    this.askedMs = performance.now();
    return this.current;
  }
}

const hasAll = (kinds: Kinds, ways: readonly Way[]): boolean =>
  ways.every(({ scheme, network }) =>
    kinds.some((kind) => kind.scheme === scheme && kind.network === network),
  );
