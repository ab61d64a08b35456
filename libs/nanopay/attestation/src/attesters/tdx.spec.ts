import { DstackClient } from '@phala/dstack-sdk';
import { signingKey } from '@tollbridge/nanopay-protocol';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { AttestedHarness, image, systemEvents } from '../testing/attested-harness';
import { startDstackSimulator, type DstackSimulator } from '../testing/dstack-simulator';
import { soundReport } from '../testing/test-vendor';
import { replayEvents } from '../verify/event-log';
import { readTdxQuote } from '../verify/quote-v4';
import { askLibrary, verifyTdxQuote, verifyTdxQuoteUnder } from '../verify/tdx-quote';
import { AttestationIssuer } from './attestation-issuer';
import { tdxAttester, type TdxAttesterOptions } from './tdx';

const data = Buffer.alloc(64, 5);
const environment = {};
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function simulator(options: Parameters<typeof startDstackSimulator>[0] = {}): Promise<DstackSimulator> {
  const running = await startDstackSimulator(options);
  closing.push(() => running.close());
  return running;
}

describe('startDstackSimulator', () => {
  it('answers the official client over a socket and over HTTP', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dstack-'));
    closing.push(() => rm(folder, { recursive: true }));
    const seed = Buffer.alloc(32, 1);
    const agents = [
      await simulator({ socketPath: join(folder, 'dstack.sock'), seed }),
      await simulator({ seed }),
    ];
    const keys = await Promise.all(
      agents.map(async ({ endpoint, appId }) => {
        const client = new DstackClient(endpoint);
        expect(await client.isReachable()).toBe(true);
        expect(await client.version()).toMatchObject({ rev: 'simulator' });
        expect(await client.info()).toMatchObject({ app_id: appId, cloud_vendor: 'simulator' });
        const quote = await client.getQuote(data);
        expect(quote.replayRtmrs()[3]).toBe(readTdxQuote(Buffer.from(quote.quote, 'hex')).report.rtmr3);
        const signed = await client.sign('ed25519', 'text');
        expect(await client.verify('ed25519', 'text', signed.signature, signed.public_key)).toMatchObject({
          valid: true,
        });
        expect(await client.verify('ed25519', 'texT', signed.signature, signed.public_key)).toMatchObject({
          valid: false,
        });
        return (await client.getKey('a', 'b', 'ed25519')).key;
      }),
    );
    expect(keys[0]).toHaveLength(32);
    expect(keys[1]).toEqual(keys[0]);
    const client = new DstackClient(agents[0]!.endpoint);
    expect((await client.getKey('other', 'b', 'ed25519')).key).not.toEqual(keys[0]);
  });

  it('adds an emitted event to RTMR3', async () => {
    const client = new DstackClient((await simulator()).endpoint);
    const before = (await client.getQuote(data)).replayRtmrs()[3];
    await client.emitEvent('payouts', 'x');
    const after = await client.getQuote(data);
    expect(after.replayRtmrs()[3]).not.toBe(before);
    expect(readTdxQuote(Buffer.from(after.quote, 'hex')).report.rtmr3).toBe(after.replayRtmrs()[3]);
  });

  it('rejects an unknown key type and oversized report data', async () => {
    const client = new DstackClient((await simulator()).endpoint);
    await expect(client.getKey('a', 'b', 'rsa')).rejects.toThrow();
    await expect(client.getQuote(Buffer.alloc(65))).rejects.toThrow('too large');
  });

  it('does not pass for hardware: its quotes are of a debug machine and under no trusted root', async () => {
    const client = new DstackClient((await simulator({ saysWhatItIs: false })).endpoint);
    const quote = Buffer.from((await client.getQuote(data)).quote, 'hex');
    const { vendor, now } = new AttestedHarness();
    expect(await verifyTdxQuote(quote, vendor.collateral, now)).toMatchObject({
      reason: 'certificate_untrusted',
    });
    expect(await verifyTdxQuoteUnder(vendor.trust, quote, vendor.collateral, now)).toMatchObject({
      reason: 'certificate_untrusted',
    });
    await expect(askLibrary(quote, vendor.collateral, { root: vendor.root, now })).rejects.toThrow();
    expect(readTdxQuote(quote).report.tdAttributes[0]).toBe(1);
  });
});

