import { createHash, createPublicKey, verify, type KeyObject, type X509Certificate } from 'node:crypto';
import { Rejected } from '../rejection';
import { platformOf, readChain } from './certificates';
import { readSigned, type TcbInfo, type TdxCollateral } from './collateral';
import type { TdxQuote } from './quote-v4';
import { checkNotRevoked } from './revocation';

/**
 * Verifies every signature from the root to the report data by node:crypto. This complements the library, which
 * verifies neither the revocation lists nor the TDX module.
 *
 * @returns the vendor's TCB information for this platform
 */
export function checkSignatures(
  quote: TdxQuote,
  collateral: TdxCollateral,
  { root, now }: { root: X509Certificate; now: Date },
): TcbInfo {
  const platform = readChain(quote.certificates, { root, now, commonName: 'Intel SGX PCK Certificate' });
  const signers = ['tcb_info', 'qe_identity'] as const;
  const signing = signers.map((name) => {
    const chain = readChain(collateral[`${name}_issuer_chain`], {
      root,
      now,
      commonName: 'Intel SGX TCB Signing',
    });
    const signature = Buffer.from(collateral[`${name}_signature`], 'hex');
    if (!isP256Signature(Buffer.from(collateral[name]), signature, chain[0]!.publicKey))
      throw new Rejected('collateral_signature_invalid', `${name} is not signed by the vendor`);
    return chain;
  });
  const info = readSigned<TcbInfo>(collateral.tcb_info, 'TCBInfo', now);
  readSigned(collateral.qe_identity, 'QE identity', now);
  checkRevocation(collateral, { platform, signing, now });
  checkQuote(quote, platform[0]!.publicKey);
  const { fmspc, pceId } = platformOf(platform[0]!);
  if (info.id !== 'TDX' || !isSame(info.fmspc, fmspc) || !isSame(info.pceId, pceId))
    throw new Rejected('collateral_mismatch', 'the collateral is for another platform');
  return info;
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function checkRevocation(
  { root_ca_crl: ofRoot, pck_crl: ofPlatforms }: TdxCollateral,
  { platform, signing, now }: { platform: X509Certificate[]; signing: X509Certificate[][]; now: Date },
): void {
  const [root, authority] = [platform.at(-1)!, platform[1]!];
  const issuedByRoot = [platform, ...signing].flat().filter((it) => !it.raw.equals(platform[0]!.raw));
  checkNotRevoked(issuedByRoot, { der: Buffer.from(ofRoot, 'hex'), issuer: root, now });
  checkNotRevoked(platform, { der: Buffer.from(ofPlatforms, 'hex'), issuer: authority, now });
}

/**
 * Verifies two signatures: the platform's key signs a report of the quoting enclave, and the enclave's key signs the
 * quote. The report contains the hash of the enclave's key.
 */
function checkQuote(quote: TdxQuote, platformKey: KeyObject): void {
  const { signed, signature, attestationKey, qeReport, qeReportSignature, qeAuthData } = quote;
  if (!isP256Signature(qeReport, qeReportSignature, platformKey))
    reject('the platform has not signed for the quoting enclave');
  const bound = createHash('sha256').update(attestationKey).update(qeAuthData).digest();
  if (!qeReport.subarray(320, 352).equals(bound)) reject('the quoting enclave has another key');
  if (!isP256Signature(signed, signature, p256Key(attestationKey)))
    reject('the quote is not signed by the quoting enclave');
}

function reject(message: string): never {
  throw new Rejected('quote_signature_invalid', message);
}

const isP256Signature = (message: Buffer, signature: Buffer, key: KeyObject): boolean =>
  verify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, signature);

function p256Key(point: Buffer): KeyObject {
  const [x, y] = [point.toString('base64url', 0, 32), point.toString('base64url', 32, 64)];
  try {
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  } catch {
    return reject('the key of the quote is not a point of its curve');
  }
}
