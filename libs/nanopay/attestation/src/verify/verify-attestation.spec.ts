import { signingKey } from '@tollbridge/nanopay-protocol';
import type { AttestationDocument } from '../document/document';
import { reportData } from '../document/report-data';
import { AttestedHarness, event, image, systemEvents, type Made } from '../testing/attested-harness';
import {
  verifyAttestation,
  verifyAttestationBy,
  type ExpectedAttestation,
  type VerificationParts,
} from './verify-attestation';

const harness = new AttestedHarness();
const { now, nonce, expected } = harness;

const check = (
  document: unknown,
  wanted: ExpectedAttestation = expected,
  parts: Partial<VerificationParts> = {},
  by = harness,
) => verifyAttestationBy(by.verifyQuote, document, wanted, { now, ...parts });
const reasonOf = async (...parts: Parameters<typeof check>) => {
  const verdict = await check(...parts);
  return verdict.ok ? 'accepted' : verdict.reason;
};
const reasonOfMade = (made: Made) => reasonOf(harness.document(made));

it('verifyAttestationBy accepts a fresh document of the expected enclave on genuine hardware', async () => {
  expect(await check(harness.document())).toEqual({
    ok: true,
    attested: true,
    mode: 'tdx',
    teePublicKey: harness.key.publicKey.toString('hex'),
    keyEpoch: 4,
    ledger: { seq: '7', head: '08'.repeat(32) },
    tcbStatus: 'UpToDate',
    advisoryIds: [],
    measurements: expect.objectContaining(image),
    expiresAt: new Date(now.getTime() + 60_000),
  });
});

it('verifyAttestationBy accepts the document as text and as bytes', async () => {
  const text = JSON.stringify(harness.document());
  expect(await reasonOf(text)).toBe('accepted');
  expect(await reasonOf(Buffer.from(text))).toBe('accepted');
});

it('verifyAttestation trusts only the root of the real vendor', async () => {
  expect(await verifyAttestation(harness.document(), expected, { now })).toMatchObject({
    ok: false,
    reason: 'certificate_untrusted',
  });
});

describe('verification of the hardware', () => {
  it('rejects a quote without a valid signature of the hardware', async () => {
    const document = harness.document();
    const digit = document.quote![1140] === '0' ? '1' : '0';
    const quote = `${document.quote!.slice(0, 1140)}${digit}${document.quote!.slice(1141)}`;
    expect(await reasonOf(harness.resigned(document, { quote }))).toBe('quote_signature_invalid');
    expect(await reasonOf(harness.resigned(document, { quote: null }))).toBe('quote_malformed');
  });

  it("requires collateral and prefers the seller's collateral", async () => {
    const { collateral: _, ...without } = harness.document();
    const document = harness.resigned(without as AttestationDocument, {});
    expect(await reasonOf(document)).toBe('collateral_missing');
    expect(await reasonOf(document, expected, { collateral: harness.vendor.collateral })).toBe('accepted');
    const other = new AttestedHarness().vendor.collateral;
    expect(await reasonOf(harness.document(), expected, { collateral: other })).toBe('certificate_untrusted');
  });

  it('accepts an outdated platform only when the seller lists each advisory', async () => {
    const weak = new AttestedHarness({ tcbStatus: 'SWHardeningNeeded', advisoryIds: ['INTEL-SA-00615'] });
    const document = weak.document();
    const reason = (acceptedTcb?: ExpectedAttestation['acceptedTcb']) =>
      reasonOf(document, acceptedTcb ? { ...expected, acceptedTcb } : expected, {}, weak);
    expect(await reason()).toBe('tcb_status_refused');
    expect(await reason({ SWHardeningNeeded: ['INTEL-SA-00001'] })).toBe('tcb_status_refused');
    expect(await reason({ SWHardeningNeeded: ['INTEL-SA-00615'] })).toBe('accepted');
  });

  it('rejects collateral of an older evaluation than the seller requires', async () => {
    expect(await reasonOf(harness.document(), { ...expected, leastTcbEvaluation: 18 })).toBe(
      'collateral_outdated',
    );
    expect(await reasonOf(harness.document(), { ...expected, leastTcbEvaluation: 17 })).toBe('accepted');
  });

  it('rejects a debug machine', async () => {
    const tdAttributes = Buffer.from('0100001000000000', 'hex');
    expect(await reasonOfMade({ report: { tdAttributes } })).toBe('debug_enabled');
  });
});

