import type { CommandContext } from '../command';
import { CommandError, exitCodes, UsageError } from '../exit-codes';
import { printable, printableLines, renderFields } from '../output';
import { payCheckout, payPayLink } from '../pay/pay-link';
import { payOrder } from '../pay/pay-order';
import { adviceFor, askPrice, payDemand, type Exchange } from '../x402/exchange';
import { readRequest } from '../x402/priced-request';

const uuid = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';
const checkoutPath = new RegExp(`^/checkout/(${uuid})(?:/(${uuid}))?/?$`, 'i');
const payLinkPath = new RegExp(`^/l/(${uuid})/?$`, 'i');

/** Pays an order, a payment page, or a URL that answers 402. */
export async function run(context: CommandContext): Promise<number | void> {
  const target = context.positionals[0]!;
  if (new RegExp(`^${uuid}$`, 'i').test(target)) {
    rejectSellerFlags(context);
    return show(context, { ...(await payOrder(context, target)) });
  }
  const url = urlOf(target);
  const [, request, payment] = checkoutPath.exec(url.pathname) ?? [];
  const [, link] = payLinkPath.exec(url.pathname) ?? [];
  if (!(request ?? link)) return payUrl(context, url.href);
  rejectSellerFlags(context);
  if (url.origin !== new URL(context.session.url).origin)
    throw new CommandError(
      `The page is of ${url.origin}, and not of ${context.session.url}.`,
      exitCodes.usage,
      `Add --api-url ${url.origin}`,
    );
  if (request !== undefined) return show(context, { ...(await payCheckout(context, request, payment)) });
  return show(context, { ...(await payPayLink(context, link!)) });
}

/** Rejects options that apply only to a seller's URL. @throws UsageError */
function rejectSellerFlags({ flags }: CommandContext): void {
  const given = ['method', 'data', 'scheme', 'network'].find((name) => flags.has(name));
  if (given !== undefined) throw new UsageError(`--${given} is for URLs that answer 402.`, 'Leave it out.');
}

function urlOf(text: string): URL {
  try {
    const url = new URL(text);
    if (/^https?:$/.test(url.protocol)) return url;
  } catch {
    // The error is thrown below.
  }
  throw new UsageError(`${text} is neither an order id nor an http address.`, 'Run: tollbridge pay --help');
}

async function payUrl(context: CommandContext, url: string): Promise<number | void> {
  const { terminal, isJson } = context;
  const asked = await askPrice(await readRequest(context, url), terminal.signal);
  if (!asked.demand) return showFree(context, asked);
  const { second, receipt, chosen: accepted } = await payDemand(context, asked);
  const { status, body, headers } = second!;
  const isPaid = status >= 200 && status < 300;
  const token = headers['purchase-token'];
  if (isJson) {
    const result = { status, body: parsed(body), receipt, accepted, ...(token && { purchase_token: token }) };
    terminal.out(JSON.stringify(result, null, 2));
  } else {
    terminal.note(isPaid ? `Paid by ${accepted!.scheme}.` : `The seller answers ${status}.`);
    // The token gives access to the purchase, so it is printed once and never stored.
    if (token) terminal.note(`Purchase-Token: ${printable(token)}`);
    terminal.out(printableLines(body));
  }
  return isPaid ? exitCodes.ok : exitCodes.failed;
}

/** Prints the reply of a URL that requires no payment. @throws CommandError for a status of 400 or higher */
function showFree({ terminal, isJson }: CommandContext, asked: Exchange): void {
  const { url, first } = asked;
  const { status, body } = first;
  if (isJson) terminal.out(JSON.stringify({ status, body: parsed(body) }, null, 2));
  else if (body) terminal.out(printableLines(body));
  const advice = adviceFor(asked);
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
