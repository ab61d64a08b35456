import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@tollbridge/testing';
import { Webhook } from 'standardwebhooks';
import { repository } from './harness';

// Shorter than the limit of a case, 480 seconds, so that the failure shows the output of the command.
const commandTimeoutMs = 200_000;

interface Finished {
  code: number | null;
  out: string;
  note: string;
}

/** The packed command line, with its own home folder. */
class Cli {
  readonly home = mkdtempSync(join(tmpdir(), 'tollbridge-cli-e2e-'));

  constructor(private readonly gateway: string) {}

  async install(): Promise<void> {
    const { out } = await finished(process.execPath, [join(repository, 'tools/pack-cli.mjs'), this.home]);
    await finished('tar', ['-xzf', out.trim(), '-C', this.home]);
  }

  start(line: string) {
    return spawn(process.execPath, [join(this.home, 'package/tollbridge.js'), ...line.split(' ')], {
      cwd: this.home,
      env: { PATH: process.env['PATH'], HOME: this.home, TOLLBRIDGE_URL: this.gateway },
    });
  }

  /** Ends a command after the time limit, so that the failure shows its output. */
  async run(line: string): Promise<Finished> {
    const child = this.start(line);
    const timer = setTimeout(() => child.kill(), commandTimeoutMs);
    return collect(child).finally(() => clearTimeout(timer));
  }

  /** The JSON of a successful command. */
  async json(line: string): Promise<any> {
    const { code, out, note } = await this.run(`${line} --json`);
    if (code !== 0) throw new Error(`tollbridge ${line} exits with ${code}:\n${out}\n${note}`);
    return JSON.parse(out);
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}

const finished = (program: string, args: string[]): Promise<Finished> => collect(spawn(program, args));

async function collect(child: ReturnType<typeof spawn>): Promise<Finished> {
  const texts = ['', ''];
  [child.stdout!, child.stderr!].forEach((stream, at) =>
    stream.on('data', (chunk: Buffer) => void (texts[at] += chunk.toString())),
  );
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out: texts[0]!, note: texts[1]! };
}

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

