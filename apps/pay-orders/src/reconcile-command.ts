import 'reflect-metadata';
import { openPaymentChains } from '@tollbridge/chain-families';
import { loadDeployments } from '@tollbridge/chains';
import { tlsFilesOf } from '@tollbridge/config';
import { Database } from '@tollbridge/database';
import { createLogger } from '@tollbridge/observability';
import { parseArgs } from 'node:util';
import { EvmChains } from './chains/evm/evm-chains';
import { readConfig } from './config';
import { reconcile, type PaymentState, type ReconciledPayment } from './reconciliation/reconcile';
import { ReconciliationRepository } from './reconciliation/reconciliation.repository';

const usage = `reconcile-command --since <time, such as 2026-11-24T12:00:00Z> [--all] [--json]
  lists the payments that the chains recorded since then and that this database does not know;
  --all lists every payment, --json one JSON object per line`;

const states: PaymentState[] = ['settled', 'waiting', 'mismatched', 'unknown'];
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Runs `node dist/reconcile-command.js --since …` with the settings of the app, while replicas of the app may be
 * running.
 */
async function main(args: string[]): Promise<void> {
  const { sinceMs, isAll, isJson } = readArguments(args);
  const config = readConfig();
  const [url, tls] = [config.PAY_ORDERS_DATABASE_URL, tlsFilesOf(config, 'database')];
  const database = await Database.open({ app: 'pay-orders', url, tls, entities: [], maxConnections: 2 });
  try {
    const orders = new ReconciliationRepository(database);
    const logger = createLogger('pay-orders');
    const evm = new EvmChains(loadDeployments(config.CHAINS_FILE), logger);
    const others = await openPaymentChains(config.CHAINS_FILE, logger);
    for (const adapter of [...evm.adapters(), ...others.map((it) => it.adapter)]) {
      const found = await reconcile(adapter, sinceMs, orders);
      const listed = found.filter(({ state }) => isAll || state === 'unknown' || state === 'mismatched');
      for (const each of listed) print(isJson ? jsonOf(each) : textOf(each));
      const counts = states.map((state) => `${found.filter((each) => each.state === state).length} ${state}`);
      if (!isJson) print(`${adapter.chain.id}: ${found.length} payments; ${counts.join(', ')}`);
    }
  } finally {
    await database.close();
  }
}

function readArguments(args: string[]): { sinceMs: number; isAll: boolean; isJson: boolean } {
  const { values } = parseArgs({
    args,
    options: {
      since: { type: 'string', default: '' },
      all: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const sinceMs = Date.parse(values.since);
  if (!/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(values.since) || !Number.isFinite(sinceMs))
    throw new Error(`--since must be a time with its zone. Use:\n${usage}`);
  return { sinceMs, isAll: values.all, isJson: values.json };
}

function textOf({ chain, payment, state, isMerchantKnown }: ReconciledPayment): string {
  const { fields, orderId, payer, txHash, height } = payment;
  // Callers of the contract choose the text of the token.
  const token = fields.token_in.replace(/[^ -~]/g, '?').slice(0, 40);
  const merchant = isMerchantKnown ? 'a merchant of this database' : 'no merchant of this database';
  return [
    `${state}  order ${orderId}, transaction ${txHash} in block ${height} of ${chain}`,
    `  ${fields.merchant_amount} ${token} (smallest unit) from ${payer} to ${fields.merchant}, ${merchant}; fee ${fields.fee_amount} to ${fields.fee_receiver}`,
  ].join('\n');
}

function jsonOf({ chain, payment, state, isMerchantKnown }: ReconciledPayment): string {
  const { orderId, payer, txHash, height, fields } = payment;
  return JSON.stringify({ state, chain, orderId, txHash, height, payer, isMerchantKnown, fields });
}

main(process.argv.slice(2)).catch((error: Error & { code?: string }) => {
  const isTyped = error.code?.startsWith('ERR_PARSE_ARGS') ?? false;
  process.stderr.write(`pay-orders: ${error.message || error.name}${isTyped ? `\n${usage}` : ''}\n`);
  process.exitCode = 1;
});
