import { verify, type X509Certificate } from 'node:crypto';
import { Rejected } from '../rejection';
import { derChildren, derTags, derTime, readDer, type DerValue } from './der';

/**
 * Verifies that the revocation list of the issuer contains none of the certificates. It verifies the list first,
 * because a forged, stale or foreign list could hide revocations.
 */
export function checkNotRevoked(
  certificates: readonly X509Certificate[],
  list: { der: Buffer; issuer: X509Certificate; now: Date },
): void {
  const revoked = revokedSerials(list);
  for (const { serialNumber, subject } of certificates)
    if (revoked.has(BigInt(`0x${serialNumber}`)))
      throw new Rejected('certificate_revoked', `revoked: ${subject.replaceAll('\n', ', ')}`);
}

function revokedSerials(list: { der: Buffer; issuer: X509Certificate; now: Date }): Set<bigint> {
  try {
    return readList(list);
  } catch (error) {
    if (error instanceof Rejected) throw error;
    throw new Rejected('revocation_list_invalid', 'a list of revoked certificates cannot be read');
  }
}

function readList({ der, issuer, now }: { der: Buffer; issuer: X509Certificate; now: Date }): Set<bigint> {
  const [signed, , signature] = derChildren(readDer(der));
  const parts = derChildren(signed!);
  // The version is optional and comes first.
  if (parts[0]!.tag === derTags.integer) parts.shift();
  const [, , thisUpdate, nextUpdate, entries] = parts;
  const key = { key: issuer.publicKey, dsaEncoding: 'der' } as const;
  const bits = signature!.content;
  if (bits[0] !== 0 || !verify('sha256', signed!.raw, key, bits.subarray(1)))
    reject('is not signed by its issuer');
  if (derTime(thisUpdate!) > now) reject('is not valid yet');
  if (derTime(nextUpdate!) < now) reject('has expired');
  return new Set(entries?.tag === derTags.sequence ? derChildren(entries).map(serialOf) : []);
}

const serialOf = (entry: DerValue): bigint =>
  BigInt(`0x${derChildren(entry)[0]!.content.toString('hex') || '0'}`);

function reject(fault: string): never {
  throw new Rejected('revocation_list_invalid', `a list of revoked certificates ${fault}`);
}
