import { Inject, Injectable } from '@nestjs/common';
import { ServiceLogger } from '@tollbridge/bootstrap';
import type { Logger } from '@tollbridge/observability';
import { ChainNodes } from '../../chains/chain-nodes';
import type { PayLink } from '../paylink';
import { OtherNetworks } from './other-networks';
import type { ChainObservation } from './payment';
import { ReceiverBalances } from './receiver-balances';

// The client waits for this read. After the time-out the payment is pending, and the worker checks it.
const observeTimeoutMs = 4_000;

/** Reads reported transactions from the chain while the client waits. */
@Injectable()
export class ReportedTransactions {
  constructor(
    private readonly chains: ChainNodes,
    private readonly others: OtherNetworks,
    private readonly balances: ReceiverBalances,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** Never rejects. Without an answer of a node, the observation is `unavailable`. */
  async observe(link: PayLink, txHash: string): Promise<ChainObservation> {
    const unavailable: ChainObservation = { kind: 'unavailable' };
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<ChainObservation>((resolve) => {
      timer = setTimeout(() => resolve(unavailable), observeTimeoutMs);
    });
    const observing = this.read(link, txHash).catch((err: unknown) => {
      this.logger.warn({ chain: link.chain, err }, 'reported payment check failed');
      return unavailable;
    });
    return Promise.race([observing, late]).finally(() => clearTimeout(timer));
  }

  private async read(link: PayLink, txHash: string): Promise<ChainObservation> {
    const { chain, receiveAddress: receiver, tokenAddress: address } = link;
    const reader = this.chains.readerOf(chain);
    const wanted = { txHash, token: { address }, receiver, seenIn: null };
    const [found] = reader ? await reader.readTransfers([wanted]) : [];
    if (reader && found?.kind !== 'unmined') return found ?? { kind: 'unavailable' };
    const elsewhere = await this.others.find({ chain, receiver, txHash });
    return elsewhere ?? found ?? { kind: 'noNode', receiverBalance: await this.balances.of(link) };
  }
}
