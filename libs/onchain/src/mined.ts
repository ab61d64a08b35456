import { makeError, type TransactionReceipt, type TransactionResponse } from 'ethers';

// Short enough for a local node, which mines immediately. The pause grows, so that a public node is polled a few times
// per block.
const firstPauseMs = 10;
const longestPauseMs = 1_000;
const defaultTimeoutMs = 5 * 60_000;

/**
 * Returns the receipt of a transaction once it is mined. It replaces ethers' `wait()`, which polls only on new blocks.
 * With a miner on demand, `wait()` never returns if the only block comes between its first two polls.
 * @throws Error CALL_EXCEPTION when the transaction reverted; TIMEOUT when it is not mined in time
 */
export async function mined(
  transaction: TransactionResponse,
  timeoutMs = defaultTimeoutMs,
): Promise<TransactionReceipt> {
  const { provider, hash } = transaction;
  const endMs = performance.now() + timeoutMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const receipt = await provider.getTransactionReceipt(hash);
    if (receipt?.status === 0) throw reverted(transaction, receipt);
    if (receipt) return receipt;
    if (performance.now() > endMs)
      throw makeError(`${hash} was not mined within ${timeoutMs} ms`, 'TIMEOUT', {
        operation: 'mined',
        reason: 'timeout',
      });
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

function reverted({ from, to, data }: TransactionResponse, receipt: TransactionReceipt): Error {
  return makeError('the transaction reverted', 'CALL_EXCEPTION', {
    action: 'sendTransaction',
    data: null,
    reason: null,
    invocation: null,
    revert: null,
    transaction: { from, to, data },
    receipt,
  });
}
