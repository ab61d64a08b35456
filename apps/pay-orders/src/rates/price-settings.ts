import { Inject, Injectable } from '@nestjs/common';
import { priceSettingsApi } from '@tollbridge/contracts';
import { Clock } from '@tollbridge/database';
import { BusClient, callContext, makerOf, type CallContext } from '@tollbridge/rpc';
import { LRUCache } from 'lru-cache';

// A merchant's change of the settings applies to the prices of orders after this time.
const freshMs = 10_000;
const maxCached = 10_000;

export interface PriceRules {
  /** What payers pay above a price, in basis points. */
  spreadBps: number;
}

/** The settings of merchants for prices, from the merchant app. */
@Injectable()
export class PriceSettings {
  private readonly cached: LRUCache<string, PriceRules>;

  constructor(
    private readonly bus: BusClient,
    @Inject(Clock) clock: Clock,
  ) {
    this.cached = new LRUCache({ max: maxCached, ttl: freshMs, ttlResolution: 0, perf: clock });
  }

  /**
   * The rules of the merchant who makes a call; the defaults for an anonymous client.
   * @throws DomainError when the merchant app does not answer
   */
  async of(context: CallContext): Promise<PriceRules> {
    const wallet = makerOf(context);
    if (wallet === undefined) return { spreadBps: 0 };
    const known = this.cached.get(wallet);
    if (known) return known;
    const { requestId, traceparent } = context;
    const asking = callContext({ requestId, traceparent });
    const rules = await this.bus.call(priceSettingsApi.operations.priceSettings, { wallet }, asking);
    this.cached.set(wallet, rules);
    return rules;
  }
}
