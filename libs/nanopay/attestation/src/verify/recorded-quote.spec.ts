import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readTdxCollateral, type TdxCollateral } from './collateral';
import { quoteLayout, readTdxQuote } from './quote-v4';
import { askLibrary, verifyTdxQuote } from './tdx-quote';
import { vendorRoot } from './vendor-root';

// A quote of real hardware with its collateral. The files are outside the repository.
const folder = resolve(__dirname, '../../../../../../shared/vectors');
const isThere = existsSync(resolve(folder, 'tdx_quote'));

const valid = new Date('2025-07-01T00:00:00Z');

if (isThere) {
  describe('a recorded quote of real hardware', () => {
    const quote = readFileSync(resolve(folder, 'tdx_quote'));
    const text = readFileSync(resolve(folder, 'tdx_quote_collateral.json'), 'utf8');
    const collateral = JSON.parse(text) as TdxCollateral;
    const flipped = (offset: number, bytes = quote): Buffer => {
      const copy = Buffer.from(bytes);
      copy[offset]! ^= 1;
      return copy;
    };

    it('accepts the quote as UpToDate while its collateral is valid', async () => {
      for (const time of ['2025-06-19T11:00:00Z', '2025-07-01T00:00:00Z', '2025-07-19T10:00:00Z']) {
        const verdict = await verifyTdxQuote(quote, collateral, new Date(time));
        expect(verdict).toMatchObject({ ok: true, tcbStatus: 'UpToDate', advisoryIds: [] });
      }
    });

    it('returns the measurements from the offsets of version 4', async () => {
      const { report } = readTdxQuote(quote);
      expect(report.mrtd.slice(0, 16)).toBe('91eb2b44d141d4ec');
      expect(report.rtmr3).toBe('0'.repeat(96));
      expect(report.reportData.toString('hex', 0, 8)).toBe('9a9d48e7f6799642');
    });

    it.each([
      ['2025-06-18T00:00:00Z', 'collateral_not_yet_valid', 'TCBInfo is not valid yet'],
      ['2025-07-20T00:00:00Z', 'collateral_expired', 'TCBInfo expired'],
      ['2026-11-22T00:00:00Z', 'collateral_expired', 'TCBInfo expired'],
    ])('rejects the quote at %s: %s', async (time, reason, message) => {
      expect(await verifyTdxQuote(quote, collateral, new Date(time))).toEqual({ ok: false, reason, message });
    });

    it.each([
      ['report data', quoteLayout.reportData],
      ['the last byte of report data', quoteLayout.signedLength - 1],
      ['MRTD', quoteLayout.mrtd],
      ['RTMR3', quoteLayout.rtmr3],
      ['the attributes of the machine', quoteLayout.tdAttributes],
      ['the header', quoteLayout.headerLength - 1],
      ['its signature', quoteLayout.signedLength + 4],
      ['its key', quoteLayout.signedLength + 4 + 64],
      ['the report of the quoting enclave', quoteLayout.signedLength + 4 + 134],
      ['the signature of the platform', quoteLayout.signedLength + 4 + 134 + 384],
    ])('rejects the quote in both checks with one bit of %s flipped', async (_what, offset) => {
      const forged = flipped(offset);
      expect(await verifyTdxQuote(forged, collateral, valid)).toMatchObject({
        ok: false,
        reason: 'quote_signature_invalid',
      });
      const vendor = { root: await vendorRoot(), now: valid };
      await expect(askLibrary(forged, readTdxCollateral(collateral), vendor)).rejects.toThrow();
    });

    it('rejects the quote with changed collateral', async () => {
      const info = collateral.tcb_info.replace('"OutOfDate"', '"UpToDate"');
      expect(await verifyTdxQuote(quote, { ...collateral, tcb_info: info }, valid)).toMatchObject({
        reason: 'collateral_signature_invalid',
      });
      const [of, other] = [collateral.root_ca_crl, collateral.pck_crl];
      expect(
        await verifyTdxQuote(quote, { ...collateral, root_ca_crl: other, pck_crl: of }, valid),
      ).toMatchObject({ reason: 'revocation_list_invalid' });
    });

    it('rejects the quote with an empty revocation list, although the library accepts it', async () => {
      const without = { ...collateral, pck_crl: '' };
      expect(await verifyTdxQuote(quote, without, valid)).toMatchObject({
        reason: 'revocation_list_invalid',
      });
      const vendor = { root: await vendorRoot(), now: valid };
      const alone = await askLibrary(quote, readTdxCollateral(without), vendor);
      expect(alone.tcbStatus).toBe('UpToDate');
    });

    it('accepts the quote with collateral that encodes bytes as arrays of numbers', async () => {
      const bytes = (hex: string): number[] => [...Buffer.from(hex, 'hex')];
      const listed = {
        ...collateral,
        root_ca_crl: bytes(collateral.root_ca_crl),
        pck_crl: bytes(collateral.pck_crl),
        tcb_info_signature: bytes(collateral.tcb_info_signature),
      };
      expect(await verifyTdxQuote(quote, listed, valid)).toMatchObject({ ok: true });
    });

    it('rejects the quote without collateral, and does not fetch any', async () => {
      expect(await verifyTdxQuote(quote, undefined, valid)).toMatchObject({ reason: 'collateral_missing' });
    });
  });
} else {
  it('verifyTdxQuote rejects a missing quote (the recorded quote is not available)', async () => {
    expect(await verifyTdxQuote(Buffer.alloc(0), undefined, valid)).toMatchObject({
      ok: false,
      reason: 'quote_malformed',
    });
  });
}

it('vendorRoot returns the root that the vendor publishes', async () => {
  expect((await vendorRoot()).subject).toContain('CN=Intel SGX Root CA');
});
