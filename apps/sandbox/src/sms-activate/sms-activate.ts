import { formatUnits, parseUnits } from '@tollbridge/money';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HookSender } from '../hooks/hook-sender';
import { hookSecrets } from '../hooks/sandbox-secrets';
import { Outage } from '../simulators/outage';
import { observeOutage, readForms } from '../simulators/provider-outage';
import type { ServiceSimulator, ServiceSimulatorParts } from '../simulators/service-simulator';
import { countries, services, type Behaviour, type Country, type Service } from '../virtual-numbers/offers';
import { RentedNumbers, type RentedNumber } from '../virtual-numbers/rented-numbers';

export const smsActivateKey = 'sandbox-numbers-key';

type Query = Readonly<Record<string, string>>;
/** A reply as text or JSON; undefined closes the connection without a response. */
type Answer = string | object | undefined;

const usdDigits = 6;
// Time zone of activation times, UTC+3. The operator does not document it.
const zoneMs = 3 * 3_600_000;

/** Simulates an operator of the sms-activate protocol, with a separate account. */
export class SmsActivateSimulator implements ServiceSimulator {
  readonly prefix = '/sms-activate';
  readonly outage = new Outage();
  readonly numbers: RentedNumbers;
  /** Whether it lists active numbers, which some operators do not. */
  hasList = true;
  /** Actions of received requests, in order. */
  readonly asked: string[] = [];
  /** Webhook URL, which the account owner sets at the provider; undefined for no webhooks. */
  hooksUrl: string | undefined;
  private readonly actions: Readonly<Record<string, (query: Query) => Answer>>;

  readonly hooks: HookSender;

  constructor({ clock, hooksUrl }: Pick<ServiceSimulatorParts, 'clock' | 'hooksUrl'>) {
    this.numbers = new RentedNumbers(clock);
    this.hooks = new HookSender({ clock });
    if (hooksUrl) this.hooksUrl = `${hooksUrl}/sms-activate/${hookSecrets.smsActivate}`;
    this.actions = {
      getBalance: () => `ACCESS_BALANCE:${formatUnits(this.numbers.balanceMicros, usdDigits)}`,
      getNumber: (query) => this.getNumber(query, ({ id, phone }) => `ACCESS_NUMBER:${id}:${phone}`),
      getNumberV2: (query) => this.getNumber(query, numberV2),
      getStatus: (query) => this.getStatus(query),
      getStatusV2: (query) => this.getStatusV2(query),
      setStatus: (query) => this.setStatus(query),
      getActiveActivations: () => (this.hasList ? this.getActiveActivations() : 'BAD_ACTION'),
      getPrices: (query) => getPrices(query),
      getCountries: () =>
        Object.fromEntries(countries.map(({ id, title }) => [id, { id, eng: title, visible: 1 }])),
      getServicesList: () => ({
        status: 'success',
        services: services.map(({ code, title }) => ({ code, name: title })),
      }),
      getNumbersStatus: () => Object.fromEntries(services.map((it) => [it.code, String(countOf(it))])),
    };
  }

  register(routes: FastifyInstance): void {
    observeOutage(routes, this.outage);
    readForms(routes);
    routes.route<{ Querystring: Query; Body: Query | undefined }>({
      method: ['GET', 'POST'],
      url: '/stubs/handler_api.php',
      handler: (request, reply) => this.answer(request, reply),
    });
  }

  stop(): Promise<void> {
    return this.hooks.stop();
  }

  /** Sends an event with the received code. Like HeroSMS, it has no signature. */
  private sendCodeEvent(rented: RentedNumber): void {
    const { id, phone, code, codeAtMs } = rented;
    if (this.hooksUrl === undefined || codeAtMs === null) return;
    const smsText = messageOf(rented);
    const body = JSON.stringify({ activationId: String(id), phoneNumber: phone, smsCode: code, smsText });
    const hook = { url: this.hooksUrl, contentType: 'application/json', body, headersAt: () => ({}) };
    this.hooks.send(hook, codeAtMs);
  }

  private answer(
    { query, body }: FastifyRequest<{ Querystring: Query; Body: Query | undefined }>,
    reply: FastifyReply,
  ): FastifyReply {
    const given = { ...body, ...query };
    const { api_key: key, action = '' } = given;
    this.asked.push(action);
    const run = Object.hasOwn(this.actions, action) ? this.actions[action] : undefined;
    if (!key) return say(reply, 'NO_KEY');
    if (key !== smsActivateKey) return say(reply, 'BAD_KEY');
    return say(reply, run ? run(given) : 'BAD_ACTION');
  }

  private getNumber(query: Query, shown: (rented: RentedNumber) => Answer): Answer {
    const wish = wishOf(query);
    if (typeof wish === 'string') return wish;
    const { service, country } = wish;
    const { maxPrice } = query;
    const price = formatUnits(service.priceMicros, usdDigits);
    if (maxPrice !== undefined && parseUnits(maxPrice, usdDigits) < service.priceMicros)
      return `WRONG_MAX_PRICE:${price}`;
    const rejection = rejections[service.behaviour];
    if (rejection) return rejection;
    const rented = this.numbers.rent(service, country);
    if (!rented) return 'NO_BALANCE';
    this.sendCodeEvent(rented);
    return service.behaviour === 'lost' ? undefined : shown(rented);
  }

