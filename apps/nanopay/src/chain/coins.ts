import { Inject, Injectable } from '@nestjs/common';
import { Metrics, type Logger } from '@tollbridge/observability';
import { ServiceLogger } from '@tollbridge/bootstrap';
import { Deployed } from '../deployment/deployed';

const nanoInCoin = 1e9;

/** The TON coins of the contract for fees. A shortage is logged once, and a metric shows it until it ends. */
@Injectable()
export class Coins {
  private readonly missing;
  private isShort = false;

  constructor(
    private readonly deployed: Deployed,
    @Inject(ServiceLogger) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.missing = metrics.gauge(
      'tollbridge_payout_missing_coins',
      'TON that the contract needs for the fees of due payouts; payouts resume when it has them',
    );
  }

  hasEnough(hasNano: bigint, neededNano: bigint): boolean {
    const wasShort = this.isShort;
    this.isShort = hasNano < neededNano;
    this.missing.set(this.isShort ? Number(neededNano - hasNano) / nanoInCoin : 0);
    if (this.isShort !== wasShort) this.logChange(hasNano, neededNano);
    return !this.isShort;
  }

  private logChange(hasNano: bigint, neededNano: bigint): void {
    if (!this.isShort) return this.logger.info('payouts resumed: contract has coins for fees');
    this.logger.error(
      {
        contract: this.deployed.deployment.verifyingContract,
        hasTon: Number(hasNano) / nanoInCoin,
        neededTon: Number(neededNano) / nanoInCoin,
      },
      'payouts stopped: contract has too few coins for fees',
    );
  }
}
