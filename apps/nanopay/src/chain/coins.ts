import { Inject, Injectable } from '@nestjs/common';
import { Metrics, type Logger } from '@tollbridge/observability';
import { ServiceLogger } from '@tollbridge/bootstrap';
import { Deployed } from '../deployed';

const nanoInCoin = 1e9;

/** The coins of TON that the contract pays fees with: that they are too few is told once, and shown until there are more. */
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
      'TON that the contract lacks for the fees of what is to be paid out: send it so many, and payouts go on',
    );
  }

  suffice(hasNano: bigint, neededNano: bigint): boolean {
    const wasShort = this.isShort;
    this.isShort = hasNano < neededNano;
    this.missing.set(this.isShort ? Number(neededNano - hasNano) / nanoInCoin : 0);
    if (this.isShort !== wasShort) this.tell(hasNano, neededNano);
    return !this.isShort;
  }

  private tell(hasNano: bigint, neededNano: bigint): void {
    if (!this.isShort) return this.logger.info('the contract has coins again: payouts go on');
    this.logger.error(
      {
        contract: this.deployed.deployment.verifyingContract,
        hasTon: Number(hasNano) / nanoInCoin,
        neededTon: Number(neededNano) / nanoInCoin,
      },
      'the contract has too few coins for fees: send it TON, and payouts go on by themselves',
    );
  }
}
