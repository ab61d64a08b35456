import type { FastifyInstance, FastifyReply } from 'fastify';
import { isServed, products, type Product } from './catalogue';
import { fraction, moneyOf, number, percentOf, times, type Money } from './money';
import type { Parts } from './parts';
import { Rejection, wireTime } from './rejection';
import { statusAt, type Transaction } from './transactions.repository';
import { codeOf, page, wireProduct } from './wire';

type Query = Readonly<Record<string, unknown>>;

// The limit of the provider's sandbox: all cards of an order together, without fees and discounts.
const largestOrder = fraction('100');
// The simulator releases pre-orders after this time.
const releaseMs = 5_000;

const invalid = (message: string): Rejection => new Rejection(400, 'INVALID_INPUT_PROVIDED', message);

export function registerGiftCards(server: FastifyInstance, parts: Parts): void {
  server.get<{ Querystring: Query }>('/products', ({ query }) => {
    const wanted = query['countryCode'];
    const found = products.filter(({ country }) => wanted === undefined || country.isoName === wanted);
    return page(found.map(wireProduct), query, 200);
  });
  server.get<{ Params: { id: string } }>('/products/:id', ({ params }) => wireProduct(productOf(params.id)));
  server.get<{ Params: { iso: string } }>('/countries/:iso/products', ({ params: { iso } }) => {
    if (!isServed(iso)) throw new Rejection(404, 'COUNTRY_NOT_FOUND', 'Country code not found');
    return products.filter(({ country }) => country.isoName === iso).map(wireProduct);
  });
  server.post('/orders', async ({ body }, reply) => order(parts, (body ?? {}) as Query, reply));
  server.get<{ Params: { id: string } }>(
    '/orders/transactions/:id/cards',
    async ({ params, headers }, reply) => {
      // Like the provider, rejects other media types.
      if (!/^application\/com\.reloadly\.giftcards-v[12]\+json$/.test(headers.accept ?? ''))
        return reply.code(406).send({ status: 406, error: 'Not Acceptable' });
      return cardsOf(parts, await transactionOf(parts, params.id), headers.accept!.includes('-v2'));
    },
  );
  server.get<{ Querystring: Query }>('/reports/transactions', async ({ query }) => {
    const identifier = typeof query['customIdentifier'] === 'string' ? query['customIdentifier'] : undefined;
    const found = await parts.transactions.list('giftcards', { identifier, limit: 50, offset: 0 });
    return page(
      found.map((it) => describe(it, parts.clock.now())),
      query,
      50,
    );
  });
  server.get<{ Params: { id: string } }>('/reports/transactions/:id', async ({ params }) =>
    describe(await transactionOf(parts, params.id), parts.clock.now()),
  );
}

function productOf(id: unknown): Product {
  const product = products.find(({ productId }) => String(productId) === String(id));
  if (!product) throw new Rejection(404, 'PRODUCT_NOT_FOUND', 'The product was not found');
  return product;
}

async function order({ checkout, clock }: Parts, body: Query, reply: FastifyReply) {
  const { productId, quantity, unitPrice, senderName, countryCode, recipientEmail = null } = body;
  const product = productOf(productId);
  if (!Number.isInteger(quantity) || (quantity as number) < 1) throw invalid('quantity must be 1 or more');
  if (typeof senderName !== 'string' || senderName === '') throw invalid('senderName is required');
  if (countryCode !== undefined && countryCode !== product.country.isoName)
    throw new Rejection(400, 'INVALID_COUNTRY', 'The product is not available in this country');
  const face = moneyOf(unitPrice);
  if (face === undefined) throw invalid('unitPrice is required');
  requirePrice(product, face);
  const count = BigInt(quantity as number);
  const price = times(face, product.rate);
  const isPreOrder = body['preOrder'] === true;
  if (isPreOrder && !product.supportsPreOrder) throw invalid('The product cannot be ordered in advance');
  if (price * count > largestOrder) throw invalid('Orders of the sandbox are of 100 USD at most');
  const discount = percentOf(product.discountPercentage, price) * count;
  const fee = (percentOf(product.senderFeePercentage, price) + product.senderFee) * count;
  const cost = price * count - discount + fee;
  const made = await checkout.buy(
    {
      api: 'giftcards',
      identifier: body['customIdentifier'],
      amount: face,
      cost,
      takesMs: isPreOrder ? releaseMs : 0,
      ends: 'SUCCESSFUL',
      body: {
        amount: number(cost),
        discount: number(discount),
        currencyCode: 'USD',
        fee: number(fee),
        smsFee: 0,
        totalFee: number(fee),
        recipientEmail,
        recipientPhone: null,
        preOrdered: isPreOrder,
        product: {
          productId: product.productId,
          productName: product.productName,
          quantity,
          unitPrice,
          countryCode: product.country.isoName,
          totalPrice: number(face * count),
          currencyCode: product.recipientCurrencyCode,
          brand: product.brand,
        },
      },
    },
    reply,
  );
  return made && describe(made, clock.now());
}

function requirePrice({ denominations }: Product, face: Money): void {
  if ('fixed' in denominations) {
    if (!denominations.fixed.includes(face))
      throw new Rejection(400, 'WRONG_PRODUCT_PRICE', 'The price is not one of the denominations');
  } else if (face < denominations.min || face > denominations.max)
    throw new Rejection(400, 'PRICE_IS_NOT_PERMITTED', 'The price is not in the range');
}

async function transactionOf({ transactions }: Parts, id: string): Promise<Transaction> {
  const found = /^\d{1,15}$/.test(id) ? await transactions.find('giftcards', Number(id)) : undefined;
  if (!found) throw new Rejection(404, 'TRANSACTION_NOT_FOUND', 'The transaction was not found');
  return found;
}

const describe = (made: Transaction, nowMs: number) => ({
  transactionId: made.id,
  ...made.body,
  customIdentifier: made.identifier,
  status: statusAt(made, nowMs),
  transactionCreatedTime: wireTime(made.createdAtMs),
});

function cardsOf({ clock }: Parts, made: Transaction, isSecondVersion: boolean) {
  const nowMs = clock.now();
  if (nowMs < made.codesAtMs) throw new Rejection(500, 'INTERNAL_ERROR', 'An unexpected error occurred');
  if (statusAt(made, nowMs) !== 'SUCCESSFUL') return [];
  const { quantity } = made.body['product'] as { quantity: number };
  return Array.from({ length: quantity }, (_, index) => ({
    cardNumber: codeOf(`card ${made.id} ${made.createdAtMs} ${index}`, 16),
    pinCode: codeOf(`pin ${made.id} ${made.createdAtMs} ${index}`, 6),
    ...(isSecondVersion && { redemptionUrl: null }),
  }));
}
