// Buyers that pay by channels, and count the responses that they received.
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { Finding } from '../kill/ledger-checks.mjs';
import { paths, priceAtomic } from '../resource.mjs';

const { createBuyer } = createRequire(import.meta.url)('@tollbridge/paywall/buyer');

const copiesOneIn = 10;
const pauseMs = 5;
/** The retries of a request last longer than any restart. */
const maxRepeats = 12;
const unknownStatuses = [402, 409, 503];

/** The purchases of all buyers. */
export class Purchases {
  /** `<channel>-<index>` of each served request. An id without an index was paid by a signature. */
  served = new Set();
  byChannel = 0;
  /** Number of requests that may have been paid without a reply. */
  unknown = 0;
  /** Number of copies that were served again after a kill. */
  servedAgain = 0;

  get count() {
    return this.served.size;
  }
}

export function makeChannelBuyer() {
  const sent = [];
  const buyer = createBuyer({
    seed: randomBytes(32),
    maxPerPayment: priceAtomic,
    maxTotal: '1000000000000',
    channels: { reserve: String(Number(priceAtomic) * 500) },
    trustsAdvertisedUrl: true,
    maxRepeats,
    fetch: (url, init) => {
      const header = new Headers(init?.headers).get('payment-signature');
      if (header) sent.push({ url, header });
      return fetch(url, { ...init, signal: AbortSignal.timeout(10_000) });
    },
  });
  return Object.assign(buyer, { sent });
}

/** Buys from one process of the seller until aborted. */
export async function buyByChannel(buyer, seller, { purchases, random, signal, allSellers }) {
  while (!signal.aborted) {
    buyer.sent.length = 0;
    const response = await buyer.fetch(seller.url + paths.paid).catch(() => undefined);
    await response?.arrayBuffer();
    const paid = paymentOf(response);
    if (response?.status === 200 && paid?.success) {
      if (purchases.served.has(paid.transaction))
        throw new Finding(`${paid.transaction} paid for two requests`);
      purchases.served.add(paid.transaction);
      if (paid.transaction.includes('-')) purchases.byChannel++;
      if (random() * copiesOneIn < 1) await copy(buyer.sent.at(-1), paid.transaction, purchases, allSellers);
    } else if (response === undefined || unknownStatuses.includes(response.status)) {
      purchases.unknown++;
    } else throw new Finding(`a purchase returned ${response.status} ${paid?.errorReason}`);
    await sleep(pauseMs);
  }
}

/** Presents a served link to each process again. Each may at most repeat its own reply. */
async function copy({ header }, transaction, purchases, sellers) {
  for (const seller of sellers) {
    const response = await fetch(seller.url + paths.paid, { headers: { 'payment-signature': header } }).catch(
      () => undefined,
    );
    await response?.arrayBuffer();
    if (response?.status !== 200) continue;
    const paid = paymentOf(response);
    if (paid?.transaction !== transaction)
      throw new Finding(`a copy of ${transaction} was served as ${paid?.transaction}`);
    purchases.servedAgain++;
  }
}

/** Whether a process of the seller accepts channels now. */
export async function offersChannels(url) {
  const response = await fetch(url + paths.paid);
  await response.arrayBuffer();
  const { accepts } = readHeader(response, 'payment-required');
  return accepts[0].extra.channel !== undefined;
}

const paymentOf = (response) => readHeader(response, 'payment-response');

function readHeader(response, name) {
  const header = response?.headers.get(name);
  return header ? JSON.parse(Buffer.from(header, 'base64').toString()) : undefined;
}
