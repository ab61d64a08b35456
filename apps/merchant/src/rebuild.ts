import 'reflect-metadata';
import { callAccess } from '@tollbridge/contracts';
import { tlsFilesOf } from '@tollbridge/config';
import { BusClient, BusConnection } from '@tollbridge/rpc';
import { Database } from '@tollbridge/database';
import { commandAction, openIdentity, readCommandLine, runCommand } from '@tollbridge/bootstrap';
import { readConfig } from './config';
import { rebuildDashboard, type Rebuild } from './dashboard/rebuild-dashboard';

const progressEvery = 10_000;

/** Runs `node dist/rebuild.js dashboard` with the settings of the app, while replicas of the app may be running. */
async function main(): Promise<string> {
  const line = readCommandLine(process.argv.slice(2), { names: ['operator', 'reason'] });
  const [what] = line.words;
  if (what !== 'dashboard') throw new Error('Name what to rebuild: dashboard.');
  const config = readConfig();
  const operator = commandAction(line, { command: 'rebuild' });
  const [natsTls, tls] = [tlsFilesOf(config, 'nats'), tlsFilesOf(config, 'database')];
  const bus = await BusConnection.open({ app: 'merchant', url: config.MERCHANT_NATS_URL, tls: natsTls });
  const client = new BusClient(bus, openIdentity('merchant', config), callAccess);
  const url = config.MERCHANT_DATABASE_URL;
  const database = await Database.open({ app: 'merchant', url, tls, entities: [], maxConnections: 4 });
  try {
    let reported = 0;
    const onProgress = (events: number): void => {
      if (events < reported + progressEvery) return;
      reported = events;
      process.stdout.write(`${events} events read\n`);
    };
    return sentencesOf(await rebuildDashboard(database, client, { onProgress, operator })).join('\n');
  } finally {
    client.close();
    await bus.close();
    await database.close();
  }
}

function sentencesOf({ events, copied, comparison }: Rebuild): string[] {
  const { records, differing, examples } = comparison;
  const first = [
    `The dashboard was rebuilt from ${events} events: ${records} records.`,
    ...(copied > 0 ? [`${copied} of them were copied: their events are no longer stored.`] : []),
  ];
  if (differing === 0) return [...first, 'All records and sums equal the previous ones.'];
  return [
    ...first,
    `${differing} records or sums differ from the previous ones. The first of them:`,
    ...examples.map(({ wallet, recordId }) => `  ${wallet}: ${recordId ?? 'a sum'}`),
  ];
}

runCommand('merchant', main);
