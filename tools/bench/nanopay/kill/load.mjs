// Buyers that pay, and retry a payment until its outcome is known.
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { paths } from '../resource.mjs';
import { Finding } from './ledger-checks.mjs';
import { facilitationOf, fieldsOf, headerOf, signedPayment } from './payments.mjs';

const load = createRequire(import.meta.url);
const { BusClient, BusConnection, callContext, DomainError } = load('@tollbridge/rpc');
const { AnyCaller, nanoVerificationApi } = load('@tollbridge/contracts');
const { verifyPayment, settlePayment } = nanoVerificationApi.operations;

const pauseMs = 10;
const retryMs = 150;
/** A payment without an outcome after this time counts as lost. It expires much later. */
const patienceMs = 60_000;
const wandersOneIn = 20;
const copiesOneIn = 10;
const unknownCodes = ['SERVICE_UNAVAILABLE', 'OUTCOME_UNKNOWN', 'IDEMPOTENCY_IN_PROGRESS'];

/** Outcomes that buyers received. */
export class Outcomes {
  /** @type {{ digest: Buffer, receipt: object }[]} */
  grants = [];
  /**
   * Payments that were rejected as copies, so each must have been charged.
   * @type {string[]}
   */
  copies = [];
  unknown = 0;

  grant(payment, receipt) {
    if (payment.isGranted) throw new Finding(`${payment.confirmationId} was granted twice`);
    payment.isGranted = true;
    this.grants.push({ digest: payment.digest, receipt });
  }
}

const oneIn = (count, random) => random() * count < 1;

/** Buys from paywalls until aborted. Resolves when the last payment has an outcome. */
export async function buyFromSellers(buyer, { sellers, outcomes, random, signal }) {
  while (!signal.aborted) {
    const payment = signedPayment(buyer);
    const first = sellers[Math.floor(random() * sellers.length)];
    await buyOnce(payment, { first, sellers, outcomes, random });
    await sleep(pauseMs);
  }
}

async function buyOnce(payment, { first, sellers, outcomes, random }) {
  const header = headerOf(payment);
  let [seller, attempts, hasWandered] = [first, 0, false];
  for (const endMs = Date.now() + patienceMs; ; await sleep(retryMs)) {
    const answer = await ask(seller, header);
    attempts++;
    if (answer.status === 200) {
      outcomes.grant(payment, answer.paid.extra.receipt);
      if (oneIn(copiesOneIn, random)) await copy(payment, header, { sellers, outcomes });
      return;
    }
    if (answer.status === 402 && answer.reason === 'duplicate_settlement' && hasWandered) {
      outcomes.copies.push(payment.confirmationId);
      return;
    }
    if (answer.status !== 503) throw new Finding(`attempt ${attempts}: ${answer.status} ${answer.reason}`);
    outcomes.unknown++;
    if (Date.now() > endMs) throw new Finding(`${payment.confirmationId} was not served within a minute`);
    if (!oneIn(wandersOneIn, random)) continue;
    seller = sellers.find((each) => each !== seller);
    hasWandered = true;
  }
}

/** Presents a granted payment to each seller again. */
async function copy(payment, header, { sellers, outcomes }) {
  for (const seller of sellers) {
    const { status, reason } = await ask(seller, header);
    if (status === 503) outcomes.unknown++;
    else if (status !== 402 || reason !== 'duplicate_settlement')
      throw new Finding(`a copy of ${payment.confirmationId} returned ${status} ${reason}`);
  }
}

async function ask({ url }, header) {
  const reply = await fetch(url + paths.paid, { headers: { 'payment-signature': header } });
  const body = await reply.json();
  const response = reply.headers.get('payment-response');
  const paid = response && JSON.parse(Buffer.from(response, 'base64').toString());
  return { status: reply.status, paid, reason: paid?.errorReason ?? body.code };
}

/** Charges single authorizations by the facilitator, and settles holds, with the calls of the gateway. */
export class Facilitation {
  static async open(natsUrl) {
    const facilitation = new Facilitation();
    facilitation.bus = await BusConnection.open({ app: 'gateway', url: natsUrl });
    facilitation.client = new BusClient(facilitation.bus, new AnyCaller());
    return facilitation;
  }

  async buy(buyer, { outcomes, random, signal }) {
    while (!signal.aborted) {
      const payment = signedPayment(buyer);
      const { extra } = oneIn(2, random)
        ? await this.#call(verifyPayment, fieldsOf(payment), outcomes)
        : await this.#holdAndSettle(facilitationOf(payment), outcomes);
      outcomes.grant(payment, extra.receipt);
      await sleep(pauseMs);
    }
  }

  async #holdAndSettle(request, outcomes) {
    await this.#call(verifyPayment, request, outcomes);
    return this.#call(settlePayment, request, outcomes);
  }

  /** Repeats a call with the same key until it returns. */
  async #call(operation, request, outcomes) {
    const idempotencyKey = randomBytes(32).toString('hex');
    for (const endMs = Date.now() + patienceMs; ; await sleep(retryMs)) {
      const context = { ...callContext(), idempotencyKey };
      const reply = await this.client.call(operation, request, context).catch((error) => error);
      if (reply.success) return reply;
      if (!(reply instanceof Error)) throw new Finding(`${operation.path}: ${JSON.stringify(reply)}`);
      if (!(reply instanceof DomainError) || !unknownCodes.includes(reply.code)) throw reply;
      outcomes.unknown++;
      if (Date.now() > endMs)
        throw new Finding(`${operation.path} did not return within a minute: ${reply.code}`);
    }
  }

  async close() {
    this.client.close();
    await this.bus.close();
  }
}
