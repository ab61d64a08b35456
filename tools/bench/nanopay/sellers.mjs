// The measured sellers. Add a seller with one file and one line here.
import { ourChainSeller, ourChannelSeller, ourSeller } from './our-seller.mjs';
import { officialExactSeller } from './official-exact-seller.mjs';
import { officialNanopaySeller } from './official-nanopay-seller.mjs';

/**
 * Sells `resource` for `priceAtomic` in separate processes.
 * @typedef {object} Seller
 * @property {string} name
 * @property {number} likelyPerSecond payments to prepare per second before the first measurement
 * @property {number[]} rates requests a second of the open loop
 * @property {() => Promise<RunningSeller>} start
 *
 * @typedef {object} RunningSeller
 * @property {string} url `GET /open` returns the resource without a payment, `GET /paid` with a payment; neither closes
 * the connection
 * @property {(count: number) => Promise<Request[]>} prepare returns requests that each pay once, and are valid for some
 * minutes
 * @property {() => Promise<number>} countPayments counts payments since the start, from the authoritative record
 * @property {() => Promise<void>} stop
 *
 * @typedef {{ path: string, headers?: Record<string, string> }} Request
 */

/**
 * @param {ReturnType<typeof import('./buyers.mjs').makeBuyers>} buyers
 * @returns {Seller[]}
 */
export const sellersOf = (buyers) => [
  ourSeller(buyers, 'tcp'),
  ourSeller(buyers, 'bus'),
  ourChainSeller(buyers),
  ourChannelSeller(buyers),
  officialExactSeller(),
  officialNanopaySeller(buyers, 'authorization'),
  officialNanopaySeller(buyers, 'upfront'),
];

/** The rows that the paid routes are compared with. */
export const yardsticks = ['official exact', 'official nanopay'];
