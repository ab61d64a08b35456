import 'reflect-metadata';
import { commandAction, readCommandLine, runCommand } from '@tollbridge/bootstrap';
import { uuidOf } from '@tollbridge/rpc';
import { tlsFilesOf } from '@tollbridge/config';
import { Database, systemClock } from '@tollbridge/database';
import { readConfig } from './config';
import { ManualDecisions } from './refunds/manual-decisions';
import { manualReasons, type ManualReason } from './refunds/refund';
import { ManualRefundsRepository, type ManualRefund } from './refunds/manual-refunds.repository';

const usage = `refunds-command list
refunds-command forward <refund-id> <address>   sends it to this address
refunds-command close <refund-id> <note>        it was settled by other means; the note says how
The last two record the operator: --operator NAME or OPERATOR_NAME, and --reason TEXT if there is more to say.`;
const mostListed = 1_000;

/** Runs `node dist/refunds-command.js list` with the settings of the app, while replicas of the app may be running. */
async function main(): Promise<string> {
  const line = readCommandLine(process.argv.slice(2), { names: ['operator', 'reason'] });
  const [what, id = '', ...rest] = line.words;
  if (what !== 'list' && !(['forward', 'close'].includes(what ?? '') && uuidOf(id) && rest.length > 0))
    throw new Error(`Unknown command. Use one of:\n${usage}`);
  const config = readConfig();
  const [url, tls] = [config.PAY_ORDERS_DATABASE_URL, tlsFilesOf(config, 'database')];
  const database = await Database.open({ app: 'pay-orders', url, tls, entities: [], maxConnections: 2 });
  try {
    const refunds = new ManualRefundsRepository(database, systemClock);
    if (what === 'list') return listOf(await refunds.manual(mostListed));
    const decider = commandAction(line, { command: 'refunds' });
    const decisions = new ManualDecisions(database, refunds);
    if (what === 'close') {
      await decisions.close(uuidOf(id)!, rest.join(' '), decider);
      return 'The refund is closed.';
    }
    const address = await decisions.forward(uuidOf(id)!, rest[0]!, decider);
    return `The refund will be forwarded to ${address}.`;
  } finally {
    await database.close();
  }
}

function listOf(refunds: readonly ManualRefund[]): string {
  if (refunds.length === 0) return 'No refund waits for an operator.';
  return refunds
    .map(({ id, orderId, chain, token, amount, address, reason, createdAt }) => {
      const [code = ''] = reason.split(':', 1);
      const why = manualReasons[code as ManualReason] ?? '';
      return `${id}  ${amount} ${token} on ${chain} at ${address}, since ${createdAt.toISOString()}\n  order ${orderId}; ${reason}: ${why}`;
    })
    .join('\n');
}

runCommand('pay-orders', main);
