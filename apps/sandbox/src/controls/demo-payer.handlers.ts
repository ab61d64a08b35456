import { Controller } from '@nestjs/common';
import { demoPayerApi, type DemoCallsReply, type DemoCallsRequest } from '@tollbridge/contracts';
import { DomainError, Handles } from '@tollbridge/rpc';
import { isCallException } from 'ethers';
import { DemoPayer } from './demo-payer';

/** Sends the payments of the demo panel in the checkout. */
@Controller()
@Handles(demoPayerApi)
export class DemoPayerHandlers {
  constructor(private readonly payer: DemoPayer) {}

  async sendCalls({ chain, calls }: DemoCallsRequest): Promise<DemoCallsReply> {
    const hash = await this.payer.send(chain, calls).catch((error: unknown) => {
      if (!isCallException(error)) throw error;
      throw new DomainError('CONFLICT', 'The local chain rejects the transaction of the demo payer.');
    });
    if (hash === undefined) throw new DomainError('NOT_FOUND', 'This chain has no local node.');
    return { tx_hash: hash };
  }
}
