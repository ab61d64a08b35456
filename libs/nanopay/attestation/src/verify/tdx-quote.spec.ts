import { makeQuote, p256Signature, pointOf, type MadeReport } from '../testing/quote-bytes';
import { soundReport, TestVendor, type TestVendorOptions } from '../testing/test-vendor';
import { generateKeyPairSync } from 'node:crypto';
import { readTdxCollateral } from './collateral';
import { maxQuoteBytes, quoteLayout } from './quote-v4';
import { isAcceptable } from './tcb-status';
import { askLibrary, verifyTdxQuote, verifyTdxQuoteUnder } from './tdx-quote';

const now = new Date('2026-11-22T12:00:00Z');
const later = (days: number): Date => new Date(now.getTime() + days * 86_400_000);
const sound: MadeReport = {
  mrtd: 'a1'.repeat(48),
  rtmr0: 'b0'.repeat(48),
  rtmr1: 'b1'.repeat(48),
  rtmr2: 'b2'.repeat(48),
  rtmr3: 'b3'.repeat(48),
  reportData: Buffer.alloc(64, 9),
  ...soundReport,
};

const check = (options: Partial<TestVendorOptions> = {}, report: Partial<MadeReport> = {}, at = now) => {
  const vendor = new TestVendor({ now, ...options });
  return verifyTdxQuoteUnder(vendor.trust, vendor.quote({ ...sound, ...report }), vendor.collateral, at);
};
const reasonOf = async (...parts: Parameters<typeof check>) => {
  const verdict = await check(...parts);
  return verdict.ok ? 'accepted' : verdict.reason;
};

it('verifyTdxQuoteUnder accepts a valid quote under its trusted root and returns the report', async () => {
  const verdict = await check();
  expect(verdict).toMatchObject({
    ok: true,
    tcbStatus: 'UpToDate',
    advisoryIds: [],
    tcbEvaluationDataNumber: 17,
    report: { mrtd: sound.mrtd, rtmr2: sound.rtmr2, rtmr3: sound.rtmr3, reportData: sound.reportData },
  });
});

it('verifyTdxQuote rejects the same quote under the root of the real vendor', async () => {
  const vendor = new TestVendor({ now });
  expect(await verifyTdxQuote(vendor.quote(sound), vendor.collateral, now)).toMatchObject({
    reason: 'certificate_untrusted',
  });
});

it('verifyTdxQuoteUnder rejects the quote of one vendor with collateral of another', async () => {
  const [vendor, other] = [new TestVendor({ now }), new TestVendor({ now })];
  for (const trust of [vendor.trust, other.trust])
    expect(await verifyTdxQuoteUnder(trust, vendor.quote(sound), other.collateral, now)).toMatchObject({
      reason: 'certificate_untrusted',
    });
});

describe('the machine of a quote', () => {
  it('rejects a machine in debug mode in both checks', async () => {
    const tdAttributes = Buffer.from('0100001000000000', 'hex');
    expect(await reasonOf({}, { tdAttributes })).toBe('debug_enabled');
    const vendor = new TestVendor({ now });
    const quote = vendor.quote({ ...sound, tdAttributes });
    await expect(
      askLibrary(quote, readTdxCollateral(vendor.collateral), { root: vendor.root, now }),
    ).rejects.toThrow('Debug mode');
  });

  it('rejects a machine with a module that the vendor does not list', async () => {
    expect(await reasonOf({}, { tcbSvn: Buffer.from('0607'.padEnd(32, '0'), 'hex') })).toBe('module_unknown');
    expect(await reasonOf({}, { tcbSvn: Buffer.from('0201'.padEnd(32, '0'), 'hex') })).toBe('module_unknown');
    for (const tcbSvn of [soundReport.tcbSvn, Buffer.alloc(16)]) {
      expect(await reasonOf({}, { tcbSvn })).toBe('accepted');
      expect(await reasonOf({}, { tcbSvn, seamSigner: 'ab'.repeat(48) })).toBe('module_unknown');
      expect(await reasonOf({}, { tcbSvn, seamAttributes: '01' })).toBe('module_unknown');
    }
  });
});

