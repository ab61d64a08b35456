// Who is measured. A seller is added by one file and one line here.
import { ourChainSeller, ourSeller } from './our-seller.mjs';
import { officialExactSeller } from './official-exact-seller.mjs';
import { officialNanopaySeller } from './official-nanopay-seller.mjs';

/**
 * What sells `resource` for `priceAtomic`, in processes of its own.
 * @typedef {object} Seller
 * @property {string} name
 * @property {number} likelyPerSecond payments to prepare for a second before a measurement has told better
 * @property {number[]} rates requests a second of the open loop
 * @property {() => Promise<RunningSeller>} start
 *
 * @typedef {object} RunningSeller
 * @property {string} url `GET /open` answers the resource to anybody, `GET /paid` to who pays; neither closes connections
 * @property {(count: number) => Promise<Request[]>} prepare requests that each pay once, good for some minutes
 * @property {() => Promise<number>} countPayments taken since the start, as they are recorded where they count
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
  officialExactSeller(),
  officialNanopaySeller(buyers, 'authorization'),
  officialNanopaySeller(buyers, 'upfront'),
];

/** What the paid routes are compared with. */
export const yardsticks = ['official exact', 'official nanopay'];