describe('tdxAttester with a simulator', () => {
  it.each<[string, (endpoint: string) => TdxAttesterOptions, boolean]>([
    ['by the setting', (endpoint) => ({ endpoint, isSimulator: true, environment }), false],
    ['by the environment', (endpoint) => ({ environment: { DSTACK_SIMULATOR_ENDPOINT: endpoint } }), false],
    ['by the vendor name of the agent', (endpoint) => ({ endpoint, environment }), true],
  ])('reports mode tdx-simulator %s', async (_how, options, saysWhatItIs) => {
    const { endpoint, appId, composeHash } = await simulator({ saysWhatItIs });
    const attester = await tdxAttester(options(endpoint));
    expect(attester.mode).toBe('tdx-simulator');
    expect(await attester.quote(data)).toMatchObject({
      attested: false,
      appId,
      composeHash,
      warning: expect.stringContaining('simulator'),
      quote: expect.stringMatching(/^0400/),
    });
  });

  it('omits a recorded quote of other report data', async () => {
    const { endpoint } = await recordedAgent(Buffer.alloc(64, 6));
    const attester = await tdxAttester({ endpoint, isSimulator: true, environment });
    expect(await attester.quote(data)).toMatchObject({ attested: false, quote: null, measurements: null });
  });

  it('does not attest a simulator that is not declared as one', async () => {
    const { endpoint } = await simulator({ saysWhatItIs: false });
    const { vendor, now } = new AttestedHarness();
    const collateral = async () => vendor.collateral;
    const attester = await tdxAttester({ endpoint, environment, collateral, now: () => now });
    expect(attester.mode).toBe('tdx');
    expect(await attester.quote(data)).toMatchObject({
      attested: false,
      warning: 'The quote does not verify: certificate_untrusted.',
    });
  });

  it('gets the same key from the agent at every start', async () => {
    const seed = Buffer.alloc(32, 1);
    const [first, second] = [await simulator({ seed }), await simulator({ seed })];
    const seeds = await Promise.all(
      [first, second].map(async ({ endpoint }) => {
        const attester = await tdxAttester({ endpoint, environment });
        return attester.keySeed!();
      }),
    );
    expect(seeds[0]).toHaveLength(32);
    expect(seeds[1]).toEqual(seeds[0]);
    const other = await tdxAttester({ endpoint: first.endpoint, environment, keyPath: 'other' });
    expect(await other.keySeed!()).not.toEqual(seeds[0]);
  });
});

/** A fake agent with a quote of the test vendor, which counts as hardware here. */
async function recordedAgent(quoted?: Buffer, harness = new AttestedHarness(), measured = systemEvents) {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { report_data?: string };
      const reportData = quoted ?? Buffer.from(body.report_data ?? '', 'hex');
      const rtmr3 = replayEvents(measured).toString('hex');
      const quote = () =>
        harness.vendor.quote({ ...image, rtmr3, reportData, ...soundReport }).toString('hex');
      // The agent's format: foreign events have no payload, and its own events have a preimage but no digest.
      const others = { imr: 0, event_type: 1, digest: '00'.repeat(48), event: '', event_payload: '' };
      const ours = systemEvents.map((it) => ({ ...it, digest: '', preimage: 'ab' }));
      const answers: Record<string, () => object> = {
        '/Info': () => ({ app_id: 'a0'.repeat(20), compose_hash: 'c0'.repeat(32), tcb_info: '{}' }),
        '/GetQuote': () => ({ quote: quote(), event_log: JSON.stringify([others, ...ours]) }),
      };
      response.end(JSON.stringify(answers[request.url!]!()));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => void server.close());
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, harness };
}

