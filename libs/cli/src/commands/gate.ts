import type { CommandContext } from '../command';
import { exitCodes, UsageError } from '../exit-codes';
import { printable, renderTable } from '../output';
import { adviceFor, askPrice, payDemand, type Exchange, type Step } from '../x402/exchange';
import { decodeHeader } from '../x402/offers';
import { readRequest } from '../x402/priced-request';

/** Prints the payment offers of a seller. With `--debug` it also pays, and prints the whole exchange. */
export async function run(context: CommandContext): Promise<number | void> {
  const { terminal, has, isJson } = context;
  const url = context.positionals[0]!;
  if (!/^https?:\/\/\S+$/i.test(url)) throw new UsageError(`${url} is not an http address.`);
  const asked = await askPrice(await readRequest(context, url), terminal.signal);
  const isPaying = has('debug') && asked.demand !== undefined;
  const exchange = isPaying ? await payDemand(context, asked) : asked;
  if (isJson) terminal.out(JSON.stringify(decoded(exchange), null, 2));
  else for (const line of has('debug') ? sequence(exchange) : offers(exchange)) terminal.out(line);
  const { status } = exchange.second ?? exchange.first;
  const advice = exchange.demand ? undefined : adviceFor(exchange);
  if (advice && !isJson) terminal.note(advice);
  return status < 400 || (status === 402 && !isPaying) ? exitCodes.ok : exitCodes.failed;
}

function offers({ url, first, demand }: Exchange): string[] {
  if (!demand)
    return [`${url} answers ${first.status}${first.status < 400 ? ': it asks for no payment' : ''}.`];
  const { resource, accepts } = demand;
  const rows = accepts.map(({ scheme, network, asset, amount, payTo }) => ({
    scheme,
    network,
    amount,
    asset,
    payTo,
  }));
  return [
    `${url} answers 402: ${printable(resource?.description ?? 'a payment is required')}`,
    renderTable(rows),
    'Pay and see the exchange: run the same command with --debug',
  ];
}

/** Returns the exchange with its decoded headers. */
function decoded({ url, method, first, demand, chosen, payment, second, receipt }: Exchange): object {
  const step = ({ status, ms, headers }: Step) => ({ status, ms, headers });
  return {
    url,
    method,
    first: step(first),
    demand,
    chosen,
    payment,
    ...(second && { second: step(second) }),
    receipt,
  };
}

const actors = ['client', 'seller', 'facilitator'] as const;
const columnWidth = 26;

/** Draws the messages as arrows between columns, each with its decoded headers below. */
function sequence(exchange: Exchange): string[] {
  const { url, method, first, demand, chosen, payment, second, receipt } = exchange;
  const line = `${method} ${new URL(url).pathname}`;
  const lines = [
    actors
      .map((actor) => actor.padEnd(columnWidth))
      .join('')
      .trimEnd(),
    arrow(0, 1, line),
    arrow(1, 0, `${first.status} (${first.ms} ms)`),
    ...headerLines(first),
  ];
  if (!demand || !second) return lines;
  lines.push(
    arrow(0, 1, `${line} + payment`),
    ...block('payment-signature', payment),
    // The seller's own calls are not visible to this program, but the receipt contains their result.
    ...(chosen ? [arrow(1, 2, `verify, settle: ${chosen.scheme}`)] : []),
    ...(receipt === undefined ? [] : [arrow(2, 1, settlementOf(receipt))]),
    arrow(1, 0, `${second.status} (${second.ms} ms)`),
    ...headerLines(second),
    ...bodyLines(second.body),
  );
  return lines;
}

function settlementOf(receipt: unknown): string {
  const { success, transaction, errorReason } = (receipt ?? {}) as Record<string, unknown>;
  if (success === true) return `settled ${shortened(String(transaction ?? ''))}`;
  return `not settled: ${printable(String(errorReason ?? 'no reason'))}`;
}

const shortened = (text: string): string => printable(text.length > 14 ? `${text.slice(0, 10)}…` : text);

function arrow(from: number, to: number, text: string): string {
  const left = Math.min(from, to);
  const length = columnWidth - 2;
  const label = text.length > length - 4 ? `${text.slice(0, length - 5)}…` : text;
  const dashes = '-'.repeat(Math.max(1, length - label.length - 3));
  const line = from < to ? `|-${label}${dashes}>|` : `|<${dashes}${label}-|`;
  return `${' '.repeat(left * columnWidth)}${line}`;
}

function headerLines({ headers }: Step): string[] {
  return Object.entries(headers).flatMap(([name, value]) => block(name, decodeHeader(value) ?? value));
}

function block(name: string, value: unknown): string[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return [`    ${name}:`, ...text.split('\n').map((line) => `      ${printable(line)}`)];
}

const bodyLines = (body: string): string[] => block('body', body.slice(0, 2_000));