describe('verification of the machine', () => {
  it.each(['mrtd', 'rtmr0', 'rtmr1', 'rtmr2'] as const)('rejects a different %s', async (name) => {
    expect(await reasonOfMade({ report: { [name]: 'ee'.repeat(48) } })).toBe('measurements_mismatch');
  });

  it('rejects registers that mix two allowed images', async () => {
    const other = {
      mrtd: 'd1'.repeat(48),
      rtmr0: 'd0'.repeat(48),
      rtmr1: 'd2'.repeat(48),
      rtmr2: 'd3'.repeat(48),
    };
    const machine = { ...expected.machine, images: [image, other] };
    const mixed = harness.document({ report: { rtmr2: other.rtmr2 } });
    expect(await reasonOf(mixed, { ...expected, machine })).toBe('measurements_mismatch');
    expect(await reasonOf(harness.document({ report: other }), { ...expected, machine })).toBe('accepted');
  });

  it('rejects an event log that differs from the measured one', async () => {
    const document = harness.document();
    const [first, ...rest] = document.eventLog;
    const logs = [rest, [...document.eventLog, event('more', '')], [...rest, first!], []];
    for (const eventLog of logs)
      expect(await reasonOf(harness.resigned(document, { eventLog }))).toBe('event_log_mismatch');
  });

  it('rejects an event digest that differs from its content', async () => {
    // The digests replay to the register, but the payloads of the application do not match them.
    const document = harness.document({
      events: replaced('compose-hash', event('compose-hash', 'ee'.repeat(32))),
    });
    const eventLog = document.eventLog.map((it) =>
      it.event === 'compose-hash' ? { ...it, event_payload: 'c0'.repeat(32) } : it,
    );
    expect(await reasonOf(harness.resigned(document, { eventLog }))).toBe('event_log_mismatch');
    const honest = harness.document();
    const [first, ...rest] = honest.eventLog;
    const misnamed = [{ ...first!, digest: 'ee'.repeat(48) }, ...rest];
    expect(await reasonOf(harness.resigned(honest, { eventLog: misnamed }))).toBe('event_log_mismatch');
    const silent = eventLog.map((it) => ({ ...it, digest: '' }));
    expect(await reasonOf(harness.resigned(document, { eventLog: silent }))).toBe('event_log_mismatch');
  });

  const replaced = (name: string, ...by: ReturnType<typeof event>[]) =>
    systemEvents.flatMap((it) => (it.event === name ? by : [it]));

  it.each(['compose-hash', 'app-id', 'key-provider', 'os-image-hash'])(
    'rejects a different or missing %s',
    async (name) => {
      const other = replaced(name, event(name, 'ee'.repeat(32)));
      expect(await reasonOfMade({ events: other })).toBe('event_mismatch');
      expect(await reasonOfMade({ events: replaced(name) })).toBe('event_log_incomplete');
    },
  );

  it('rejects events of the application instead of events of the system', async () => {
    const compose = event('compose-hash', 'c0'.repeat(32));
    const bad = event('compose-hash', 'ee'.repeat(32));
    const late = [...replaced('compose-hash', bad), compose];
    expect(await reasonOfMade({ events: late })).toBe('event_log_incomplete');
    const onlyLate = [...replaced('os-image-hash'), event('os-image-hash', '05'.repeat(32))];
    expect(await reasonOfMade({ events: onlyLate })).toBe('event_log_incomplete');
    expect(await reasonOfMade({ events: replaced('system-ready') })).toBe('event_log_incomplete');
  });

  it('accepts additional events of the application', async () => {
    expect(await reasonOfMade({ events: [...systemEvents, event('payouts', 'ab')] })).toBe('accepted');
  });

  it('accepts an event log of version 2 and an event log without digests', async () => {
    const newer = systemEvents.map((it) => event(it.event, it.event_payload, 2));
    expect(await reasonOfMade({ events: newer })).toBe('accepted');
    expect(await reasonOfMade({ events: systemEvents.map((it) => ({ ...it, digest: '' })) })).toBe(
      'accepted',
    );
  });

  it('accepts a system without a measured image hash when the seller pins only its registers', async () => {
    const document = harness.document({ events: replaced('os-image-hash') });
    const machine = { ...expected.machine, osImageHashes: null };
    expect(await reasonOf(document, { ...expected, machine })).toBe('accepted');
  });

  it('rejects claims of the document that differ from its quote', async () => {
    const document = harness.document();
    const lies = [
      { measurements: { ...document.measurements!, rtmr1: 'ee'.repeat(48) } },
      { measurements: null },
      { appId: 'ee'.repeat(20) },
      { appId: null },
      { composeHash: 'ee'.repeat(32) },
    ];
    for (const lie of lies)
      expect(await reasonOf(harness.resigned(document, lie))).toBe('document_inconsistent');
  });
});

