import { AttestedHarness } from '../testing/attested-harness';
import { maxDocumentBytes, type AttestationDocument } from './document';
import { readAttestation } from './read-document';
import { reportData } from './report-data';
import { canonicalJson, documentDigest } from './sign-document';

const harness = new AttestedHarness();
const document = harness.document();

it('reportData encodes its parts in the layout of the protocol', () => {
  const made = reportData({
    teePublicKey: '03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8',
    network: 'ton-mainnet',
    verifyingContract: `0:${'11'.repeat(32)}`,
    keyEpoch: 1,
    nonce: '00'.repeat(16),
  });
  expect(made.toString('hex')).toBe(
    '0a44ee345ed3148883fff2654bf530cd5dc794e35b2dab1005cd4f4cbc197fbb' +
      '374708fff7719dd5979ec875d56cd2286f6d3cf7ec317a3b25632aab28ec37bb',
  );
});

it('reportData ends with zeros without a nonce, which differs from an empty nonce', () => {
  const parts = { ...harness.identity, teePublicKey: '00'.repeat(32) };
  expect(reportData({ ...parts, nonce: null }).subarray(32)).toEqual(Buffer.alloc(32));
  expect(reportData({ ...parts, nonce: '' }).subarray(32)).not.toEqual(Buffer.alloc(32));
});

it('reportData differs for every different part', () => {
  const parts = { ...harness.identity, teePublicKey: '00'.repeat(32), nonce: '00' };
  const made = [
    parts,
    { ...parts, teePublicKey: '01'.repeat(32) },
    { ...parts, network: 'tvm:-3' },
    { ...parts, keyEpoch: 5 },
    { ...parts, verifyingContract: `0:${'12'.repeat(32)}` },
    { ...parts, nonce: '0000' },
  ].map((it) => reportData(it).toString('hex'));
  expect(new Set(made).size).toBe(made.length);
  expect(() => reportData({ ...parts, network: 'eip155:1' })).toThrow('network');
});

it('canonicalJson is independent of the order of fields', () => {
  expect(canonicalJson({ b: [1, { d: null, c: '\u00e9"\n' }], a: true, skipped: undefined })).toBe(
    '{"a":true,"b":[1,{"c":"\u00e9\\"\\n","d":null}]}',
  );
  const turned = Object.fromEntries(Object.entries(document).reverse()) as unknown as AttestationDocument;
  expect(documentDigest(turned)).toEqual(documentDigest(document));
  expect(() => canonicalJson({ amount: 0.1 })).toThrow('integer');
  expect(() => canonicalJson(2 ** 53)).toThrow('integer');
});

it('documentDigest hashes a fixed layout that does not include the signature', () => {
  const text =
    '{"appId":null,"attested":false,"composeHash":null,"eventLog":[],"expiresAt":"2026-11-22T12:01:00.000Z",' +
    '"isDevelopment":true,"issuedAt":"2026-11-22T12:00:00.000Z","keyEpoch":1,' +
    `"ledger":{"head":"${'08'.repeat(32)}","seq":"7"},"measurements":null,"mode":"none","network":"tvm:-239",` +
    `"nonce":null,"quote":null,"reportData":"${'00'.repeat(64)}","teePublicKey":"${'00'.repeat(32)}",` +
    `"verifyingContract":"0:${'11'.repeat(32)}","version":1,"warning":"none"}`;
  const made = JSON.parse(text) as AttestationDocument;
  expect(canonicalJson(made)).toBe(text);
  // Computed by another program from the same text.
  const digest = 'fa9c97a07be76e26e0fce0f1c47547c636d00c6a3f8c88b0e8049bd7ebace412';
  expect(documentDigest(made).toString('hex')).toBe(digest);
  expect(documentDigest({ ...made, signature: 'AAAA' }).toString('hex')).toBe(digest);
});

it('readAttestation returns the built document, with the same digest', () => {
  const read = readAttestation(JSON.stringify(document));
  expect(read).toEqual(document);
  expect(documentDigest(read)).toEqual(documentDigest(document));
});

it('buildAttestation marks a document without hardware as not attested', () => {
  for (const mode of ['none', 'tdx-simulator'] as const) {
    const made = harness.document({ mode, evidence: { attested: true } });
    expect(made).toMatchObject({ attested: false, isDevelopment: true });
  }
  expect(harness.document({ mode: 'none', evidence: null })).toMatchObject({
    quote: null,
    measurements: null,
    eventLog: [],
    warning: expect.stringContaining('Nothing attests'),
  });
  expect(document).toMatchObject({ attested: true, isDevelopment: false });
});

