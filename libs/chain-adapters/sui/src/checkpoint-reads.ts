import type { BlockRef } from '@tollbridge/chain-port';
import { readList, UnreadableReply } from '@tollbridge/http';
import type { SuiNode } from './sui-node';
import { checkpointFields, readCheckpoint } from './wire';

/** The head, for queries. */
export const headField = `checkpoint { ${checkpointFields} }`;

/** The newest checkpoint of a node. */
export const readHead = (node: SuiNode): Promise<BlockRef> =>
  node.ask({ body: headField }, {}, ({ checkpoint }) => readCheckpoint(checkpoint, 'checkpoint'));

/** The head, and checkpoints by height: null where the node has none. Public nodes take 50 heights at once. */
export function readCheckpoints(
  node: SuiNode,
  heights: readonly number[],
): Promise<{ head: BlockRef; checkpoints: (BlockRef | null)[] }> {
  const body = `${headField} multiGetCheckpoints(keys: $heights) { ${checkpointFields} }`;
  return node.ask({ declared: '$heights: [UInt53!]!', body }, { heights }, (data) => {
    const found = readList(data['multiGetCheckpoints'], 'multiGetCheckpoints');
    const checkpoints = heights.map((height, at) => {
      if (found[at] === null || found[at] === undefined) return null;
      const checkpoint = readCheckpoint(found[at], 'multiGetCheckpoints[]');
      if (checkpoint.height !== height) throw new UnreadableReply('the reply has another checkpoint');
      return checkpoint;
    });
    return { head: readCheckpoint(data['checkpoint'], 'checkpoint'), checkpoints };
  });
}
