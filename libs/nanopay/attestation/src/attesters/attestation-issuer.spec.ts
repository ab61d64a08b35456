import { signingKey } from '@tollbridge/nanopay-protocol';
import { reportData } from '../document/report-data';
import { AttestationIssuer, type AttestationIssuerOptions } from './attestation-issuer';
import { AttestationUnavailable, type Attester, type Evidence } from './attester';

const identity = { network: 'ton-mainnet', verifyingContract: `0:${'11'.repeat(32)}`, keyEpoch: 1 };
const key = signingKey(Buffer.alloc(32, 1));
const evidence: Evidence = {
  attested: true,
  quote: 'ab',
  eventLog: [],
  measurements: null,
  appId: null,
  composeHash: null,
};

/** An issuer with a fake agent that records the report data of each quote request, and with a manual clock. */
function issuer(options: Partial<AttestationIssuerOptions> = {}) {
  const asked: Buffer[] = [];
  const harness = { nowMs: Date.parse('2026-11-22T12:00:00Z'), fails: false, seq: 0n, asked };
  const attester: Attester = {
    mode: 'tdx',
    quote: async (data) => {
      asked.push(data);
      await Promise.resolve();
      if (harness.fails) throw new AttestationUnavailable('agent_unavailable', 'no agent');
      return evidence;
    },
  };
  const made = new AttestationIssuer({
    attester,
    identity,
    key,
    nowMs: () => harness.nowMs,
    ledger: () => ({ seq: harness.seq, head: Buffer.alloc(32) }),
    ...options,
  });
  return { made, harness };
}
const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'answered',
    (error: AttestationUnavailable) => error.code,
  );
const nonceOf = (index: number) => index.toString(16).padStart(32, '0');

it('AttestationIssuer requests a quote for key, deployment and nonce', async () => {
  const { made, harness } = issuer();
  const document = await made.attest(nonceOf(1));
  const teePublicKey = key.publicKey.toString('hex');
  const wanted = reportData({ ...identity, teePublicKey, nonce: nonceOf(1) });
  expect(harness.asked).toEqual([wanted]);
  expect(document).toMatchObject({
    nonce: nonceOf(1),
    network: 'tvm:-239',
    quote: 'ab',
    attested: true,
  });
  expect((await made.attest()).nonce).toBeNull();
});

it('AttestationIssuer treats upper- and lower-case digits of a nonce as equal', async () => {
  const { made, harness } = issuer();
  expect((await made.attest('AB')).nonce).toBe('ab');
  await made.attest('ab');
  expect(harness.asked).toHaveLength(1);
});

it('AttestationIssuer reuses a document for 30 seconds and makes a new one before it expires', async () => {
  const { made, harness } = issuer();
  const first = await made.attest(nonceOf(1));
  harness.nowMs += 29_999;
  harness.seq = 5n;
  expect(await made.attest(nonceOf(1))).toBe(first);
  harness.nowMs += 1;
  const second = await made.attest(nonceOf(1));
  expect(second).not.toEqual(first);
  expect(second.ledger.seq).toBe('5');
  expect(Date.parse(second.expiresAt) - harness.nowMs).toBe(60_000);
  expect(harness.asked).toHaveLength(2);
});

it('AttestationIssuer dates a document with the time before its quote', async () => {
  const { made, harness } = issuer({
    attester: {
      mode: 'tdx',
      quote: async () => {
        harness.nowMs += 3_000;
        return evidence;
      },
    },
  });
  const started = harness.nowMs;
  expect(Date.parse((await made.attest()).issuedAt)).toBe(started);
});

it('AttestationIssuer requests one quote for concurrent calls with the same nonce', async () => {
  const { made, harness } = issuer();
  const documents = await Promise.all(Array.from({ length: 100 }, () => made.attest(nonceOf(1))));
  expect(new Set(documents).size).toBe(1);
  expect(harness.asked).toHaveLength(1);
});

it('AttestationIssuer fails without an expired document while the agent does not answer', async () => {
  const { made, harness } = issuer();
  await made.attest();
  harness.fails = true;
  harness.nowMs += 29_999;
  expect(await codeOf(made.attest())).toBe('answered');
  harness.nowMs += 1;
  for (let second = 0; second < 5; second++) {
    expect(await codeOf(made.attest())).toBe('agent_unavailable');
    harness.nowMs += 1_000;
  }
  harness.fails = false;
  expect(await codeOf(made.attest())).toBe('answered');
});

it('AttestationIssuer pauses after a failure of the agent', async () => {
  const { made, harness } = issuer();
  harness.fails = true;
  for (let index = 0; index < 50; index++) expect(await codeOf(made.attest())).toBe('agent_unavailable');
  expect(harness.asked).toHaveLength(1);
  harness.nowMs += 1_000;
  harness.fails = false;
  expect(await codeOf(made.attest())).toBe('answered');
});

it('AttestationIssuer limits quotes per minute, except for the shared document without a nonce', async () => {
  const { made, harness } = issuer({ quotesPerMinute: 60, burst: 3 });
  const codes = await Promise.all(
    Array.from({ length: 100 }, (_, index) => codeOf(made.attest(nonceOf(index)))),
  );
  expect(codes.filter((code) => code === 'answered')).toHaveLength(3);
  expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(97);
  await expect(made.attest(nonceOf(200))).rejects.toMatchObject({ retryAfterMs: 1_000 });
  expect(await codeOf(made.attest())).toBe('answered');
  expect(await codeOf(made.attest(nonceOf(0)))).toBe('answered');
  harness.nowMs += 1_000;
  expect(await codeOf(made.attest(nonceOf(201)))).toBe('answered');
  expect(await codeOf(made.attest(nonceOf(202)))).toBe('rate_limited');
});

it('AttestationIssuer bounds the cache and never evicts the shared document', async () => {
  const { made, harness } = issuer({ quotesPerMinute: 1e9, burst: 1e9 });
  await made.attest();
  for (let index = 0; index < 1_000; index++) await made.attest(nonceOf(index));
  expect((made as unknown as { cached: Map<string, unknown> }).cached.size).toBeLessThanOrEqual(64);
  const before = harness.asked.length;
  await made.attest();
  await made.attest(nonceOf(999));
  expect(harness.asked).toHaveLength(before);
});

it.each(['', 'x', 'abc', 'ab'.repeat(65), ' ab', 'ab\n'])(
  'AttestationIssuer rejects the nonce %j without requesting a quote',
  async (nonce) => {
    const { made, harness } = issuer();
    expect(await codeOf(made.attest(nonce))).toBe('nonce_invalid');
    expect(harness.asked).toHaveLength(0);
  },
);
