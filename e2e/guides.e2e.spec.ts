import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { eventually } from '@tollbridge/testing';
import { readGuide } from './guides/guide';
import { GuideRun, runInShell } from './guides/guide-run';
import { PackageRegistry } from './guides/package-registry';
import { foundIn, logsIn } from './logs';
import { repository, Harness, startTimeoutMs } from './harness';

// Runs README.md, docs/guides and the start screen as a reader does, on the default port. On another port only the
// first page and the start screen run. A test checks that all commands read the address from the same variable.
const clockGuide = 'docs/guides/test-clock.md';
const pages = [
  'README.md',
  ...readdirSync(join(repository, 'docs/guides')).map((name) => `docs/guides/${name}`),
].filter((name) => name !== clockGuide);
const oneProcess: readonly string[] = [];
const paid = /^paid by 0x[0-9a-f]{64}\norder \S+ is [^]*settled\n/m;
const paidBy = (hash: string) => new RegExp(`^paid by ${hash}\\norder \\S+ is [^]*settled\\n`, 'm');

/** Expected output of the commands below each heading. */
const expected: Record<string, Record<string, RegExp[]>> = {
  'README.md': { 'First payment': [paid] },
  'docs/guides/pay.md': {
    'Pay it': [paid],
    'Follow it': [/"status":"settled"/, /"late":false/],
    'From a program': [paid],
    'Follow it live': [/^id: \d+\nevent: order\ndata: \{.*"status":"settled"/m, /^event: end$/m],
  },
  'docs/guides/pay-across.md': { 'Create the order and pay it': [paid] },
  'docs/guides/pay-networks.md': {
    TON: [paidBy('[0-9a-f]{64}')],
    Solana: [paidBy('\\w{64,88}')],
    Tron: [paidBy('[0-9a-f]{64}')],
    Sui: [paidBy('\\w{43,44}')],
    'Any wallet may pay': [/"chain":"solana".*"family":"solana"/],
  },
  'docs/guides/swap.md': { Swap: [/completed 3\/3\n/, /success: true/] },
  'docs/guides/shop.md': {
    '3. Ask for a payment': [/"execution_strategy":"direct"/],
    '4. Pay as the payer': [paid],
    '5. See the payment': [
      /"total_amount":12.5/,
      /"amount":"12500000"/,
      /"totalVolumeUsd":"[1-9]\d(\.\d+)?"/,
    ],
    'From a program': [paid],
  },
  'docs/guides/prices.md': {
    'Ask for a price': [
      /"amount":"\d{8}","price":\{"amount":"49.90","currency":"EUR"\},"rate":\{"pair":"USDC\/EUR","value":"0\.\d+"/,
    ],
    'Fix the amount': [/"status":"executing".*"price":\{"amount":"49.90","currency":"EUR"\},"rate":/],
    Orders: [/"method":"Direct".*"price":\{"amount":"5.00","currency":"EUR"\},"rate":/],
  },
  'docs/guides/embed.md': {
    '3. Serve it': [/data-tollbridge href="http[^"]*\/checkout\/[\w-]{36}"/],
    'From a program': [
      /^allowed: http:\/\/127\.0\.0\.1:4100$/m,
      /^<a data-tollbridge href="http[^"]*\/checkout\/[\w-]{36}">/m,
    ],
  },
  'docs/guides/services.md': {
    'Search the catalog': [/"id":"giftcard-order"/, /"id":"payout-batch"/],
    'E-mail': [/^482913$/m],
    'Gift cards, airtime, bills': [
      /"productName":"Booktown US"/,
      /"status":"SUCCESSFUL".*"cards":\[\{"cardNumber":"\d{16}"/,
    ],
    'Text messages': [/"code":"\d{6}"/, /"status":"queued"/],
    'Virtual cards': [/"number":"411111\d{10}"/, /"cards":\[\{.*"amount":25/],
    'From a program': [/^Booktown US: 1 code for/m, /received \d{6}$/m, /is queued$/m, /^card of \$25 is /m],
    'Without an account': [/^200 \{/, /success: true/, /status: 'received'/],
  },
  'docs/guides/agents.md': {
    'Buy a gift card': [
      /^tools: listGiftCards, orderGiftCard,/m,
      /^asked: orderGiftCard costs /m,
      /^bought: .*, SUCCESSFUL$/m,
    ],
    'Without a form': [/"bought":false/, /"number":"\+44\d+"/],
  },
  'docs/guides/webhooks.md': {
    'Run a receiver': [/webhook\.test/],
    'Send a test message': [/"delivered":true/],
    'Find out what failed, and send it again': [/"type":"webhook.test"/, /"status":"delivered"/],
    'Change the secret': [/^whsec_$/m],
    'On your machine, without an address': [
      /^Logged in to /m,
      /^\{"id":"msg_[0-9a-f]{32}","type":"order\.settled"/m,
      /^order\.settled: order \S+ was created and paid$/m,
    ],
    'From a program': [
      /^received webhook\.test (\S+)\n(.+\n)*?received webhook\.test \1\n/m,
      /^webhook\.test delivered /m,
    ],
  },
  [clockGuide]: {
    'Advance the clock': [/"ahead_ms":2400000/],
    'From a program': [/^it is 20.*Z\n/m, /^order \S+ is expired$/m],
  },
  'docs/guides/payouts.md': {
    Preview: [/"totalAmount":13.25/],
    'Submit, sign, approve, follow': [/is completed\n/, / holds 12500000\n/, / holds 750000\n/],
  },
  'docs/guides/production.md': {
    '1. See what is missing': [/GATEWAY_NATS_URL is missing/, /MERCHANT_KEY_PEPPER is missing/],
    '2. Create the secrets': [/^TEE_IDENTITY_SECRET=\S{43}$/m, /^[0-9a-f]{64}$/m],
  },
  'docs/guides/paid-routes.md': {
    'Buy the demo route': [/^200 \{/, /type: 'charge'/],
    'Make the package for sellers': [/tollbridge-paywall-0\.1\.0\.tgz$/m],
    'Buy your route': [/^200 \{ tomorrow: 'sunny' \}\n/],
  },
  'docs/guides/x402-clients.md': {
    'Buy with an EVM wallet': [/^200 \{/, /success: true/, /transaction: '0x[0-9a-f]{64}'/],
    'Buy with a Solana wallet': [/^200 \{/, /success: true/, /transaction: '\w{64,88}'/],
    'Buy a service': [/^200 \{[^]*number: '\+44/, /success: true/, /transaction: '\w{64,88}'/],
    'Buy with mppx': [/^200 \{[^]*number: '\+44/, /reference: '0x[0-9a-f]{64}'/],
    'Buy from your shop': [
      /^200 \{ tomorrow: 'sunny' \}\n[^]*'0x[0-9a-f]{64}'[^]*\n200 \{ tomorrow: 'sunny' \}\n[^]*'\w{64,88}'/,
      /chargedCumulativeAmount: '3000'/,
    ],
  },
};

let registry: PackageRegistry;
let harness: Harness;
const secrets: string[] = [];

beforeAll(async () => {
  registry = await PackageRegistry.start();
});
afterAll(async () => {
  await harness?.remove();
  await registry?.close();
});

/** The environment of the reader's terminal. The page itself states all other requirements. */
function environment(url?: string): Record<string, string> {
  const npm = {
    npm_config_registry: registry.url,
    npm_config_audit: 'false',
    npm_config_update_notifier: 'false',
  };
  return { ...npm, ...(url && { TOLLBRIDGE_URL: url }) };
}

function describePages(url: () => string | undefined, names = pages): void {
  it.each(names)(
    '%s works as written',
    async (name) => {
      const changed = changedFiles();
      const run = new GuideRun(readGuide(name), environment(url()));
      try {
        const isNotified = async () =>
          void (await eventually(() =>
            expect(run.output['2. Receive webhooks']).toContain('payment.completed'),
          ));
        // The merchant's figures follow the event of the payment, as its webhook does.
        await run.run(async (heading) => {
          if (name.endsWith('shop.md') && heading === '5. See the payment') await isNotified();
        });
        for (const [heading, patterns] of Object.entries(expected[name]!))
          for (const pattern of patterns) expect(run.output[heading]).toMatch(pattern);
        secrets.push(...secretsOf(run));
      } finally {
        await run.remove();
      }
      expect(changedFiles()).toBe(changed);
    },
    480_000,
  );
}

describe('on the default port', () => {
  beforeAll(async () => {
    // If another program uses the port, the pages still run, with the variable.
    const isFree = await isPortFree(3000);
    harness = await Harness.start({ PORT: isFree ? '' : '0', SANDBOX_NETWORKS: '' }, oneProcess);
    await untilShown();
  }, startTimeoutMs);

  describePages(() => (harness.gateway.endsWith(':3000') ? undefined : harness.gateway));

  it('shows a screen with commands that work as printed', () => startScreen());

  it('writes no secret of the pages into a log', () => {
    expect(secrets.length).toBeGreaterThan(5);
    expect(foundIn(logsIn(harness.directory), secrets)).toEqual([]);
  });

  // Last, because the clock only moves forward, and other pages sign with the real time.
  describePages(() => (harness.gateway.endsWith(':3000') ? undefined : harness.gateway), [clockGuide]);
});

describe('a later start', () => {
  it('reuses packages, build, contracts and migrations, and makes no second demo payment', async () => {
    await harness.stop();
    await harness.start(oneProcess);
    await untilShown();
    for (const line of [
      'packages: in place',
      'build: nothing changed',
      'contracts: in place',
      'migrations: none pending',
      'made by an earlier start',
    ])
      expect(harness.shown).toContain(line);
  }, 480_000);

  it('continues with the time of the sandbox, also on its chains', async () => {
    const { now, ahead_ms } = (await (await fetch(`${harness.gateway}/sandbox/clock`)).json()) as ClockReply;
    expect(ahead_ms).toBe(80 * 60_000);
    const { chains } = (await (await fetch(`${harness.gateway}/sandbox`)).json()) as SandboxReply;
    for (const { rpcUrl } of chains)
      await eventually(async () =>
        expect(Math.abs((await blockTimeMs(rpcUrl)) - Date.parse(now))).toBeLessThan(120_000),
      );
  });

  it('reports the damaged file when the state of a chain cannot be read', async () => {
    await harness.stop();
    const state = join(harness.directory, 'evm/8453.json.gz');
    const whole = readFileSync(state);
    writeFileSync(state, whole.subarray(0, whole.length / 2));
    const failed = expect(harness.start(oneProcess)).rejects;
    await failed.toThrow(/8453\.json\.gz is damaged\. Delete the data and start again: npm start -- --fresh/);
  }, 480_000);
});

describe('on another port', () => {
  beforeAll(async () => {
    await harness.remove();
    harness = await Harness.start({ PORT: '0', SANDBOX_NETWORKS: '' }, oneProcess);
    await untilShown();
  }, startTimeoutMs);

  describePages(() => harness.gateway, ['README.md']);

  it('shows a screen with commands that work as printed', () => startScreen());
});

/** The screen comes after the demo payment. The payer's next payment must not overtake it. */
const untilShown = (): Promise<void> =>
  eventually(() => expect(harness.shown).toContain('Stop: Ctrl-C'), { timeoutMs: 60_000 });

interface ClockReply {
  now: string;
  ahead_ms: number;
}

interface SandboxReply {
  chains: { rpcUrl: string }[];
}

async function blockTimeMs(rpcUrl: string): Promise<number> {
  const body = { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['latest', false] };
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(body) });
  const { result } = (await reply.json()) as { result: { timestamp: string } };
  return Number(result.timestamp) * 1_000;
}

/** Runs the lines that begin with `$`, in one terminal. */
async function startScreen(): Promise<void> {
  const commands = [...harness.shown.matchAll(/^ {4}\$ (.*)$/gm)].map(([, command]) => command);
  expect(commands).toHaveLength(4);
  expect(commands[0]).toBe(`export TOLLBRIDGE_URL=${harness.gateway}`);
  const env = { PATH: process.env['PATH'], HOME: harness.directory };
  const ran = await runInShell(commands.join('\n'), { cwd: repository, env });
  expect([ran.status, ran.stderr]).toEqual([0, '']);
  expect(ran.stdout).toMatch(paid);
  expect(ran.stdout).toMatch(/completed 3\/3\n/);
  expect(ran.stdout).toContain('the order is settled');
}

/** Values that the pages show once: keys, secrets, tokens, card numbers. */
function secretsOf(run: GuideRun): string[] {
  const read = (name: string): Record<string, string> =>
    existsSync(run.file(name))
      ? (JSON.parse(readFileSync(run.file(name), 'utf8')) as Record<string, string>)
      : {};
  const { password, token } = read('mail.json');
  const cards = Object.values(run.output).flatMap((text) =>
    [...text.matchAll(/"(?:cardNumber|number)":"(\d{16})"/g)].map(([, number]) => number),
  );
  const webhookSecrets = ['webhook.json', 'next.json'].map((name) => read(name)['secret']);
  const shown = [...webhookSecrets, read('key.json')['secret'], password, token, ...cards];
  return shown.flatMap((text) => text ?? []);
}

/** Files that Git reports as changed: a page must not leave files in the checkout. */
function changedFiles(): string {
  return spawnSync('git', ['status', '--porcelain'], { cwd: repository, encoding: 'utf8' }).stdout;
}

async function isPortFree(port: number): Promise<boolean> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

describe('the scripts on the pages', () => {
  it.each(pages)("%s reads the gateway's address only from the variable", (name) => {
    const { steps } = readGuide(name);
    const variable =
      /\$\{TOLLBRIDGE_URL:-http:\/\/127\.0\.0\.1:3000\}|TOLLBRIDGE_URL \?\? 'http:\/\/127\.0\.0\.1:3000'/g;
    for (const { text } of steps) expect(text.replace(variable, '')).not.toContain('127.0.0.1:3000');
  });

  it.each([
    ['docs/guides/pay.md', ['pay.mjs', 'create-order.mjs']],
    ['docs/guides/pay-across.md', ['pay-across.mjs']],
    ['docs/guides/pay-networks.md', ['pay-ton.mjs', 'pay-solana.mjs', 'pay-tron.mjs', 'pay-sui.mjs']],
    ['docs/guides/swap.md', ['swap.mjs']],
    ['docs/guides/shop.md', ['receiver.mjs', 'pay.mjs']],
    ['docs/guides/webhooks.md', ['receiver.mjs']],
    ['docs/guides/services.md', ['buy-number.mjs']],
    ['docs/guides/payouts.md', ['payout.mjs']],
    ['docs/guides/paid-routes.md', ['buy.mjs', 'seller.ts']],
    ['docs/guides/x402-clients.md', ['x402-buy.mjs', 'x402-shop.mjs', 'mppx-buy.mjs']],
    ['docs/guides/agents.md', ['agent.mjs']],
    ['docs/guides/embed.md', ['allow-embedding.mjs']],
  ])('%s contains the examples of the repository', (page, names) => {
    const { text } = readGuide(page);
    for (const name of names)
      expect(text).toContain(readFileSync(join(repository, 'examples', name), 'utf8').trim());
  });
});
