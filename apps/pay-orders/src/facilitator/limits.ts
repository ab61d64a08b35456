import type { FacilitatorConfig } from './settings';

/** The limits that apply on every chain. */
export class FacilitatorLimits {
  readonly perMinute: number;
  readonly totalPerMinute: number;
  readonly confirmations: number;
  readonly waitMs: number;
  /** The warning limit for coins of a sending wallet, in thousandths of a coin. */
  readonly gasAlarmMillicoins: bigint;

  constructor(config: FacilitatorConfig) {
    this.perMinute = config.FACILITATOR_PER_MINUTE;
    this.totalPerMinute = config.FACILITATOR_TOTAL_PER_MINUTE;
    this.confirmations = config.FACILITATOR_CONFIRMATIONS;
    this.waitMs = config.FACILITATOR_WAIT_MS;
    this.gasAlarmMillicoins = BigInt(config.FACILITATOR_GAS_ALARM_MILLICOINS);
  }
}
