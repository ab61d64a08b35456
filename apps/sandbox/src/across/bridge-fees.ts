import { feeCeil } from '@tollbridge/money';
import { amountWorth, type Priced } from '../oneclick/quote-maths';

/** Capital fee of the relayer. */
const capitalBps = 5;
/** Gas cost of the fill on the destination in US dollars, without and with calls after it. */
const fillUsd = '0.01';
const fillWithCallsUsd = '0.03';

export interface BridgeFee {
  capitalAtomic: bigint;
  gasAtomic: bigint;
  totalAtomic: bigint;
}

/** Returns the fee in the bridged token. */
export function bridgeFee(amountAtomic: bigint, token: Priced, hasCalls: boolean): BridgeFee {
  const capitalAtomic = feeCeil(amountAtomic, capitalBps);
  const gasAtomic = amountWorth(hasCalls ? fillWithCallsUsd : fillUsd, token);
  return { capitalAtomic, gasAtomic, totalAtomic: capitalAtomic + gasAtomic };
}
