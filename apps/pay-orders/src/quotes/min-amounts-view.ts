import { MinAmountsReply, type MinAmount as MinAmountView } from '@tollbridge/contracts';
import { decode } from '@tollbridge/rpc';
import type { MinAmount } from './min-amount';

export function minAmountsReply(minimums: readonly MinAmount[]): MinAmountsReply {
  const newestMs = minimums.reduce<number | null>(
    (latest, { measuredAtMs }) => Math.max(latest ?? measuredAtMs, measuredAtMs),
    null,
  );
  return {
    min_amounts: minimums.map(viewOf),
    count: minimums.length,
    updated_at: newestMs === null ? null : new Date(newestMs).toISOString(),
  };
}

/** The text that replicas share. It is the list of the reply, so that the declared class validates it. */
export const sharedText = (minimums: readonly MinAmount[]): string => JSON.stringify(minimums.map(viewOf));

/** Parses a shared list; undefined for an invalid text, because content of Redis is not trusted. */
export function fromSharedText(text: string): MinAmount[] | undefined {
  try {
    const list: unknown = JSON.parse(text);
    const read = decode(MinAmountsReply, { min_amounts: list, count: 0, updated_at: null });
    return read.ok ? read.value.min_amounts.map(fromView) : undefined;
  } catch {
    return undefined;
  }
}

function viewOf(minimum: MinAmount): MinAmountView {
  return {
    blockchain: minimum.payChain,
    token: minimum.payToken,
    min_settle_amount: String(minimum.settleAtomic),
    min_usd: minimum.usd,
    settle_chain: minimum.settleChain,
    settle_token: minimum.settleToken,
    updated_at: new Date(minimum.measuredAtMs).toISOString(),
  };
}

function fromView(view: MinAmountView): MinAmount {
  return {
    payChain: view.blockchain,
    payToken: view.token,
    settleChain: view.settle_chain,
    settleToken: view.settle_token,
    settleAtomic: BigInt(view.min_settle_amount),
    usd: view.min_usd,
    measuredAtMs: Date.parse(view.updated_at),
  };
}
