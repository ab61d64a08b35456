import { EvmReads } from './evm-reads';
import type { BlockRef } from './evm-types';
import type { RpcRequest } from './json-rpc';
import type { RpcEndpoint } from './rpc-endpoint';
import type { RpcErrorReason } from './rpc-error';

/** Reads from a single endpoint, so that several answers are from one view of the chain. */
export class PinnedReads extends EvmReads {
  constructor(private readonly endpoint: RpcEndpoint) {
    super(endpoint.ranges);
  }

  get label(): string {
    return this.endpoint.label;
  }

  override async head(): Promise<BlockRef> {
    const head = await super.head();
    this.endpoint.headHeight = head.height;
    return head;
  }

  override async headAndReceipts(txHashes: readonly string[]): ReturnType<EvmReads['headAndReceipts']> {
    const view = await super.headAndReceipts(txHashes);
    this.endpoint.headHeight = view.head.height;
    return view;
  }

  protected request<T>(
    requests: readonly RpcRequest[],
    read: (results: unknown[]) => T,
    notItsFault?: RpcErrorReason,
  ): Promise<T> {
    return this.endpoint.request(requests, read, notItsFault);
  }
}
