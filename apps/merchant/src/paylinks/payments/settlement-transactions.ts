import { Injectable } from '@nestjs/common';
import { OutboxWorker } from '@tollbridge/bootstrap';
import { Database, transaction, type TransactionClient } from '@tollbridge/database';
import type { PayLink } from '../paylink';
import { PayLinksRepository } from '../paylinks.repository';
import { PayLinkPaymentsRepository } from './paylink-payments.repository';
import type { ChainObservation } from './payment';

/** A transaction that is reported for a link. */
export interface Reported {
  linkId: string;
  chain: string;
  txHash: string;
}

/** A locked link, and the competing links. */
export interface Locked {
  link: PayLink;
  /**
   * Links of other wallets to the same receiver that have claimed a transfer of the transaction. They are locked too.
   */
  others: readonly PayLink[];
}

/**
 * Database transactions that settle reports. The row of a link serialises its settlements, because it contains the
 * count. Settlements of the same chain transaction are serialised too.
 */
@Injectable()
export class SettlementTransactions {
  constructor(
    private readonly database: Database,
    private readonly links: PayLinksRepository,
    private readonly payments: PayLinkPaymentsRepository,
    private readonly outbox: OutboxWorker,
  ) {}

  /** Runs `work` unless the link is unknown, and wakes the outbox after the commit. */
  async run(
    { reported, observation }: { reported: Reported; observation?: ChainObservation },
    work: (client: TransactionClient, locked: Locked) => Promise<void>,
  ): Promise<void> {
    const { linkId, chain, txHash } = reported;
    const chains = [chain, ...(observation?.kind === 'elsewhere' ? [observation.chain.id] : [])];
    await transaction(this.database.pool, async (client) => {
      // All settlements take locks in this order, so that they do not deadlock.
      const keys = chains.map((it) => ({ chain: it, txHash }));
      await this.payments.lockTransactions(client, keys);
      const links = await this.links.lockWithRivals(client, reported);
      const link = links.find(({ id }) => id === linkId);
      if (link) await work(client, { link, others: links.filter((other) => other !== link) });
    });
    this.outbox.wake();
  }
}
