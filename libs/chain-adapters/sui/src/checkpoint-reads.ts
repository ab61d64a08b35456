import type { BlockRef } from '@tollbridge/chain-port';
import { readList, UnreadableReply } from '@tollbridge/http';
import type { SuiNode } from './sui-node';
import { checkpointFields, readCheckpoint } from './wire';

/** The query field of the head. */
export const headField = `checkpoint { ${checkpointFields} }`;

/** Returns the newest checkpoint of a node. */
export const readHead = (node: SuiNode): Promise<BlockRef> =>
  node.ask({ body: headField }, {}, ({ checkpoint }) => readCheckpoint(checkpoint, 'checkpoint'));

/**
 * Returns the head, and checkpoints by height with null for missing ones. Public nodes accept at most 50 heights at
 * once.
 */
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
