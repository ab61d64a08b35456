import 'reflect-metadata';
import { uuidOf } from '@tollbridge/rpc';
import { findChain, receiverAddress } from '@tollbridge/chains';
import { tlsFilesOf } from '@tollbridge/config';
import { Database, systemClock } from '@tollbridge/database';
import { userInfo } from 'node:os';
import { readConfig } from './config';
import { manualReasons, type ManualReason } from './refunds/refund';
import { ManualRefundsRepository, type ManualRefund } from './refunds/manual-refunds.repository';

const usage = `refunds-command list
refunds-command forward <refund-id> <address>   sends it to this address
refunds-command close <refund-id> <note>        it was settled by other means; the note says how`;
const mostListed = 1_000;

/** `node dist/refunds-command.js list`, with the app's own settings; any number of its replicas may run. */
async function main([what, id = '', ...rest]: string[]): Promise<string> {
  if (what !== 'list' && !(['forward', 'close'].includes(what ?? '') && uuidOf(id) && rest.length > 0))
    throw new Error(`Unknown command. Use one of:\n${usage}`);
  const config = readConfig();
  const [url, tls] = [config.PAY_ORDERS_DATABASE_URL, tlsFilesOf(config, 'database')];
  const database = await Database.open({ app: 'pay-orders', url, tls, entities: [], maxConnections: 2 });
  try {
    const refunds = new ManualRefundsRepository(database, systemClock);
    if (what === 'list') return listOf(await refunds.manual(mostListed));
    const [refund] = await refunds.manual(1, uuidOf(id));
    if (!refund) throw new Error('No refund with this id waits for an operator.');
    return what === 'forward'
      ? await forward(refunds, refund, rest[0]!)
      : await close(refunds, refund, rest.join(' '));
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

async function forward(
  refunds: ManualRefundsRepository,
  refund: ManualRefund,
  text: string,
): Promise<string> {
  if (!refund.isReadable)
    throw new Error(
      'This deployment cannot send from the account of this chain. Send it by hand, then close it.',
    );
  const address = receiverAddress(findChain(refund.chain)!, text);
  if (!address.ok) throw new Error(`The address cannot be used: ${address.reason}.`);
  if (!(await refunds.resolve(refund.id, address.address, userInfo().username)))
    throw new Error('The refund no longer waits for an operator.');
  return `The refund will be forwarded to ${address.address}.`;
}

async function close(refunds: ManualRefundsRepository, refund: ManualRefund, note: string): Promise<string> {
  if (!(await refunds.close(refund, note, userInfo().username)))
    throw new Error('The refund no longer waits for an operator.');
  return 'The refund is closed.';
}

main(process.argv.slice(2)).then(
  (said) => void process.stdout.write(`${said}\n`),
  (error: Error) => {
    process.stderr.write(`pay-orders: ${error.message || error.name}\n`);
    process.exitCode = 1;
  },
);