describe('the TCB status', () => {
  it.each(['OutOfDate', 'SWHardeningNeeded', 'ConfigurationNeeded'])(
    'returns the status %s',
    async (tcbStatus) => {
      const advisoryIds = ['INTEL-SA-00106'];
      expect(await check({ tcbStatus, advisoryIds })).toMatchObject({ ok: true, tcbStatus, advisoryIds });
    },
  );

  it('rejects the quote when the vendor has revoked the platform', async () => {
    expect(await reasonOf({ tcbStatus: 'Revoked' })).toBe('quote_refused');
  });

  it('returns the status of the worst component, including the module, which the library does not check', async () => {
    const module = { moduleStatus: 'OutOfDate', moduleAdvisoryIds: ['INTEL-SA-01036'] };
    expect(await check({ ...module, advisoryIds: ['INTEL-SA-00106'] })).toMatchObject({
      tcbStatus: 'OutOfDate',
      advisoryIds: ['INTEL-SA-00106', 'INTEL-SA-01036'],
    });
    expect(await check({ ...module, tcbStatus: 'ConfigurationNeeded' })).toMatchObject({
      tcbStatus: 'OutOfDateConfigurationNeeded',
    });
    expect(await check({ ...module, moduleStatus: 'Nonsense' })).toMatchObject({ tcbStatus: 'Revoked' });
  });

  it('returns the status of the highest level that the module reaches, in any order of the levels', async () => {
    const level = (isvsvn: number, tcbStatus: string) => ({ tcb: { isvsvn }, tcbStatus });
    const levels = [level(2, 'OutOfDate'), level(6, 'UpToDate'), level(7, 'UpToDate')];
    for (const moduleLevels of [levels, levels.toReversed()])
      expect(await check({ moduleLevels })).toMatchObject({ tcbStatus: 'UpToDate' });
    const moduleLevels = [level(7, 'UpToDate'), level(2, 'OutOfDate')];
    expect(await check({ moduleLevels })).toMatchObject({ tcbStatus: 'OutOfDate' });
  });

  it('accepts a status only when it is listed with each of its advisories', () => {
    const hardening = { tcbStatus: 'SWHardeningNeeded', advisoryIds: ['A', 'B'] } as const;
    const verdict = { ...hardening, advisoryIds: [...hardening.advisoryIds] };
    expect(isAcceptable(verdict)).toBe(false);
    expect(isAcceptable(verdict, { OutOfDate: ['A', 'B'] })).toBe(false);
    expect(isAcceptable(verdict, { SWHardeningNeeded: ['A'] })).toBe(false);
    expect(isAcceptable(verdict, { SWHardeningNeeded: ['A', 'B', 'C'] })).toBe(true);
    expect(isAcceptable({ tcbStatus: 'Revoked', advisoryIds: [] }, { Revoked: [] })).toBe(false);
    expect(isAcceptable({ tcbStatus: 'UpToDate', advisoryIds: [] })).toBe(true);
  });
});

describe('the signature chain of a quote', () => {
  it.each<[string, Partial<TestVendorOptions>, string]>([
    ['the platform was revoked', { revokedByAuthority: [9, 4] }, 'certificate_revoked'],
    ['the authority of platforms was revoked', { revokedByRoot: [2] }, 'certificate_revoked'],
    ['the signer of collateral was revoked', { revokedByRoot: [3] }, 'certificate_revoked'],
    ['the revocation lists have expired', { listsExpireAt: later(-0.5) }, 'revocation_list_invalid'],
    ['the revocation lists are forged', { listsAreForged: true }, 'revocation_list_invalid'],
    [
      'the revocation lists are dated in the future',
      { listsIssuedAt: later(0.5) },
      'revocation_list_invalid',
    ],
    ['the platform certificate is forged', { platformIsForged: true }, 'certificate_untrusted'],
    ['the platform is an authority itself', { platformIsAuthority: true }, 'certificate_untrusted'],
    ['the chain does not end at the root', { chainLacksRoot: true }, 'certificate_untrusted'],
    [
      'the identity of the quoting enclave has expired',
      { identityExpiresAt: later(-0.5) },
      'collateral_expired',
    ],
    ['the collateral is for other hardware', { infoId: 'SGX' }, 'collateral_mismatch'],
    [
      'the issuer of the platform certificate is not an authority',
      { authorityIsNone: true },
      'certificate_untrusted',
    ],
    ['the certificate is for another purpose', { platformNameIsWrong: true }, 'certificate_untrusted'],
    ['the certificate of the platform has expired', { platformExpiresAt: later(-1) }, 'certificate_expired'],
    ['the collateral is for another kind of platform', { fmspc: '00' }, 'collateral_mismatch'],
    ['the collateral is for another key issuer', { pceId: '0001' }, 'collateral_mismatch'],
  ])('rejects the quote when %s', async (_case, options, reason) => {
    expect(await reasonOf(options)).toBe(reason);
  });

  it('accepts the quote when only another certificate is revoked', async () => {
    expect(await reasonOf({ revokedByRoot: [5], revokedByAuthority: [5, 6, 7] })).toBe('accepted');
  });

  it('rejects the quote before and after the validity period of the collateral', async () => {
    expect(await reasonOf({ listsExpireAt: later(90) }, {}, later(30))).toBe('collateral_expired');
    expect(await reasonOf({}, {}, later(-2))).toBe('collateral_not_yet_valid');
  });

  it('rejects the quote when another key signed it', async () => {
    const vendor = new TestVendor({ now });
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const text = vendor.quote(sound).toString('latin1');
    const certificates = text.slice(text.indexOf('-----BEGIN'));
    const forged = makeQuote(sound, {
      attestationKey: other,
      platformKey: other.privateKey,
      certificates,
      qeReport: Buffer.alloc(384),
    });
    expect(await verifyTdxQuoteUnder(vendor.trust, forged, vendor.collateral, now)).toMatchObject({
      reason: 'quote_signature_invalid',
    });
  });
});

