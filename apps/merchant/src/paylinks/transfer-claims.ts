import { Injectable } from '@nestjs/common';
import { findChain } from '@tollbridge/chains';
import { type EvmTransaction } from '@tollbridge/evm';
import type { TransactionClient } from '@tollbridge/database';
import { OrdersRepository } from '../orders/orders.repository';
import { ReceiversRepository } from '../receivers/receivers.repository';
import { PayLinkPaymentsRepository, type Rivals, type TransferKey } from './paylink-payments.repository';
import { PayLinksRepository } from './paylinks.repository';
import type { PayLink } from './paylink';
import type { Case, Depth, Sight } from './payment';
import { linkNamedBy } from './reference';

/** Who may claim the transfers of a transaction that is reported for a link. */
export interface Claims extends Rivals, Pick<Case, 'paysOrder' | 'named' | 'contestedFrom'> {
  /** The wallets that have proven the receiver. */
  owners: readonly string[];
}

/** Reads what decides which link a transfer pays: other reports, orders, the reference, proofs of the receiver. */
@Injectable()
export class TransferClaims {
  constructor(
    private readonly links: PayLinksRepository,
    private readonly payments: PayLinkPaymentsRepository,
    private readonly receivers: ReceiversRepository,
    private readonly orders: OrdersRepository,
  ) {}

  /** To be called under the locks of the transaction and of the link. */
  async of(
    client: TransactionClient,
    link: PayLink,
    { txHash }: Pick<TransferKey, 'txHash'>,
    { sight, depth, nowMs }: Pick<Case, 'depth' | 'nowMs'> & { sight?: Sight },
  ): Promise<Claims> {
    const owners = await this.receivers.ownersOf(
      { chain: findChain(link.chain)!, address: link.receiveAddress },
      client,
    );
    const isMined = sight?.kind === 'mined';
    return {
      owners,
      ...(await this.payments.rivals(client, { linkId: link.id, chain: link.chain, txHash }, owners)),
      paysOrder: await this.orders.isSettledBy(client, link.chain, txHash),
      named: isMined ? await this.namedBy(client, link, sight.transaction) : 'none',
      contestedFrom: await this.contestedFrom(
        client,
        link,
        owners,
        isMined ? latestCreation(sight.minedAtMs, depth) : nowMs,
      ),
    };
  }

  /** A reference that is no link's, or that of a link to another receiver, means nothing. */
  private async namedBy(
    client: TransactionClient,
    link: PayLink,
    transaction: EvmTransaction,
  ): Promise<Case['named']> {
    const id = linkNamedBy(transaction, link);
    if (id === undefined) return 'none';
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

/** Of a link that a block can pay: a block bears the time at which it was begun, and takes in what comes until the next one. */
const latestCreation = (minedAtMs: number, { blockTimeMs }: Depth): number => minedAtMs + blockTimeMs + 999;
