import { UnreadableReply } from '@tollbridge/http';
import { RpcError, type ChainCheck } from '@tollbridge/evm';

/**
 * Runs one exchange with a node after verifying its network. After a failure the network is verified again, because the
 * URL may then lead to another node.
 * @param label the name of the node without secrets
 * @throws RpcError, also for an `UnreadableReply` of `exchange`
 */
export async function askNode<T>(check: ChainCheck, label: string, exchange: () => Promise<T>): Promise<T> {
  try {
    await check.pass();
    return await exchange();
  } catch (thrown) {
    const error = thrown instanceof UnreadableReply ? malformed(label, thrown) : thrown;
    if (error instanceof RpcError && error.kind !== 'rejected') check.forget();
    throw error;
  }
}

const malformed = (endpoint: string, { message: text }: UnreadableReply): RpcError =>
  new RpcError({ kind: 'badReply', reason: 'malformed', endpoint, text });
