import { listTransactions, listWebhooks, type Client } from '@tollbridge/sdk';
import type { CommandContext } from '../command';
import { exitCodes } from '../exit-codes';
import { printable } from '../output';
import { countOf } from './listen';

const pollMs = 2_000;
const pageSize = 50;
/** Maximum number of remembered entry versions. */
const remembered = 5_000;

interface Entry {
  /** Different for every change of the entry. */
  version: string;
  at: string;
  text: string;
  value: object;
}

/** Prints new and changed transactions and webhook deliveries. */
export async function run({ terminal, client, flag, isJson }: CommandContext): Promise<number> {
  const { signal } = terminal;
  const most = countOf(flag('count'));
  const seen = new Set<string>();
  let printed = 0;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    const entries = await readEntries(client, signal);
    if (isFirst) terminal.note('Following transactions and webhook deliveries. Ctrl-C ends.');
    for (const { version, text, value } of entries) {
      const isNew = !seen.has(version);
      seen.add(version);
      if (isFirst || !isNew) continue;
      terminal.out(isJson ? JSON.stringify(value) : text);
      printed += 1;
      if (printed === most) return exitCodes.ok;
    }
    for (const version of seen) if (seen.size > remembered) seen.delete(version);
    await terminal.sleep(pollMs);
  }
  return exitCodes.interrupted;
}

/** Returns entries, the oldest first. */
async function readEntries(client: Client, signal: AbortSignal): Promise<Entry[]> {
  const query = { limit: pageSize };
  const [transactions, { webhooks }] = await Promise.all([
    listTransactions(client, query, { signal }),
    listWebhooks(client, query, { signal }),
  ]);
  const entries = [
    ...transactions.map((value): Entry => {
      const { id, updated_at: at, status, amount, token, network, description } = value;
      const text = `transaction  ${id}  ${status}  ${amount} ${token} on ${network}  ${description ?? ''}`;
      return { version: `${id} ${at} ${status}`, at, text, value: { kind: 'transaction', ...value } };
    }),
    ...webhooks.map((value): Entry => {
      const { id, createdAt: at, type, status, attempts, lastStatus, lastError } = value;
      const text = `webhook      ${id}  ${status}  ${type}, attempts: ${attempts}  ${lastError ?? lastStatus ?? ''}`;
      return { version: `${id} ${status} ${attempts}`, at, text, value: { kind: 'webhook', ...value } };
    }),
  ];
  return entries
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .map((entry) => ({ ...entry, text: printable(`${entry.at}  ${entry.text}`.trimEnd()) }));
}
