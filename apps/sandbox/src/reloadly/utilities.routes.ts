import type { FastifyInstance, FastifyReply } from 'fastify';
import { billers, type Biller } from './catalogue';
import { dividedBy, moneyOf, number, percentOf, times, type Money } from './money';
import type { Parts } from './parts';
import { Rejection, wireTime } from './rejection';
import { statusAt, type Status, type Transaction } from './transactions.repository';
import { codeOf, page, wireBiller } from './wire';

type Query = Readonly<Record<string, unknown>>;

const dayMs = 24 * 60 * 60_000;
// Processing time of a bill.
const billMs = 700;

export function registerUtilities(server: FastifyInstance, parts: Parts): void {
  server.get<{ Querystring: Query }>('/billers', ({ query }) => {
    const { id, type, serviceType, countryISOCode } = query;
    const found = billers.filter(
      (biller) =>
        (id === undefined || String(biller.id) === id) &&
        (type === undefined || biller.type === type) &&
        (serviceType === undefined || biller.serviceType === serviceType) &&
        (countryISOCode === undefined || biller.countryIsoCode === countryISOCode),
    );
    return page(found.map(wireBiller), query, 1_000);
  });
  server.post('/pay', async ({ body }, reply) => pay(parts, (body ?? {}) as Query, reply));
  server.get<{ Querystring: Query }>('/transactions', async ({ query }) => {
    const identifier = typeof query['referenceId'] === 'string' ? query['referenceId'] : undefined;
    const found = await parts.transactions.list('utilities', { identifier, limit: 1_000, offset: 0 });
    return page(
      found.map((it) => describe(it, parts.clock.now())),
      query,
      1_000,
    );
  });
  server.get<{ Params: { id: string } }>('/transactions/:id', async ({ params: { id } }) => {
    const found = /^\d{1,15}$/.test(id) ? await parts.transactions.find('utilities', Number(id)) : undefined;
    if (!found) throw new Rejection(404, 'TRANSACTION_NOT_FOUND', 'The transaction was not found');
    return describe(found, parts.clock.now());
  });
}

async function pay({ checkout, clock }: Parts, body: Query, reply: FastifyReply) {
  const { billerId, amount, amountId, subscriberAccountNumber, useLocalAmount = false } = body;
  const biller = billers.find(({ id }) => id === billerId);
  if (!biller) throw new Rejection(400, 'INVALID_BILLER_ID', 'The biller is not valid');
  if (typeof subscriberAccountNumber !== 'string' || subscriberAccountNumber === '')
    throw new Rejection(400, 'INVALID_INPUT_PROVIDED', 'subscriberAccountNumber is required');
  const asked = moneyOf(amount);
  if (asked === undefined) throw new Rejection(400, 'INVALID_AMOUNT', 'The amount is required');
  const local = useLocalAmount ? asked : times(asked, biller.rate);
  requireAmount(biller, local, amountId);
  const dollars = useLocalAmount ? dividedBy(asked, biller.rate) : asked;
  const fee = percentOf(biller.feePercentage, dollars);
  const made = await checkout.buy(
    {
      api: 'utilities',
      identifier: body['referenceId'],
      amount: asked,
      cost: dollars + fee,
      takesMs: billMs,
      ends: endOf(biller),
      body: {
        amount: number(asked),
        isPrepaid: biller.serviceType === 'PREPAID',
        discount: 0,
        fee: number(fee),
        amountCurrencyCode: useLocalAmount ? biller.localTransactionCurrencyCode : 'USD',
        deliveryAmount: number(local),
        deliveryAmountCurrencyCode: biller.localTransactionCurrencyCode,
        feeCurrencyCode: 'USD',
        discountCurrencyCode: 'USD',
        billDetails: {
          type: biller.type,
          billerId: biller.id,
          billerName: biller.name,
          serviceType: biller.serviceType,
          billerCountryCode: biller.countryIsoCode,
          billerReferenceId: null,
          subscriberDetails: { invoiceId: null, accountNumber: subscriberAccountNumber },
        },
      },
    },
    reply,
  );
  if (!made) return undefined;
  const { id, status, referenceId, submittedAt } = describe(made, clock.now()).transaction;
  return {
    id,
    status,
    referenceId,
    submittedAt,
    code: 'PAYMENT_PROCESSING_IN_PROGRESS',
    message: 'The payment is being processed',
    finalStatusAvailabilityAt: wireTime(made.createdAtMs + dayMs),
  };
}

function requireAmount({ local }: Biller, asked: Money, amountId: unknown): void {
  if (!('fixed' in local)) {
    if (asked >= local.min && asked <= local.max) return;
    throw new Rejection(400, 'INVALID_AMOUNT', 'The amount is not in the range of the biller');
  }
  if (amountId === undefined)
    throw new Rejection(400, 'MISSING_REQUIRED_AMOUNT_ID', 'The amount id is required');
  if (typeof amountId !== 'number' || local.fixed[amountId % 10] !== asked)
    throw new Rejection(400, 'AMOUNT_ID_NOT_FOUND', 'The amount id was not found');
}

const endOf = ({ countryIsoCode }: Biller): Status => (countryIsoCode === 'NG' ? 'FAILED' : 'SUCCESSFUL');

function describe(made: Transaction, nowMs: number) {
  const status = statusAt(made, nowMs);
  const { isPrepaid, billDetails, ...body } = made.body;
  const isPaid = status === 'SUCCESSFUL';
  return {
    code: isPaid ? 'PAYMENT_PROCESSED_SUCCESSFULLY' : `PAYMENT_${status}`,
    message: `The payment is ${status}`,
    transaction: {
      id: made.id,
      status,
      referenceId: made.identifier,
      ...body,
      submittedAt: wireTime(made.createdAtMs),
      billDetails: {
        ...(billDetails as object),
        completedAt: isPaid ? wireTime(made.settlesAtMs) : null,
        pinDetails: isPaid && isPrepaid ? tokenOf(made) : null,
      },
    },
  };
}

const tokenOf = ({ id, createdAtMs }: Transaction) => ({
  token: codeOf(`token ${id} ${createdAtMs}`, 20),
  info1: '33.4 kWh',
  info2: null,
  info3: null,
});
