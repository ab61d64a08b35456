// Tollbridge's seller: Fastify with the paywall, and the payment ledger with its PostgreSQL, as in production.
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { startTestServers } from '../../local/test-servers.mjs';
import { startChild } from './child-server.mjs';
import { chooseTcp, tcpSettings } from './ledger-tcp.mjs';
import { prepareChainRequests } from './prepared-chains.mjs';
import { prepareChannelRequests } from './prepared-channels.mjs';
import { prepareNanopayRequests } from './prepared-payments.mjs';
import { priceAtomic } from './resource.mjs';

const load = createRequire(import.meta.url);
const root = resolve(fileURLToPath(new URL('../../..', import.meta.url)));

export const deployment = {
  verifyingContract: '0:1e411a978149c21f93c8dd3be2cb8f45e6cc7330af6068fc6367ad83975e02c1',
  asset: '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe',
  to: `0:${'22'.repeat(32)}`,
};

/** All rows of Tollbridge share servers and ledger, which stop with their last user. */
let sharedLedger;
let users = 0;

/**
 * @param {ReturnType<typeof import('./buyers.mjs').makeBuyers>} buyers
 * @param {string[]} without disabled steps of the payment ledger, see `ledger-without.mjs`
 */
export async function joinLedger(buyers, without = []) {
  users++;
  sharedLedger ??= startLedger(buyers, without);
  const { stop, ...ledger } = await sharedLedger;
  const leave = async () => {
    if (--users === 0) await stop();
  };
  return { ...ledger, leave };
}

/**
 * Fastify with a TCP connection to the payment ledger, or over the bus.
 * @param {ReturnType<typeof import('./buyers.mjs').makeBuyers>} buyers
 * @param {'tcp' | 'bus'} way
 * @param {string[]} without disabled steps of the payment ledger
 */
export const ourSeller = (buyers, way, without) => ({
  name: way === 'tcp' ? 'tollbridge' : 'tollbridge over NATS',
  likelyPerSecond: 6_000,
  rates: way === 'tcp' ? [200, 1_000, 5_000] : [1_000],
  async start() {
    const { natsUrl, tcp, payments, leave } = await joinLedger(buyers, without);
    // A separate seller for each row, because its payments are counted.
    const to = `0:${(way === 'tcp' ? '22' : '33').repeat(32)}`;
    const { url, stop } = await startChild('our-server.mjs', {
      ...(way === 'tcp' ? { tcp } : { natsUrl }),
      ...deployment,
      to,
    });
    return {
      url,
      prepare: (count) => prepareNanopayRequests(count, { url, buyers }),
      countPayments: () => payments(to),
      async stop() {
        await stop();
        await leave();
      },
    };
  },
});

/** The same seller, paid with hash-chain links: the cost of a payment without a signature. */
export const ourChainSeller = (buyers) => ({
  name: 'tollbridge chains',
  likelyPerSecond: 6_000,
  // Links must arrive in order, while an open loop does not wait for earlier requests.
  rates: [],
  async start() {
    const { tcp, payments, leave } = await joinLedger(buyers);
    const to = `0:${'44'.repeat(32)}`;
    const { url, stop } = await startChild('our-server.mjs', { tcp, ...deployment, to });
    return {
      url,
      prepare: (count) => prepareChainRequests(count, { url, buyers }),
      countPayments: () => payments(to),
      async stop() {
        await stop();
        await leave();
      },
    };
  },
});

