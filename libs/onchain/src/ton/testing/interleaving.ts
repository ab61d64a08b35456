import { internal, type Address, type Cell, type CommonMessageInfoInternal, type Message } from '@ton/core';
import type { Blockchain } from '@ton/sandbox';
import type { Account, Transactions } from './ton-chain';

export interface Sending {
  to: Address;
  value: bigint;
  body: Cell;
}

interface Pending {
  message: Message;
  info: CommonMessageInfoInternal;
  isUrgent: boolean;
}

/**
 * Delivers messages one by one in a chosen order. As on the network, messages between the same two accounts keep their
 * order. All others may overtake each other.
 */
export class Interleaving {
  private pending: Pending[] = [];
  private readonly transactions: Transactions = [];
  private isDelayed: (info: CommonMessageInfoInternal) => boolean = () => false;

  constructor(private readonly blockchain: Blockchain) {}

  /** Makes these messages arrive after all others. */
  delay(isDelayed: (info: CommonMessageInfoInternal) => boolean): void {
    this.isDelayed = isDelayed;
  }

  /** Sends a message. If it is urgent, it and all resulting messages overtake the pending ones. */
  start(from: Account, { to, value, body }: Sending, isUrgent = false): void {
    const { init, ...message } = internal({ to, value, body, bounce: true });
    const info = { ...(message.info as CommonMessageInfoInternal), src: from.address };
    this.push({ ...message, ...(init && { init }), info }, isUrgent);
  }

  /** Delivers this number of messages. */
  async step(count: number): Promise<void> {
    for (let done = 0; done < count && this.pending.length > 0; done++) await this.deliver(this.next());
  }

  /** Delivers all pending messages and returns all transactions. */
  async finish(): Promise<Transactions> {
    while (this.pending.length > 0) await this.deliver(this.next());
    return this.transactions;
  }

  private push(message: Message, isUrgent: boolean): void {
    if (message.info.type === 'internal') this.pending.push({ message, info: message.info, isUrgent });
  }

  private next(): Pending {
    const timely = this.pending.filter(({ info }) => !this.isDelayed(info));
    const wanted = timely.find(({ isUrgent }) => isUrgent) ?? timely[0] ?? this.pending[0]!;
    const isSameWay = ({ info: { src, dest } }: Pending): boolean =>
      src.equals(wanted.info.src) && dest.equals(wanted.info.dest);
    return this.pending.find(isSameWay)!;
  }

  private async deliver(chosen: Pending): Promise<void> {
    this.pending = this.pending.filter((it) => it !== chosen);
    const run = await this.blockchain.sendMessageIter(chosen.message, { allowParallel: true });
    const { value } = await run.next();
    this.transactions.push(value);
    for (const message of value.outMessages.values()) this.push(message, chosen.isUrgent);
  }
}
