import { UnreadableReply } from '@tollbridge/http';
import { RpcError, type ChainCheck } from '@tollbridge/evm';

/**
 * Runs one exchange with a node of our network. The network is verified again after a failure: the URL may lead to
 * another node then.
 * @param label the redacted name of the node
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