/** The same seller, paid by channels: it verifies and stores links, and settles them with the ledger later. */
export const ourChannelSeller = (buyers) => ({
  name: 'tollbridge channels',
  likelyPerSecond: 20_000,
  rates: [1_000],
  async start() {
    const { tcp, payments, leave } = await joinLedger(buyers);
    const to = `0:${'66'.repeat(32)}`;
    const folder = mkdtempSync(join(tmpdir(), 'bench-channels-'));
    const options = { tcp, ...deployment, to, channels: { folder } };
    const { url, ask, stop } = await startChild('our-server.mjs', options);
    // The first link of a channel pays the request that opens it, before the measurement.
    let opened = 0;
    return {
      url,
      prepare: (count) => prepareChannelRequests(count, { url, buyers }, () => opened++),
      async countPayments() {
        await ask('settle');
        return (await payments(to)) - opened;
      },
      async stop() {
        await stop();
        await leave();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
});

/** Starts the payment ledger in a separate process, with accounts that have payments. */
async function startLedger(buyers, without) {
  const servers = await startTestServers();
  Object.assign(process.env, servers.variables);
  const { freshDatabase } = load('@tollbridge/testing');
  const { migrate } = load('@tollbridge/database');
  const { migrations } = load('../../../apps/tee/dist/migrations');
  const database = await freshDatabase('tee');
  await migrate({ app: 'tee', url: database.ownerUrl, migrations });
  const admin = new pg.Client({
    connectionString: adminUrlOf(servers.variables.TEST_POSTGRES_ADMIN_URL, database),
  });
  await admin.connect();
  await fund(admin, buyers);
  const folder = mkdtempSync(join(tmpdir(), 'bench-tee-'));
  const tcp = await chooseTcp();
  await provisionStreams(servers.variables.TEST_NATS_URL);
  const child = await startTee(servers.variables.TEST_NATS_URL, database.runtimeUrl, folder, tcp, without);
  return {
    natsUrl: servers.variables.TEST_NATS_URL,
    tcp,
    /** Returns the number of payments to this seller, which all have the same amount. */
    async payments(to) {
      const earned = await (without.includes('commits') ? askEarned(child, to) : readEarned(admin, to));
      return Number(BigInt(earned) / BigInt(priceAtomic));
    },
    async stop() {
      child.kill();
      await once(child, 'exit');
      await admin.end();
      await database.drop();
      await servers.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function readEarned(admin, to) {
  const account = Buffer.from(to.slice(2), 'hex');
  const { rows } = await admin.query('SELECT earned FROM tee.accounts WHERE account = $1', [account]);
  return rows[0]?.earned ?? 0;
}

async function askEarned(child, to) {
  const answer = once(child, 'message');
  child.send({ earnedBy: to.slice(2) });
  return (await answer)[0].earned;
}

function adminUrlOf(admin, { runtimeUrl }) {
  const url = new URL(admin);
  url.pathname = new URL(runtimeUrl).pathname;
  return url.href;
}

async function fund(admin, buyers) {
  const bytes = (hex) => Buffer.from(hex.replace('0:', ''), 'hex');
  for (const { address, publicKey } of buyers) {
    await admin.query(
      `INSERT INTO tee.accounts (account, public_key, deposited, available, updated_at) VALUES ($1, $2, 1e15, 1e15, now())`,
      [bytes(address), bytes(publicKey)],
    );
  }
}

/** Provisions the streams, like the job before the apps. @param {string} url */
async function provisionStreams(url) {
  const env = { ...process.env, TOLLBRIDGE_ENV: 'sandbox', PROVISIONER_NATS_URL: url };
  await promisify(execFile)(process.execPath, [join(root, 'apps/pay-orders/dist/provision-streams.js')], {
    env,
  });
}

async function startTee(natsUrl, databaseUrl, folder, tcp, without) {
  const child = fork(join(root, 'apps/tee/dist/main.js'), [], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    execArgv: without.length > 0 ? ['--import', new URL('ledger-without.mjs', import.meta.url).href] : [],
    env: {
      ...process.env,
      BENCH_LEDGER_WITHOUT: without.join(','),
      TOLLBRIDGE_ENV: 'sandbox',
      NODE_ENV: 'production',
      TEE_NATS_URL: natsUrl,
      TEE_DATABASE_URL: databaseUrl,
      TEE_MANAGEMENT_PORT_NUMBER: '0',
      TEE_KEY_FILE: join(folder, 'tee.key'),
      NANOPAY_ASSET: deployment.asset,
      ...tcpSettings(tcp),
    },
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const ended = once(child, 'exit').then(() =>
    Promise.reject(new Error(`the payment ledger did not start:\n${output}`)),
  );
  ended.catch(() => undefined);
  const ready = async () => {
    while (!output.includes('"started"')) await new Promise((wait) => setTimeout(wait, 50));
  };
  await Promise.race([ready(), ended]);
  return child;
}