async function serve(
  answer: (
    received: Received,
  ) => Promise<{ status: number; headers?: Record<string, string>; body?: unknown }>,
) {
  const server = createServer();
  server.on('request', (request, response) => {
    const reply = async () => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const { status, headers = {}, body: sent = {} } = await answer({ headers: request.headers, body });
      response.writeHead(status, headers).end(JSON.stringify(sent));
    };
    void reply();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** The packaged command line: a developer's first hour. */
export function cliCases(given: () => { url: string }): void {
  describe('tollbridge', () => {
    let cli: Cli;
    beforeAll(async () => {
      cli = new Cli(given().url);
      await cli.install();
      expect((await cli.run('login --sandbox')).code).toBe(0);
    }, 480_000);
    afterAll(() => cli?.remove());

    it('connects to the deployment, and finds no problem', async () => {
      expect(await cli.json('whoami')).toMatchObject({ environment: 'sandbox', key_is_valid: true });
      const findings = await cli.json('doctor');
      expect(findings.filter(({ result }: { result: string }) => result === 'fail')).toEqual([]);
      const checks = findings.map(({ check }: { check: string }) => check);
      expect(checks).toEqual(
        expect.arrayContaining(['gateway', 'clock', 'chains', 'key', 'webhooks', 'node of eip155:8453']),
      );
    }, 480_000);

    it('calls operations, and explains failures', async () => {
      const link = await cli.json(
        'paylinks create-paylink --name Tea --description Green --amount 1000000 --token USDC --network base --receive-address 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      );
      expect((await cli.run('paylinks list-paylinks')).out).toContain(link.id);
      const failed = await cli.run(
        'paylinks create-paylink --name Tea --description Green --receive-address x',
      );
      expect(failed.code).toBe(1);
      expect(failed.note).toMatch(/VALIDATION_ERROR[^]*\n {2}amount must [^]*Request: req_/);
      expect(await cli.json(`pay ${given().url}/l/${link.id} --yes`)).toMatchObject({ status: 'verified' });
    }, 480_000);

    it('forwards the webhooks of triggered events with a real signature', async () => {
      // One wallet pays on one chain at a time.
      const sequences = [
        ['order.reorged', 'paylink.payment_rejected', 'transaction.failed', 'payment.failed'],
        ['order.refunded'],
        ['key.budget_reached', 'purchase.completed', 'payout.updated', 'webhook.test'],
      ];
      const caused = ['order.created', 'order.settled', 'paylink.paid', 'order.failed'];
      const arrived: Received[] = [];
      const { server, url } = await serve(async (received) => {
        arrived.push(received);
        return { status: 200 };
      });
      const listening = cli.start(`listen --forward-to ${url}/hook`);
      let shown = '';
      listening.stdout.on('data', (chunk: Buffer) => void (shown += chunk.toString()));
      const verifiedTypes = (): string[] => {
        const webhook = new Webhook(/Signing secret: (\S+)/.exec(shown)![1]!);
        return arrived.map(
          ({ body, headers }) => (webhook.verify(body, headers as Record<string, string>) as any).type,
        );
      };
      try {
        await eventually(() => expect(shown).toContain('Signing secret'));
        await Promise.all(
          sequences.map(async (types) => {
            for (const type of types)
              expect(await cli.json(`trigger ${type}`)).toMatchObject({ type, made: expect.any(String) });
          }),
        );
        const wanted = [...sequences.flat(), ...caused];
        await eventually(() => expect(verifiedTypes()).toEqual(expect.arrayContaining(wanted)));
      } finally {
        listening.kill();
        server.close();
      }
    }, 480_000);

    it('pays an order by its id, and a checkout page', async () => {
      const order = await cli.json(
        'orders create-order --pay-blockchain base --pay-token USDC --settle-chain base --settle-token USDC --merchant-address 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --merchant-amount 1000000 --fee-receiver 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC --fee-amount 5000 --merchant-id cli --payer-address 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      );
      const asked = await cli.run(`pay ${order.order_id}`);
      expect([asked.code, asked.out]).toEqual([2, '']);
      expect(asked.note).toContain('1.005 USDC');
      expect((await cli.run(`pay ${order.order_id} --yes --max 1`)).code).toBe(1);
      expect(await cli.json(`pay ${order.order_id} --yes --max 1.005`)).toMatchObject({ status: 'settled' });
      expect((await cli.run(`pay ${order.order_id} --yes`)).note).toContain('is settled');
      const request = await cli.json(
        'payment-requests create-payment-request --amount 2000000 --currency USDC --chain base',
      );
      expect(await cli.json(`pay ${given().url}/checkout/${request.id} --yes`)).toMatchObject({
        status: 'settled',
      });
    }, 480_000);

    it('pays an order on Solana, a PayLink on TON, and the demo resource by exact on Solana', async () => {
      const accounts = await networkAccounts(given().url);
      const [solana, ton] = ['solana', 'ton'].map((family) => (role: string) => accounts(family, role));
      const order = await cli.json(
        `orders create-order --pay-blockchain solana --pay-token USDC --settle-chain solana --settle-token USDC --merchant-address ${solana!('merchant')} --merchant-amount 1000000 --fee-receiver ${solana!('fee_receiver')} --fee-amount 5000 --merchant-id cli --payer-address ${solana!('payer')}`,
      );
      const link = await cli.json(
        `paylinks create-paylink --name Tea --description Green --amount 1300000 --token USDT --network ton --receive-address ${ton!('merchant')}`,
      );
      const [settled, verified, bought] = await Promise.all([
        cli.json(`pay ${order.order_id} --yes`),
        cli.json(`pay ${given().url}/l/${link.id} --yes`),
        cli.json(`pay ${given().url}/demo/premium --scheme exact --network solana --yes --max 0.01`),
      ]);
      expect([settled.status, verified.status, bought.body.city]).toEqual(['settled', 'verified', 'Lisbon']);
    }, 480_000);

    it('pays the demo resource by a nano-payment, once per response', async () => {
      const paid = await cli.json(`pay ${given().url}/demo/premium --scheme ton-nanopay --yes --max 0.01`);
      expect(paid).toMatchObject({ status: 200, body: { city: 'Lisbon' }, receipt: { success: true } });
      const rejected = await cli.run(
        `pay ${given().url}/demo/premium --scheme ton-nanopay --yes --max 0.0001`,
      );
      expect(rejected).toMatchObject({ code: 1, out: '' });
    }, 480_000);

    it('buys a service with a POST request, and shows the token that reads it', async () => {
      const sms = `${given().url}/sms/number`;
      const { code, out } = await cli.run(`gate --method POST ${sms}`);
      expect([code, out]).toEqual([0, expect.stringContaining('ton-nanopay')]);
      expect((await cli.run(`pay ${sms} --yes`)).note).toContain('--method: GET was sent');
      const bought = await cli.json(`pay ${sms} --data {"service":"tg","country":44} --yes --max 2`);
      expect(bought).toMatchObject({ status: 200, body: { number: expect.any(String) } });
      const headers = { 'purchase-token': bought.purchase_token };
      const read = await fetch(`${given().url}/sms/status/${bought.body.id}`, { headers });
      expect(read.status).toBe(200);
    }, 480_000);

    it('pays a seller with the official scheme exact, and shows the exchange', async () => {
      const seller = await exactSeller(given().url);
      try {
        expect((await cli.run(`gate ${seller.url}/report`)).out).toContain('exact   eip155:8453  2500');
        const { code, out } = await cli.run(`gate --debug ${seller.url}/report --yes --max 0.01`);
        expect(code).toBe(0);
        for (const line of [/^client +seller +facilitator$/m, /-GET \/report-+>/, /<-+402 \(\d+ ms\)-/])
          expect(out).toMatch(line);
        expect(out).toContain('"value": "2500"');
        expect(out).toMatch(/<-+settled 0x[0-9a-f]{8}…-/);
        expect(out).toMatch(/<-+200 \(\d+ ms\)-/);
        expect(seller.settled).toHaveLength(1);
      } finally {
        seller.close();
      }
    }, 480_000);
  });
}

/** The address of a role on a local network. */
async function networkAccounts(gateway: string) {
  const { networks } = (await (await fetch(`${gateway}/sandbox`)).json()) as any;
  return (family: string, role: string): string =>
    networks
      .find((network: any) => network.family === family)
      .accounts.find((account: any) => account.role === role).address;
}

/** A seller that accepts `exact` with the gateway as its facilitator. */
async function exactSeller(gateway: string) {
  const { chains, merchant } = (await (await fetch(`${gateway}/sandbox`)).json()) as any;
  const asset = chains[0].tokens.find(({ symbol }: { symbol: string }) => symbol === 'USDC').address;
  const offer = {
    scheme: 'exact',
    network: 'eip155:8453',
    asset,
    amount: '2500',
    payTo: merchant.wallet,
    maxTimeoutSeconds: 60,
    extra: { name: 'USD Coin', version: '2' },
  };
  const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
  const settled: string[] = [];
  const { server, url } = await serve(async ({ headers }) => {
    const given = headers['payment-signature'];
    const demand = {
      x402Version: 2,
      resource: { url: `${url}/report`, description: 'A report' },
      accepts: [offer],
    };
    if (given === undefined)
      return { status: 402, headers: { 'payment-required': base64(demand) }, body: {} };
    const paymentPayload = JSON.parse(Buffer.from(String(given), 'base64').toString());
    const body = JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements: offer });
    const json = { 'content-type': 'application/json' };
    const ask = async (path: string): Promise<any> =>
      (await fetch(gateway + path, { method: 'POST', headers: json, body })).json();
    const verified = await ask('/verify');
    if (!verified.isValid) return { status: 402, body: verified };
    const settlement = await ask('/settle');
    if (settlement.success) settled.push(settlement.transaction);
    return {
      status: settlement.success ? 200 : 402,
      headers: { 'payment-response': base64(settlement) },
      body: { report: 'all is well' },
    };
  });
  return { url, settled, close: () => server.close() };
}
