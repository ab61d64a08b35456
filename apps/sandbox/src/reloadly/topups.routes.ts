import type { FastifyInstance, FastifyReply } from 'fastify';
import { operators, isServed, type Operator } from './catalogue';
import { dividedBy, moneyOf, number, percentOf, times, type Money } from './money';
import type { Parts } from './parts';
import { Rejection, wireTime } from './rejection';
import { statusAt, type Transaction } from './transactions.repository';
import { codeOf, page, wireOperator } from './wire';

type Query = Readonly<Record<string, unknown>>;

// Slow top-ups of the real provider took 8 to 11 seconds.
const asyncMs = 9_000;

export function registerTopUps(server: FastifyInstance, parts: Parts): void {
  server.get<{ Params: { phone: string; iso: string } }>(
    '/operators/auto-detect/phone/:phone/countries/:iso',
    ({ params: { phone, iso } }) => {
      if (!isServed(iso)) throw new Rejection(409, 'COUNTRY_NOT_SUPPORTED', 'The country is not supported');
      const found = operators.find(({ country }) => country.isoName === iso);
      // According to the documentation, these numbers have no operator.
      if (!found || phone.endsWith('0000'))
        throw new Rejection(404, 'COULD_NOT_AUTO_DETECT_OPERATOR', 'Could not auto detect the operator');
      return wireOperator(found);
    },
  );
  server.get<{ Params: { id: string } }>('/operators/:id', ({ params }) =>
    wireOperator(operatorOf(params.id)),
  );
  server.get<{ Querystring: Query }>('/operators', ({ query }) =>
    page(operators.map(wireOperator), query, 1_000),
  );
  server.post('/topups', async ({ body }, reply) => topUp(parts, (body ?? {}) as Query, reply, 0));
  server.post('/topups-async', async ({ body }, reply) => {
    const made = await topUp(parts, (body ?? {}) as Query, reply, asyncMs);
    return made && { transactionId: made.transactionId };
  });
  server.get<{ Querystring: Query }>('/topups/reports/transactions', async ({ query }) => {
    const identifier = typeof query['customIdentifier'] === 'string' ? query['customIdentifier'] : undefined;
    const found = await parts.transactions.list('topups', { identifier, limit: 500, offset: 0 });
    return page(
      found.map((it) => describe(it, parts.clock.now())),
      query,
      500,
    );
  });
  server.get<{ Params: { id: string } }>('/topups/reports/transactions/:id', async ({ params }) =>
    describe(await transactionOf(parts, params.id), parts.clock.now()),
  );
  server.get<{ Params: { id: string } }>('/topups/:id/status', async ({ params }) => {
    const made = await transactionOf(parts, params.id);
    const transaction = describe(made, parts.clock.now());
    return { code: null, message: null, status: transaction.status, transaction };
  });
}

function operatorOf(id: unknown): Operator {
  const operator = operators.find(({ operatorId }) => String(operatorId) === String(id));
  if (!operator) throw new Rejection(404, 'OPERATOR_NOT_FOUND', 'The operator was not found');
  return operator;
}

/** @param takesMs 0 for an immediate result */
async function topUp({ checkout, clock }: Parts, body: Query, reply: FastifyReply, takesMs: number) {
  const { operatorId, amount, useLocalAmount = false, recipientPhone } = body;
  const operator = operatorOf(operatorId);
  const asked = moneyOf(amount);
  if (asked === undefined) throw new Rejection(400, 'INVALID_AMOUNT', 'The amount is required');
  if (useLocalAmount && !operator.supportsLocalAmounts)
    throw new Rejection(
      400,
      'LOCAL_AMOUNTS_NOT_SUPPORTED_BY_OPERATOR',
      'Local amounts are not supported by the operator',
    );
  const phone = phoneOf(recipientPhone);
  const dollars = useLocalAmount ? dividedBy(asked, operator.rate) : asked;
  requireAmount(operator, dollars, useLocalAmount === true);
  // Local amounts get no discount.
  const discount = useLocalAmount ? 0n : percentOf(operator.internationalDiscount, dollars);
  const made = await checkout.buy(
    {
      api: 'topups',
      identifier: body['customIdentifier'],
      amount: asked,
      cost: dollars - discount,
      takesMs,
      ends: 'SUCCESSFUL',
      body: {
        recipientPhone: phone,
        recipientEmail: null,
        senderPhone: null,
        countryCode: operator.country.isoName,
        operatorId: operator.operatorId,
        operatorName: operator.name,
        isPin: operator.pin,
        discount: number(discount),
        discountCurrencyCode: 'USD',
        requestedAmount: number(dollars),
        fee: 0,
        requestedAmountCurrencyCode: 'USD',
        deliveredAmount: number(useLocalAmount ? asked : times(dollars, operator.rate)),
        deliveredAmountCurrencyCode: operator.destinationCurrencyCode,
      },
    },
    reply,
  );
  return made && describe(made, clock.now());
}

function phoneOf(given: unknown): string {
  const { countryCode, number: text } = (given ?? {}) as Query;
  const digits = String(text ?? '').replace(/^\+/, '');
  if (typeof countryCode !== 'string' || !/^\d{6,15}$/.test(digits))
    throw new Rejection(400, 'INVALID_RECIPIENT_PHONE', 'The recipient phone is not valid');
  return digits;
}

function requireAmount({ denominations }: Operator, dollars: Money, isLocal: boolean): void {
  const isTaken =
    'fixed' in denominations
      ? denominations.fixed.includes(dollars)
      : dollars >= denominations.min && dollars <= denominations.max;
  if (isTaken) return;
  const code = isLocal ? 'INVALID_LOCAL_AMOUNT_FOR_OPERATOR' : 'INVALID_AMOUNT_FOR_OPERATOR';
  throw new Rejection(400, code, 'The amount is not valid for the operator');
}

async function transactionOf({ transactions }: Parts, id: string): Promise<Transaction> {
  const found = /^\d{1,15}$/.test(id) ? await transactions.find('topups', Number(id)) : undefined;
  if (!found) throw new Rejection(404, 'TRANSACTION_NOT_FOUND', 'The transaction was not found');
  return found;
}

function describe(made: Transaction, nowMs: number) {
  const { isPin, ...body } = made.body;
  const status = statusAt(made, nowMs);
  return {
    transactionId: made.id,
    status,
    operatorTransactionId: status === 'SUCCESSFUL' ? codeOf(`operator ${made.id}`, 10) : null,
    customIdentifier: made.identifier,
    ...body,
    transactionDate: wireTime(made.createdAtMs),
    pinDetail: isPin && status === 'SUCCESSFUL' ? pinOf(made) : null,
  };
}

const pinOf = ({ id, createdAtMs }: Transaction) => ({
  serial: codeOf(`serial ${id}`, 9),
  info1: 'Dial *126*PIN#',
  info2: null,
  info3: null,
  value: null,
  code: codeOf(`topup ${id} ${createdAtMs}`, 14),
  ivr: '1-800-000',
  validity: '30 days',
});
