import { Injectable } from '@nestjs/common';
import { findChain } from '@tollbridge/chains';
import type { TransactionClient } from '@tollbridge/database';
import { OrdersRepository } from '../../orders/orders.repository';
import { ReceiversRepository } from '../../receivers/receivers.repository';
import { PayLinkPaymentsRepository, type Rivals, type TransferKey } from './paylink-payments.repository';
import { PayLinksRepository } from '../paylinks.repository';
import type { PayLink } from '../paylink';
import type { Case, ChainObservation, Finality } from './payment';

/** Claims on the transfers of a transaction that is reported for a link. */
export interface Claims extends Rivals, Pick<Case, 'paysOrder' | 'named' | 'contestedFrom'> {
  /** The wallets that have proven the receiver. */
  owners: readonly string[];
}

/**
 * Reads the facts that decide which link a transfer pays: other reports, orders, the reference and proofs of the
 * receiver.
 */
@Injectable()
export class TransferClaims {
  constructor(
    private readonly links: PayLinksRepository,
    private readonly payments: PayLinkPaymentsRepository,
    private readonly receivers: ReceiversRepository,
    private readonly orders: OrdersRepository,
  ) {}

  /** Requires the locks of the transaction and of the link. */
  async of(
    client: TransactionClient,
    link: PayLink,
    { txHash }: Pick<TransferKey, 'txHash'>,
    { observation, finality, nowMs }: Pick<Case, 'finality' | 'nowMs'> & { observation?: ChainObservation },
  ): Promise<Claims> {
    const owners = await this.receivers.ownersOf(
      { chain: findChain(link.chain)!, address: link.receiveAddress },
      client,
    );
    const isMined = observation?.kind === 'mined';
    const chain = observation?.kind === 'elsewhere' ? observation.chain.id : link.chain;
    return {
      owners,
      ...(await this.payments.rivals(client, { linkId: link.id, chain, txHash }, owners)),
      paysOrder: await this.orders.isSettledBy(client, chain, txHash),
      named: isMined ? await this.namedBy(client, link, observation.reference) : 'none',
      contestedFrom: await this.contestedFrom(
        client,
        link,
        owners,
        isMined ? latestCreation(observation.block.timeMs, finality) : nowMs,
      ),
    };
  }

  /** Ignores a reference to an unknown link or to a link with another receiver. */
  private async namedBy(client: TransactionClient, link: PayLink, id: string | null): Promise<Case['named']> {
    if (id === null) return 'none';
    if (id === link.id) return 'this';
    return (await this.links.isOfSameReceiver(client, id, link)) ? 'other' : 'none';
  }

  private async contestedFrom(
    client: TransactionClient,
    link: PayLink,
    owners: readonly string[],
    madeBeforeMs: number,
  ): Promise<bigint | null> {
    if (owners.length === 0 || owners.includes(link.wallet)) return null;
    return this.links.leastAmountOf(client, owners, link, madeBeforeMs);
  }
}

/**
 * The latest creation time of a link that a block can pay, because a block includes transactions until the next block.
 */
const latestCreation = (minedAtMs: number, { blockTimeMs }: Finality): number =>
  minedAtMs + blockTimeMs + 999;
