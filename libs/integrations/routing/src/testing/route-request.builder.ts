import type { RouteRequest } from '../cross-chain-routes';
import { bitcoin, usdc } from './route-tokens';

/** A request for one USDC on Base, paid in bitcoin. */
export const aRouteRequest = (changes: Partial<RouteRequest> = {}): RouteRequest => ({
  from: bitcoin,
  to: usdc,
  amountOutAtomic: 1_000_000n,
  slippageBps: 50,
  recipient: '0xmerchant',
  refundTo: 'bc1qpayer',
  deadline: new Date(Date.now() + 7_200_000),
  ...changes,
});