describe('readAttestation', () => {
  const rejects = (value: unknown, words: string) => expect(() => readAttestation(value)).toThrow(words);

  it('rejects input that is not a document', () => {
    for (const value of [null, 1, true, [], 'null', '"x"', '[]']) rejects(value, 'is not an object');
    for (const value of ['', '{', 'NaN', Buffer.from([0xff, 0x00])]) rejects(value, 'is not JSON');
    rejects(' '.repeat(maxDocumentBytes + 1), 'too long');
    rejects('['.repeat(200_000), 'is not JSON');
    rejects('['.repeat(130_000) + ']'.repeat(130_000), 'is not an object');
  });

  it('rejects a missing and an unknown field', () => {
    for (const name of Object.keys(document)) {
      if (name === 'collateral') continue;
      const { [name]: _, ...without } = document as unknown as Record<string, unknown>;
      rejects(without, `has no ${name}`);
    }
    rejects({ ...document, more: 1 }, 'unknown field');
    rejects(JSON.parse(`{"__proto__":{},${JSON.stringify(document).slice(1)}`), 'unknown field');
    rejects({ ...document, ledger: { ...document.ledger, more: 1 } }, 'unknown field');
    rejects(Object.create(document), 'has no');
  });

  it.each<[string, unknown, string]>([
    ['version', 2, 'not one of the allowed values'],
    ['version', '1', 'not one of the allowed values'],
    ['mode', 'sgx', 'not one of the allowed values'],
    ['attested', 'yes', 'not one of the allowed values'],
    ['teePublicKey', 'AB'.repeat(32), 'lower-case hexadecimal'],
    ['teePublicKey', 'ab'.repeat(31), 'wrong length'],
    ['keyEpoch', -1, 'not a whole number'],
    ['keyEpoch', 1.5, 'not a whole number'],
    ['keyEpoch', '1', 'not a whole number'],
    ['network', 'ton-mainnet', 'not a CAIP-2'],
    ['network', 'eip155:1', 'not a CAIP-2'],
    ['verifyingContract', `-1:${'11'.repeat(32)}`, 'not a raw account'],
    ['verifyingContract', `0:${'AA'.repeat(32)}`, 'not a raw account'],
    ['nonce', 'ab'.repeat(65), 'too long'],
    ['nonce', 'abc', 'lower-case hexadecimal'],
    ['nonce', undefined, 'not a string'],
    ['reportData', 'ab'.repeat(63), 'wrong length'],
    ['quote', 'ab'.repeat(16 * 1024 + 1), 'too long'],
    ['eventLog', {}, 'not an array'],
    ['eventLog', Array.from({ length: 257 }, () => document.eventLog[0]), 'too many'],
    ['eventLog', [{ ...document.eventLog[0], imr: 2 }], 'not one of the allowed values'],
    ['eventLog', [{ ...document.eventLog[0], digest: 'ab' }], 'wrong length'],
    ['eventLog', [{ ...document.eventLog[0], version: 3 }], 'not one of the allowed values'],
    ['eventLog', [{ ...document.eventLog[0], event: 'x'.repeat(129) }], 'too long'],
    ['measurements', { mrtd: '' }, 'has no'],
    ['measurements', { ...document.measurements, rtmr3: 'ab' }, 'wrong length'],
    ['composeHash', 'ab', 'wrong length'],
    ['collateral', null, 'not an object'],
    ['collateral', {}, 'has no'],
    ['ledger', { seq: 1, head: 'ab'.repeat(32) }, 'not a string'],
    ['ledger', { seq: '01', head: 'ab'.repeat(32) }, 'not a whole number'],
    ['ledger', { seq: '-1', head: 'ab'.repeat(32) }, 'not a whole number'],
    ['issuedAt', 1_700_000_000, 'not a string'],
    ['issuedAt', '2026-11-22', 'not a time'],
    ['issuedAt', '2026-11-22T12:00:00+00:00', 'too long'],
    ['expiresAt', '2026-13-22T12:00:00.000Z', 'not a time'],
    ['signature', 'AAAA', 'not base64'],
    ['signature', `${'A'.repeat(85)}B==`, 'not base64'],
    ['warning', 'x'.repeat(1_001), 'too long'],
  ])('rejects a wrong %s (%#)', (name, value, words) => {
    rejects({ ...document, [name]: value }, words);
  });
});
