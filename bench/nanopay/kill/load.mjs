// Buyers who pay, and come back with the same payment as long as nobody knows what became of it.
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
/** Who is not served by then has lost his payment: long before it ends. */
const patienceMs = 60_000;
const wandersOneIn = 20;
const copiesOneIn = 10;
const unknownCodes = ['SERVICE_UNAVAILABLE', 'OUTCOME_UNKNOWN', 'IDEMPOTENCY_IN_PROGRESS'];

/** What buyers were told. */
export class Told {
  /** @type {{ digest: Buffer, receipt: object }[]} */
  grants = [];
  /** Payments that were called copies: each must have been charged. @type {string[]} */
  copies = [];
  unknown = 0;

  grant(payment, receipt) {
    if (payment.isGranted) throw new Finding(`${payment.confirmationId} was granted twice`);
    payment.isGranted = true;
    this.grants.push({ digest: payment.digest, receipt });
  }
}

const oneIn = (count, random) => random() * count < 1;

/** Buys from guards until stopped, and resolves when the last payment is over. */
export async function buyFromGuards(buyer, { sellers, told, random, signal }) {
  while (!signal.aborted) {
    const payment = signedPayment(buyer);
    const first = sellers[Math.floor(random() * sellers.length)];
    await buyOnce(payment, { first, sellers, told, random });
    await sleep(pauseMs);
  }
}

async function buyOnce(payment, { first, sellers, told, random }) {
  const header = headerOf(payment);
  let [seller, attempts, hasWandered] = [first, 0, false];
  for (const endMs = Date.now() + patienceMs; ; await sleep(retryMs)) {
    const answer = await ask(seller, header);
    attempts++;
    if (answer.status === 200) {
      told.grant(payment, answer.paid.extra.receipt);
      if (oneIn(copiesOneIn, random)) await copy(payment, header, { sellers, told });
      return;
    }
    if (answer.status === 402 && answer.reason === 'duplicate_settlement' && hasWandered) {
      told.copies.push(payment.confirmationId);
      return;
    }
    if (answer.status !== 503) throw new Finding(`attempt ${attempts}: ${answer.status} ${answer.reason}`);
    told.unknown++;
    if (Date.now() > endMs) throw new Finding(`${payment.confirmationId} was not served in a minute`);
    if (!oneIn(wandersOneIn, random)) continue;
    seller = sellers.find((each) => each !== seller);
    hasWandered = true;
  }
}

/** What was granted is presented once more, at each seller. */
async function copy(payment, header, { sellers, told }) {
  for (const seller of sellers) {
    const { status, reason } = await ask(seller, header);
    if (status === 503) told.unknown++;
    else if (status !== 402 || reason !== 'duplicate_settlement')
      throw new Finding(`a copy of ${payment.confirmationId} was answered ${status} ${reason}`);
  }
}

async function ask({ url }, header) {
  const reply = await fetch(url + paths.paid, { headers: { 'payment-signature': header } });
  const body = await reply.json();
  const told = reply.headers.get('payment-response');
  const paid = told && JSON.parse(Buffer.from(told, 'base64').toString());
  return { status: reply.status, paid, reason: paid?.errorReason ?? body.code };
}

/** Has single authorizations charged by the facilitator, and holds that are settled, as the gateway would ask for both. */
export class Facilitation {
  static async open(natsUrl) {
    const facilitation = new Facilitation();
    facilitation.bus = await BusConnection.open({ app: 'gateway', url: natsUrl });
    facilitation.client = new BusClient(facilitation.bus, new AnyCaller());
    return facilitation;
  }

  async buy(buyer, { told, random, signal }) {
    while (!signal.aborted) {
      const payment = signedPayment(buyer);
      const { extra } = oneIn(2, random)
        ? await this.#call(verifyPayment, fieldsOf(payment), told)
        : await this.#holdAndSettle(facilitationOf(payment), told);
      told.grant(payment, extra.receipt);
      await sleep(pauseMs);
    }
  }

  async #holdAndSettle(request, told) {
    await this.#call(verifyPayment, request, told);
    return this.#call(settlePayment, request, told);
  }

  /** The same call under the same key, until it is answered. */
  async #call(operation, request, told) {
    const idempotencyKey = randomBytes(32).toString('hex');
    for (const endMs = Date.now() + patienceMs; ; await sleep(retryMs)) {
      const context = { ...callContext(), idempotencyKey };
      const reply = await this.client.call(operation, request, context).catch((error) => error);
      if (reply.success) return reply;
      if (!(reply instanceof Error)) throw new Finding(`${operation.path}: ${JSON.stringify(reply)}`);
      if (!(reply instanceof DomainError) || !unknownCodes.includes(reply.code)) throw reply;
      told.unknown++;
      if (Date.now() > endMs)
        throw new Finding(`${operation.path} was not answered in a minute: ${reply.code}`);
    }
  }

  async close() {
    this.client.close();
    await this.bus.close();
  }
}
