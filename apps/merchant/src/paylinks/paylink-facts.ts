import { Injectable } from '@nestjs/common';
import { findChain } from '@tollbridge/chains';
import { ChainNodes } from '../chains/chain-nodes';
import { ReceiversRepository } from '../receivers/receivers.repository';
import type { PayLink } from './paylink';
import type { LinkFacts } from './paylink-view';

/** Reads facts about links that are not stored in the links' rows. */
@Injectable()
export class PayLinkFacts {
  constructor(
    private readonly receivers: ReceiversRepository,
    private readonly chains: ChainNodes,
  ) {}

  async of(link: PayLink): Promise<LinkFacts> {
    const [facts] = await this.ofAll([link]);
    return facts!;
  }

  /** The facts for links of one wallet. */
  async ofAll(links: readonly PayLink[]): Promise<LinkFacts[]> {
    if (links.length === 0) return [];
    const places = links.map(({ chain, receiveAddress: address }) => ({ chain: findChain(chain)!, address }));
    const areProven = await this.receivers.hasProven(links[0]!.wallet, places);
    return links.map(({ chain }, at) => ({
      isVerifiable: this.chains.readerOf(chain) !== undefined,
      isReceiverProven: areProven[at]!,
    }));
  }
}
