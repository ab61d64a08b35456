import type { CommandContext } from '../command';
import { CommandError, exitCodes, UsageError } from '../exit-codes';
import { printableLines, renderFields } from '../output';
import { payCheckout, payPayLink } from '../pay/pay-link';
import { payOrder } from '../pay/pay-order';
import { adviceFor, askPrice, payDemand, type Step } from '../x402/exchange';

const uuid = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';
const checkoutPath = new RegExp(`^/checkout/(${uuid})(?:/(${uuid}))?/?$`, 'i');
const payLinkPath = new RegExp(`^/l/(${uuid})/?$`, 'i');

/** Pays an order, a page for payers, or a URL that answers 402. */
export async function run(context: CommandContext): Promise<number | void> {
  const target = context.positionals[0]!;
  if (new RegExp(`^${uuid}$`, 'i').test(target))
    return show(context, { ...(await payOrder(context, target)) });
  const url = urlOf(target);
  const isOwn = url.origin === new URL(context.session.url).origin;
  const [, request, payment] = checkoutPath.exec(url.pathname) ?? [];
  const [, link] = payLinkPath.exec(url.pathname) ?? [];
  if (!isOwn && (request ?? link))
    throw new CommandError(
      `The page is of ${url.origin}, and not of ${context.session.url}.`,
      exitCodes.usage,
      `Add --api-url ${url.origin}`,
    );
  if (request !== undefined) return show(context, { ...(await payCheckout(context, request, payment)) });
  if (link !== undefined) return show(context, { ...(await payPayLink(context, link)) });
  return payUrl(context, url.href);
}

function urlOf(text: string): URL {
  try {
    const url = new URL(text);
    if (/^https?:$/.test(url.protocol)) return url;
  } catch {
    // Said below.
  }
  throw new UsageError(`${text} is neither an order id nor an http address.`, 'Run: tollbridge pay --help');
}

async function payUrl(context: CommandContext, url: string): Promise<number | void> {
  const { terminal, isJson } = context;
  const asked = await askPrice(url, terminal.signal);
  if (!asked.demand) return showFree(context, url, asked.first);
  const { second, receipt, chosen } = await payDemand(context, asked);
  const { status, body } = second!;
  const isPaid = status >= 200 && status < 300;
  if (isJson)
    terminal.out(JSON.stringify({ status, body: parsed(body), receipt, accepted: chosen }, null, 2));
  else {
    terminal.note(isPaid ? `Paid by ${chosen!.scheme}.` : `The seller answers ${status}.`);
    terminal.out(printableLines(body));
  }
  return isPaid ? exitCodes.ok : exitCodes.failed;
}

/** The reply of a URL that asks for no payment. @throws CommandError for a status from 400 */
function showFree({ terminal, isJson }: CommandContext, url: string, { status, body }: Step): void {
  if (isJson) terminal.out(JSON.stringify({ status, body: parsed(body) }, null, 2));
  else if (body) terminal.out(printableLines(body));
  const advice = adviceFor(status);
  if (advice) throw new CommandError(`${url} answers ${status}: nothing was paid.`, exitCodes.failed, advice);
  terminal.note(`${url} answers ${status}: it asks for no payment.`);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}

const show = ({ terminal, isJson }: CommandContext, result: Record<string, unknown>): void =>
  terminal.out(isJson ? JSON.stringify(result, null, 2) : renderFields(result));