it('verifyTdxQuoteUnder rejects a quote key that the platform did not certify', async () => {
  const vendor = new TestVendor({ now });
  const quote = vendor.quote(sound);
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { signedLength } = quoteLayout;
  const signature = p256Signature(quote.subarray(0, signedLength), stranger.privateKey);
  const own = Buffer.concat([signature, pointOf(stranger.publicKey)]);
  own.copy(quote, signedLength + 4);
  expect(await verifyTdxQuoteUnder(vendor.trust, quote, vendor.collateral, now)).toEqual({
    ok: false,
    reason: 'quote_signature_invalid',
    message: 'the quoting enclave has another key',
  });
});

describe('readTdxQuote', () => {
  const vendor = new TestVendor({ now });
  const quote = vendor.quote(sound);
  const reason = async (bytes: Uint8Array) => {
    const verdict = await verifyTdxQuoteUnder(vendor.trust, bytes, vendor.collateral, now);
    return verdict.ok ? 'accepted' : verdict.reason;
  };
  const changed = (offset: number, byte: number): Buffer => {
    const copy = Buffer.from(quote);
    copy[offset] = byte;
    return copy;
  };

  it('rejects a quote that is truncated at any length', async () => {
    for (let length = 0; length < quote.length; length += 61)
      expect(await reason(quote.subarray(0, length))).toMatch(/^quote_(malformed|unsupported)$/);
    expect(await reason(Buffer.alloc(maxQuoteBytes + 1))).toBe('quote_malformed');
  });

  it('accepts padding after a quote, but no other data', async () => {
    expect(await reason(Buffer.concat([quote, Buffer.alloc(70)]))).toBe('accepted');
    expect(await reason(Buffer.concat([quote, Buffer.from([0, 1])]))).toBe('quote_malformed');
  });

  it('rejects other versions, hardware and key types', async () => {
    for (const [offset, byte] of [
      [0, 3],
      [0, 5],
      [2, 3],
      [4, 0],
    ] as const)
      expect(await reason(changed(offset, byte))).toBe('quote_unsupported');
  });

  it('rejects wrong length fields', async () => {
    for (const offset of [632, 634, 635, 766, 768, 1216, 1250, 1252])
      expect(await reason(changed(offset, 0xff))).not.toBe('accepted');
  });
});

describe('readTdxCollateral', () => {
  const vendor = new TestVendor({ now });
  const quote = vendor.quote(sound);
  const reason = async (collateral: unknown) => {
    const verdict = await verifyTdxQuoteUnder(vendor.trust, quote, collateral, now);
    return verdict.ok ? 'accepted' : verdict.reason;
  };

  it('rejects an invalid shape', async () => {
    const { pck_crl: _, ...lacking } = vendor.collateral;
    const texts = [1, 'x', [], {}, lacking, { ...vendor.collateral, more: 1 }];
    const wrong = [
      { ...vendor.collateral, tcb_info: 7 },
      { ...vendor.collateral, tcb_info: ' '.repeat(40_000) },
      { ...vendor.collateral, pck_crl: 'xyz' },
      { ...vendor.collateral, pck_crl: [256] },
      { ...vendor.collateral, tcb_info_signature: 'ab' },
    ];
    for (const collateral of [...texts, ...wrong])
      expect(await reason(collateral)).toBe('collateral_malformed');
    expect(await reason(null)).toBe('collateral_missing');
  });

  it('rejects malformed revocation lists and certificate chains', async () => {
    for (const list of ['', '30', '3003020101', vendor.collateral.root_ca_crl.slice(0, -2)])
      expect(await reason({ ...vendor.collateral, root_ca_crl: list })).toBe('revocation_list_invalid');
    expect(await reason({ ...vendor.collateral, tcb_info_issuer_chain: '' })).toBe('certificate_untrusted');
    const twice = vendor.collateral.tcb_info_issuer_chain.repeat(2);
    expect(await reason({ ...vendor.collateral, tcb_info_issuer_chain: twice })).toBe(
      'certificate_untrusted',
    );
  });
});