  private find({ id = '' }: Query): RentedNumber | undefined {
    return /^[0-9]{1,15}$/.test(id) ? this.numbers.find(Number(id)) : undefined;
  }

  private getStatus(query: Query): string {
    const rented = this.find(query);
    if (!rented) return 'NO_ACTIVATION';
    const words = {
      waiting: 'STATUS_WAIT_CODE',
      cancelled: 'STATUS_CANCEL',
      received: `STATUS_OK:${rented.code}`,
    };
    return words[this.numbers.stateOf(rented)];
  }

  private getStatusV2(query: Query): Answer {
    const rented = this.find(query);
    if (!rented) return 'NO_ACTIVATION';
    const state = this.numbers.stateOf(rented);
    if (state === 'cancelled') return 'STATUS_CANCEL';
    const sms =
      state === 'received'
        ? { dateTime: timeText(rented.codeAtMs!), code: rented.code, text: messageOf(rented) }
        : null;
    return { verificationType: 2, sms };
  }

  private setStatus({ status, ...query }: Query): string {
    const rented = this.find(query);
    if (!rented) return 'NO_ACTIVATION';
    const isReceived = this.numbers.stateOf(rented) === 'received';
    if (status === '1') return 'ACCESS_READY';
    if (status === '8' || status === '-1') return cancelWords[this.numbers.cancel(rented)];
    if (status === '3' && isReceived) return 'ACCESS_RETRY_GET';
    if (status !== '6' || !isReceived) return 'BAD_STATUS';
    this.numbers.finish(rented);
    return 'ACCESS_ACTIVATION';
  }

  private getActiveActivations(): object {
    const active = this.numbers.all().filter((it) => this.numbers.isActive(it));
    return { status: 'success', activeActivations: active.map((it) => this.listed(it)) };
  }

  private listed(rented: RentedNumber): object {
    const { id, phone, service, country, rentedAtMs, code } = rented;
    const isReceived = this.numbers.stateOf(rented) === 'received';
    return {
      activationId: String(id),
      serviceCode: service.code,
      phoneNumber: phone,
      activationCost: formatUnits(service.priceMicros, usdDigits),
      activationStatus: isReceived ? '2' : '4',
      smsCode: isReceived ? [code] : null,
      smsText: isReceived ? [messageOf(rented)] : null,
      activationTime: timeText(rentedAtMs),
      discount: '0',
      repeated: '0',
      countryCode: String(country.id),
      countryName: country.title,
      canGetAnotherSms: '1',
    };
  }
}

const rejections: Partial<Record<Behaviour, string>> = {
  soldOut: 'NO_NUMBERS',
  noBalance: 'NO_BALANCE',
  banned: 'BANNED:2030-01-01 00:00:00',
};

const cancelWords = {
  cancelled: 'ACCESS_CANCEL',
  already: 'ACCESS_CANCEL_ALREADY',
  tooEarly: 'EARLY_CANCEL_DENIED',
  received: 'BAD_STATUS',
} as const;

const messageOf = ({ service, code }: RentedNumber): string => `Your ${service.title} code is ${code}`;

const timeText = (ms: number): string => new Date(ms + zoneMs).toISOString().slice(0, 19).replace('T', ' ');

const countOf = ({ behaviour }: Service): number => (behaviour === 'soldOut' ? 1 : 1_000);

function wishOf({ service, country = '0' }: Query): { service: Service; country: Country } | string {
  const wanted = services.find(({ code }) => code === service);
  if (!wanted) return 'BAD_SERVICE';
  const where = countries.find(({ id }) => String(id) === country);
  return where ? { service: wanted, country: where } : 'WRONG_COUNTRY';
}

function getPrices(query: Query): Answer {
  const wish = wishOf(query);
  if (typeof wish === 'string') return wish;
  const { service, country } = wish;
  const offer = { cost: Number(formatUnits(service.priceMicros, usdDigits)), count: countOf(service) };
  return { [country.id]: { [service.code]: offer } };
}

function numberV2({ id, phone, service, country, rentedAtMs }: RentedNumber): object {
  return {
    activationId: String(id),
    phoneNumber: phone,
    activationCost: formatUnits(service.priceMicros, usdDigits),
    currency: 840,
    countryCode: String(country.id),
    canGetAnotherSms: true,
    activationTime: timeText(rentedAtMs),
    activationOperator: 'any',
  };
}

function say(reply: FastifyReply, answer: Answer): FastifyReply {
  if (answer === undefined) {
    reply.hijack();
    reply.raw.destroy();
    return reply;
  }
  return typeof answer === 'string'
    ? reply.type('text/plain; charset=utf-8').send(answer)
    : reply.type('text/html; charset=utf-8').send(JSON.stringify(answer));
}
