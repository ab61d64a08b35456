import { formatUnits, parseUnits } from '@tollbridge/money';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Outage } from '../simulators/outage';
import { observeOutage } from '../simulators/provider-outage';
import type { ServiceSimulator, ServiceSimulatorParts } from '../simulators/service-simulator';
import { countries, services } from '../virtual-numbers/offers';
import { RentedNumbers, type RentedNumber } from '../virtual-numbers/rented-numbers';

export const fiveSimToken = 'sandbox-fivesim-token';

const usdDigits = 6;
const lifeMs = 20 * 60_000;

type Buy = { Params: { country: string; product: string }; Querystring: { maxPrice?: string } };
type ById = { Params: { id: string } };

/** Simulates the 5sim API with a separate account. */
export class FiveSimSimulator implements ServiceSimulator {
  readonly prefix = '/fivesim';
  readonly outage = new Outage();
  readonly numbers: RentedNumbers;
  /** Whether the next rental succeeds and then loses its response. */
  losesNext = false;

  constructor({ clock }: Pick<ServiceSimulatorParts, 'clock'>) {
    this.numbers = new RentedNumbers(clock);
    this.numbers.earliestCancelMs = 0;
  }

  register(routes: FastifyInstance): void {
    observeOutage(routes, this.outage);
    routes.get<{ Querystring: { country?: string; product?: string } }>(
      '/v1/guest/prices',
      ({ query }, reply) => this.prices(query, reply),
    );
    void routes.register(async (user) => this.registerUser(user), { prefix: '/v1/user' });
  }

  private registerUser(user: FastifyInstance): void {
    user.addHook('onRequest', async ({ headers }, reply) => {
      if (headers.authorization !== `Bearer ${fiveSimToken}`) await reply.code(401).send();
    });
    user.get('/profile', () => ({ balance: Number(formatUnits(this.numbers.balanceMicros, usdDigits)) }));
    user.get<Buy>('/buy/activation/:country/any/:product', ({ params, query }, reply) =>
      this.buy(params, query, reply),
    );
    user.get<{ Querystring: { limit?: string } }>('/orders', ({ query }) => {
      const orders = this.numbers.all();
      const Data = orders.slice(0, Number(query.limit ?? 15)).map((it) => this.order(it));
      return { Data, ProductNames: [], Statuses: [], Total: orders.length };
    });
    user.get<ById>('/check/:id', ({ params }, reply) =>
      this.withOrder(params.id, reply, (rented) => this.order(rented)),
    );
    user.get<ById>('/cancel/:id', ({ params }, reply) =>
      this.withOrder(params.id, reply, (rented) => this.cancel(rented)),
    );
  }

  private prices({ country, product }: { country?: string; product?: string }, reply: FastifyReply) {
    const [where, what] = [named(countries, country), named(services, product)];
    if (!where) return sendRejection(reply, 'bad country');
    if (!what) return {};
    const cost = Number(formatUnits(what.priceMicros, usdDigits));
    const operators = { virtual4: { cost, count: 1_000, rate: 99.9 }, virtual8: { cost, count: 0 } };
    return { [where.name]: { [what.name]: operators } };
  }

  private buy({ country, product }: Buy['Params'], { maxPrice }: Buy['Querystring'], reply: FastifyReply) {
    const [where, what] = [named(countries, country), named(services, product)];
    if (!where) return sendRejection(reply, 'bad country');
    const isTooDear = maxPrice !== undefined && what && parseUnits(maxPrice, usdDigits) < what.priceMicros;
    // 5sim reports errors as text with status 200.
    if (!what || isTooDear || what.behaviour === 'soldOut') return text(reply, 'no free phones');
    const rented = this.numbers.rent(what, where);
    if (!rented) return text(reply, 'not enough user balance');
    if (!this.losesNext) return this.order(rented);
    this.losesNext = false;
    reply.hijack();
    reply.raw.destroy();
    return reply;
  }

  private cancel(rented: RentedNumber): object | string {
    const answer = this.numbers.cancel(rented);
    if (answer === 'received') return 'order has sms';
    return this.order(rented);
  }

  private withOrder(id: string, reply: FastifyReply, answer: (rented: RentedNumber) => object | string) {
    const rented = /^[0-9]{1,15}$/.test(id) ? this.numbers.find(Number(id)) : undefined;
    if (!rented) return reply.code(404).type('text/plain').send('order not found');
    const given = answer(rented);
    return typeof given === 'string' ? sendRejection(reply, given) : given;
  }

  private order(rented: RentedNumber): object {
    const { id, phone, service, country, rentedAtMs, code, codeAtMs } = rented;
    const state = this.numbers.stateOf(rented);
    const created_at = new Date(rentedAtMs).toISOString();
    const date = state === 'received' ? new Date(codeAtMs!).toISOString() : '';
    const message = { created_at: date, date, sender: service.title, text: `Code: ${code}`, code };
    return {
      id,
      phone: `+${phone}`,
      operator: 'virtual4',
      product: service.name,
      price: Number(formatUnits(service.priceMicros, usdDigits)),
      status: { waiting: 'PENDING', received: 'RECEIVED', cancelled: 'CANCELED' }[state],
      expires: new Date(rentedAtMs + lifeMs).toISOString(),
      sms: state === 'received' ? [message] : null,
      created_at,
      country: country.name,
    };
  }
}

const named = <T extends { name: string }>(all: readonly T[], name?: string): T | undefined =>
  all.find((it) => it.name === name);

const text = (reply: FastifyReply, words: string): FastifyReply => reply.type('text/plain').send(words);

const sendRejection = (reply: FastifyReply, words: string): FastifyReply => text(reply.code(400), words);