describe('verification of the nonce', () => {
  it('rejects the nonce of another seller', async () => {
    expect(await reasonOfMade({ nonce: '5f'.repeat(16) })).toBe('nonce_mismatch');
    expect(await reasonOfMade({ nonce: null })).toBe('nonce_mismatch');
  });

  it('rejects a newly signed document with an old quote', async () => {
    const old = harness.document({ nonce: '5f'.repeat(16) });
    const renewed = harness.resigned(old, { nonce });
    expect(await reasonOf(renewed)).toBe('report_data_mismatch');
    const current = { nonce, reportData: harness.document().reportData };
    expect(await reasonOf(harness.resigned(old, current))).toBe('report_data_mismatch');
  });

  it('rejects a nonce that is too short', async () => {
    for (const short of ['', '5e', '5e'.repeat(15), '5E'.repeat(16), '5e'.repeat(65)])
      expect(await reasonOf(harness.document(), { ...expected, nonce: short })).toBe('expectation_invalid');
  });
});

describe('verification of the deployment', () => {
  it.each([
    ['network', { network: 'tvm:-3' }, 'network_mismatch'],
    ['contract', { verifyingContract: `0:${'22'.repeat(32)}` }, 'contract_mismatch'],
    ['older epoch of the key', { keyEpoch: 3 }, 'key_epoch_too_old'],
  ])('rejects a different %s', async (_what, identity, reason) => {
    expect(await reasonOfMade({ identity })).toBe(reason);
    // The document is also rejected when it claims the expected identity beside a quote of another enclave.
    const claimed = harness.resigned(harness.document({ identity }), harness.identity);
    expect(await reasonOf(claimed)).toBe('report_data_mismatch');
  });

  it('accepts a newer epoch of the key', async () => {
    expect(await reasonOfMade({ identity: { keyEpoch: 5 } })).toBe('accepted');
  });

  it('rejects a key that differs from the known receipt key', async () => {
    const receiptKey = harness.key.publicKey.toString('hex');
    expect(await reasonOf(harness.document(), { ...expected, receiptKey })).toBe('accepted');
    const other = signingKey(Buffer.alloc(32, 4)).publicKey.toString('hex');
    expect(await reasonOf(harness.document(), { ...expected, receiptKey: other })).toBe(
      'receipt_key_mismatch',
    );
  });
});

