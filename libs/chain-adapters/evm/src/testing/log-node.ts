import { eventually, startAnvil, type Anvil } from '@tollbridge/testing';

/** The first account that anvil funds and signs for. */
export const anvilAccount = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
/** Emits one LOG1 for every call. The first word of the call data is the topic, and the whole call data is the data. */
export const logContract = `0x${'a1'.repeat(20)}`;
export const logTopic = `0x${'71'.repeat(32)}`;
// CALLDATACOPY(0, 0, CALLDATASIZE); LOG1(0, CALLDATASIZE, CALLDATALOAD(0)); STOP
const logContractCode = '0x366000600037600035366000a100';

/** Starts a real node with `logContract`. Two nodes with the same chain id have the same genesis block. */
export async function startLogNode(chainId: number): Promise<Anvil> {
  const anvil = await startAnvil({ chainId, genesisTime: 1_700_000_000 });
  await anvil.send('anvil_setCode', [logContract, logContractCode]);
  return anvil;
}

/** Sends a call that emits a log, and returns the transaction's hash once it is mined. */
export async function emitLog(anvil: Anvil, payload: string): Promise<string> {
  const transaction = { from: anvilAccount, to: logContract, data: logTopic + payload };
  const hash = String(await anvil.send('eth_sendTransaction', [transaction]));
  // With automine, the node may return the hash before the block exists.
  await eventually(async () => expect(await anvil.send('eth_getTransactionReceipt', [hash])).not.toBeNull());
  return hash;
}
