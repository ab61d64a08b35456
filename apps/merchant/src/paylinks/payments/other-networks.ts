import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { TransferReader } from '@tollbridge/chain-port';
import { canonicalAddress, isTxHash } from '@tollbridge/chains';
import type { Logger } from '@tollbridge/observability';
import { ServiceLogger } from '@tollbridge/bootstrap';
import { ChainNodes } from '../../chains/chain-nodes';
import type { ElsewhereObservation } from './payment';

interface Wanted {
  /** The network of the link, which does not have the transaction. */
  chain: string;
  receiver: string;
  txHash: string;
}

// Far below the lease of a check.
const timeoutMs = 10_000;

/** Finds transactions that pay a receiver on a network that differs from the link's network. */
@Injectable()
export class OtherNetworks {
  constructor(
    private readonly chains: ChainNodes,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** Never rejects. A network that fails or does not answer in time is ignored. */
  async find(wanted: Wanted): Promise<ElsewhereObservation | undefined> {
    const readers = this.chains.readers.filter(
      ({ chain }) =>
        chain.id !== wanted.chain &&
        isTxHash(chain, wanted.txHash) &&
        canonicalAddress(chain, wanted.receiver).ok,
    );
    if (readers.length === 0) return undefined;
    const found = await Promise.all(readers.map((reader) => this.look(reader, wanted)));
    return found.find((it) => it !== undefined);
  }

  private async look(
    reader: TransferReader,
    { txHash, receiver }: Wanted,
  ): Promise<ElsewhereObservation | undefined> {
    const { chain } = reader;
    const coin = { address: null };
    const reading = reader.readTransfers([{ txHash, token: coin, receiver, seenIn: null }]);
    const abort = new AbortController();
    try {
      const late = setTimeout(timeoutMs, undefined, { signal: abort.signal, ref: false });
      const [read] = (await Promise.race([reading, late])) ?? [];
      return read?.kind === 'mined' ? { kind: 'elsewhere', chain, read } : undefined;
    } catch (err) {
      this.logger.warn({ chain: chain.id, err }, 'search for a payment on another network failed');
      return undefined;
    } finally {
      abort.abort();
    }
  }
}