describe('verification of the document', () => {
  it('rejects a change of any field after the signature', async () => {
    const document = harness.document();
    const stranger = signingKey(Buffer.alloc(32, 4));
    const changes: Partial<AttestationDocument>[] = [
      { ledger: { seq: '8', head: '08'.repeat(32) } },
      { warning: 'nothing to see' },
      { expiresAt: new Date(now.getTime() + 59_000).toISOString() },
      { isDevelopment: true },
    ];
    for (const change of changes)
      expect(await reasonOf({ ...document, ...change })).toBe('document_signature_invalid');
    expect(await reasonOf(harness.resigned(document, {}, stranger))).toBe('document_signature_invalid');
    const transplanted = { teePublicKey: stranger.publicKey.toString('hex') };
    expect(await reasonOf(harness.resigned(document, transplanted, stranger))).toBe('report_data_mismatch');
  });

  it("rejects a document that is stale by the seller's clock", async () => {
    const document = harness.document();
    const at = (ms: number) => reasonOf(document, expected, { now: new Date(now.getTime() + ms) });
    expect(await at(-5_000)).toBe('accepted');
    expect(await at(-5_001)).toBe('not_yet_valid');
    expect(await at(59_999)).toBe('accepted');
    expect(await at(60_000)).toBe('expired');
  });

  it('rejects a lifetime of more than a minute', async () => {
    const expiresAt = new Date(now.getTime() + 60_001).toISOString();
    expect(await reasonOf(harness.resigned(harness.document(), { expiresAt }))).toBe('expired');
  });
});

describe('a document without hardware', () => {
  const unattested = harness.document({ mode: 'none', evidence: null });
  const simulated = harness.document({ mode: 'tdx-simulator' });
  const unverified = harness.document({ evidence: { attested: false, warning: 'no collateral' } });
  const allowing = { ...expected, allowUnattested: true } as const;

  it('rejects a document without hardware, of a simulator, or with a quote that it does not claim', async () => {
    for (const document of [unattested, simulated, unverified]) {
      expect(document.attested).toBe(false);
      expect(await reasonOf(document)).toBe('not_attested');
    }
  });

  it('accepts the document as not attested with allowUnattested', async () => {
    for (const document of [unattested, simulated, unverified]) {
      const verdict = await check(document, allowing);
      expect(verdict).toMatchObject({ ok: true, attested: false, mode: document.mode });
      expect(verdict.ok && !verdict.attested && verdict.warning).toBeTruthy();
      expect(verdict).not.toHaveProperty('tcbStatus');
    }
  });

  it('verifies signature, freshness and nonce also with allowUnattested', async () => {
    const reason = (document: unknown, at = now) => reasonOf(document, allowing, { now: at });
    expect(await reason({ ...unattested, keyEpoch: 9 })).toBe('report_data_mismatch');
    expect(await reason({ ...unattested, warning: 'all is well' })).toBe('document_signature_invalid');
    expect(await reason(unattested, new Date(now.getTime() + 60_000))).toBe('expired');
    expect(await reason(unattested, new Date(NaN))).toBe('not_yet_valid');
    expect(await reason(harness.document({ mode: 'none', evidence: null, nonce: null }))).toBe(
      'nonce_mismatch',
    );
  });

  it('rejects a weak key, because its signatures need no private key', async () => {
    const teePublicKey = `01${'00'.repeat(31)}`;
    const made = reportData({ ...harness.identity, teePublicKey, nonce }).toString('hex');
    expect(await reasonOf({ ...unattested, teePublicKey, reportData: made }, allowing)).toBe('weak_key');
  });

  it('rejects the document when it claims to be attested', async () => {
    for (const document of [unattested, simulated]) {
      const claimed = harness.resigned(document, { attested: true });
      expect(await reasonOf(claimed)).toBe('mode_unsupported');
      expect(await reasonOf(claimed, allowing)).toBe('mode_unsupported');
    }
    for (const mode of ['nitro', 'sev-snp'] as const)
      expect(await reasonOf(harness.resigned(harness.document(), { mode }))).toBe('mode_unsupported');
  });

  it('verifies the hardware with allowUnattested when the document has a quote and the seller specifies a machine', async () => {
    expect(await check(harness.document(), allowing)).toMatchObject({ ok: true, attested: true });
    const foreign = harness.document({ report: { mrtd: 'ee'.repeat(48) } });
    expect(await reasonOf(foreign, allowing)).toBe('measurements_mismatch');
    const { machine: _, ...careless } = allowing;
    expect(await check(harness.document(), careless)).toMatchObject({ ok: true, attested: false });
  });

  it('rejects the document when the seller specifies no machine', async () => {
    const { machine: _, ...careless } = expected;
    expect(await reasonOf(harness.document(), careless as ExpectedAttestation)).toBe('expectation_invalid');
  });
});
