// Fails unless the EVM node in this container replies.
import { askNode } from '../../tools/local/evm-nodes.mjs';

await askNode(`http://127.0.0.1:${process.env.EVM_PORT ?? '8545'}`, 'eth_blockNumber');