describe('tdxAttester with hardware', () => {
  const attesterOf = async (options: Partial<TdxAttesterOptions> = {}, made = recordedAgent()) => {
    const { endpoint, harness } = await made;
    const attester = await tdxAttester({
      endpoint,
      environment,
      verifyQuote: harness.verifyQuote,
      now: () => harness.now,
      collateral: async () => harness.vendor.collateral,
      ...options,
    });
    return { attester, harness };
  };

  it('attests when its own quote verifies', async () => {
    const { attester, harness } = await attesterOf();
    expect(attester.mode).toBe('tdx');
    const evidence = await attester.quote(data);
    expect(evidence).toMatchObject({
      attested: true,
      measurements: image,
      collateral: harness.vendor.collateral,
    });
    expect(evidence!.eventLog.map(({ event }) => event)).toEqual(systemEvents.map(({ event }) => event));
  });

  it.each<[string, Partial<TdxAttesterOptions>]>([
    ['it has no collateral', { collateral: async () => undefined }],
    ['its collateral cannot be loaded', { collateral: () => Promise.reject(new Error('offline')) }],
    ['its collateral is invalid', { collateral: async () => ({}) }],
    ['its collateral has expired', { now: () => new Date('2027-06-01T00:00:00Z') }],
    ['it is verified under the real root', { verifyQuote: verifyTdxQuote }],
  ])('does not attest when %s, but includes the quote', async (_case, options) => {
    const { attester } = await attesterOf(options);
    const evidence = await attester.quote(data);
    expect(evidence).toMatchObject({
      attested: false,
      quote: expect.any(String),
      warning: expect.any(String),
    });
  });

  it('attests on an outdated platform only when its status is accepted by name', async () => {
    const harness = new AttestedHarness({ tcbStatus: 'SWHardeningNeeded', advisoryIds: ['A'] });
    const behind = () => recordedAgent(undefined, harness);
    const { attester } = await attesterOf({}, behind());
    expect(await attester.quote(data)).toMatchObject({
      attested: false,
      warning: 'The platform is SWHardeningNeeded.',
    });
    const accepting = await attesterOf({ acceptedTcb: { SWHardeningNeeded: ['A'] } }, behind());
    expect(await accepting.attester.quote(data)).toMatchObject({ attested: true });
  });

  it('fails when the agent quotes other report data or another event log', async () => {
    const { attester } = await attesterOf({}, recordedAgent(Buffer.alloc(64, 6)));
    await expect(attester.quote(data)).rejects.toMatchObject({ code: 'agent_unavailable' });
    const other = await attesterOf({}, recordedAgent(undefined, undefined, systemEvents.slice(1)));
    await expect(other.attester.quote(data)).rejects.toMatchObject({ code: 'agent_unavailable' });
  });
});

describe('tdxAttester without an answer of the agent', () => {
  it.each(['silent', 'rejects', 'babbles'] as const)(
    'fails with the agent behaviour %s',
    async (behaviour) => {
      const agent = await simulator();
      const timeoutMs = behaviour === 'silent' ? 1_000 : 30_000;
      const attester = await tdxAttester({ endpoint: agent.endpoint, environment, timeoutMs });
      agent.behaviour = behaviour;
      await expect(attester.quote(data)).rejects.toMatchObject({ code: 'agent_unavailable' });
      await expect(attester.keySeed!()).rejects.toMatchObject({ code: 'agent_unavailable' });
      await expect(tdxAttester({ endpoint: agent.endpoint, environment, timeoutMs })).rejects.toMatchObject({
        code: 'agent_unavailable',
      });
      agent.behaviour = 'answers';
      expect(await attester.quote(data)).toMatchObject({ quote: expect.any(String) });
    },
  );

  it('fails at the start without an agent, because the service needs a key', async () => {
    const missing = join(tmpdir(), 'no-such-agent.sock');
    await expect(tdxAttester({ endpoint: missing, environment })).rejects.toMatchObject({
      code: 'agent_unavailable',
    });
  });

  it('returns no document that is older than its reuse time', async () => {
    const agent = await simulator();
    const attester = await tdxAttester({ endpoint: agent.endpoint, environment });
    const clock = { nowMs: Date.parse('2026-11-22T12:00:00Z') };
    const issuer = new AttestationIssuer({
      attester,
      key: signingKey(await attester.keySeed!()),
      nowMs: () => clock.nowMs,
      identity: { network: 'ton-mainnet', verifyingContract: `0:${'11'.repeat(32)}`, keyEpoch: 1 },
      ledger: () => ({ seq: 1n, head: Buffer.alloc(32) }),
    });
    const document = await issuer.attest('5e'.repeat(16));
    expect(document).toMatchObject({ mode: 'tdx-simulator', attested: false, isDevelopment: true });
    expect(readTdxQuote(Buffer.from(document.quote!, 'hex')).report.reportData.toString('hex')).toBe(
      document.reportData,
    );
    agent.behaviour = 'rejects';
    clock.nowMs += 60_000;
    await expect(issuer.attest('5e'.repeat(16))).rejects.toMatchObject({ code: 'agent_unavailable' });
    expect(agent.quotes()).toBe(1);
  });
});
