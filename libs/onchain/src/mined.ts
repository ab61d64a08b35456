import { makeError, type TransactionReceipt, type TransactionResponse } from 'ethers';

// Often enough for a local node, which mines immediately; a public node is polled a few times per block.
const firstPauseMs = 10;
const longestPauseMs = 1_000;
const defaultTimeoutMs = 5 * 60_000;

/**
 * The receipt of a transaction once it is mined. Not ethers' `wait()`, which polls only on new blocks. It never returns
 * when the only block of an on-demand miner falls between its first two polls.
 * @throws Error CALL_EXCEPTION when it reverted; TIMEOUT when it is not mined in time
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
