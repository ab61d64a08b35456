import type { CommandContext } from '../command';
import { exitCodes, UsageError } from '../exit-codes';
import { webhookTypes } from '../generated/api';
import { printable } from '../output';
import { didYouMean } from '../suggestion';
import { deliver, targetUrl, type Attempt, type Message } from '../webhooks/forward-message';
import { newMessages } from '../webhooks/message-feed';
import { givenSecret, newSecret } from '../webhooks/sign-message';

/** Forwards new webhooks until an interrupt, or until `--count` webhooks have arrived. */
export async function run({ terminal, client, session, flag, has, isJson }: CommandContext): Promise<number> {
  const url = flag('forward-to') === undefined ? undefined : targetUrl(flag('forward-to')!);
  const printsJson = has('print-json') || isJson;
  if (!url && !printsJson)
    throw new UsageError(
      'listen needs --forward-to <url>, or --print-json.',
      'Run: tollbridge listen --help',
    );
  const isWanted = filterOf(flag('events'));
  const most = countOf(flag('count'));
  const secret = givenSecret({ flag, terminal }) ?? newSecret();
  const { signal } = terminal;
  const sleep = (ms: number): Promise<void> => terminal.sleep(ms);
  const line = (text: string): void => (printsJson ? terminal.note(text) : terminal.out(text));
  const onReady = (endpoint: string | null): void => {
    line(`Listening to ${session.url}. Ctrl-C ends.`);
    if (url) line(`Signing secret: ${secret}`);
    if (endpoint) line(`The webhookUrl of the settings gets the messages too: ${endpoint}`);
  };
  const onFailure = ({ message }: Error): void =>
    terminal.note(`${printable(message)} Trying again; messages are recorded for two minutes meanwhile.`);
  const underWay = new Set<Promise<boolean>>();
  let received = 0;
  for await (const message of newMessages(client, { signal, sleep, isWanted, onReady, onFailure })) {
    if (printsJson) terminal.out(JSON.stringify({ id: message.id, ...(message.payload as object) }));
    if (url) await forward(message, { url, secret, signal }, { line, sleep, underWay });
    received += 1;
    if (received === most) break;
  }
  const delivered = await Promise.all(underWay);
  if (signal.aborted) return exitCodes.interrupted;
  return delivered.includes(false) ? exitCodes.failed : exitCodes.ok;
}

// With more pending deliveries, the receiver is probably down. Then each message waits for its own delivery.
const mostUnderWay = 50;

/** Waits for the first attempt, so that messages arrive in order. Retries run while later messages are sent. */
async function forward(
  message: Message,
  target: { url: string; secret: string; signal: AbortSignal },
  {
    line,
    sleep,
    underWay,
  }: {
    line: (text: string) => void;
    sleep: (ms: number) => Promise<void>;
    underWay: Set<Promise<boolean>>;
  },
): Promise<void> {
  const first = deferred();
  const delivery = deliver(message, target, sleep, (attempt, retryInMs) => {
    line(lineOf(message, attempt, retryInMs));
    first.resolve();
  }).finally(() => {
    first.resolve();
  });
  underWay.add(delivery);
  void delivery.then((isDelivered) => isDelivered && underWay.delete(delivery));
  await (underWay.size > mostUnderWay ? delivery : first.promise);
  if (underWay.size > mostUnderWay) underWay.delete(delivery);
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

function lineOf(
  { id, type }: Message,
  { status, error, ms }: Attempt,
  retryInMs: number | undefined,
): string {
  const time = new Date().toTimeString().slice(0, 8);
  const result = error === undefined ? `${status} in ${ms} ms` : error;
  const retry = retryInMs === undefined ? '' : `, again in ${retryInMs / 1_000} s`;
  const isLost = error !== undefined && retryInMs === undefined;
  const after = isLost ? `, given up; tollbridge events replay ${id} --forward-to <url>` : '';
  return `${time}  ${type}  ${id}  ${result}${retry}${after}`;
}

/** Returns a filter for message types. @throws UsageError */
export function filterOf(text: string | undefined): (type: string) => boolean {
  if (text === undefined) return () => true;
  const wanted = text.split(',').map((each) => each.trim());
  const known = Object.keys(webhookTypes);
  const families = [...new Set(known.map((type) => `${type.split('.')[0]}.*`))];
  for (const each of wanted)
    if (!known.includes(each) && !families.includes(each) && each !== '*')
      throw new UsageError(
        `There is no webhook type ${each}.`,
        didYouMean(each, [...known, ...families], 'Run: tollbridge trigger --list'),
      );
  return (type) => wanted.some((each) => each === '*' || each === type || each === `${type.split('.')[0]}.*`);
}

/** Parses `--count`. @throws UsageError */
export function countOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError('--count must be a number above 0.');
  return Number(text);
}
