import { X509Certificate } from 'node:crypto';
import { Rejected } from '../rejection';
import { derChildren, derTags, readDer, type DerValue } from './der';

const pem = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]{1,8192}-----END CERTIFICATE-----/g;

/** Leaf, at most one intermediate authority, and the root. */
const mostCertificates = 3;

export interface ExpectedChain {
  root: X509Certificate;
  /** Common name of the leaf certificate, which states its purpose. */
  commonName: string;
  now: Date;
}

/** Verifies a chain from the leaf to the root by OpenSSL, without checking revocation. */
export function readChain(text: string, { root, commonName, now }: ExpectedChain): X509Certificate[] {
  const chain = (text.match(pem) ?? []).map((certificate) => new X509Certificate(certificate));
  if (chain.length < 2 || chain.length > mostCertificates)
    reject(`${commonName}: the chain has a wrong number of certificates`);
  if (!chain.at(-1)!.raw.equals(root.raw))
    reject(`${commonName}: the chain does not end at the root of the vendor`);
  chain.forEach((certificate, index) => {
    const issuer = chain[index + 1] ?? root;
    if (!issuer.ca || !isP256(certificate))
      reject(`${commonName}: an issuer is not an authority, or a key is not on P-256`);
    if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey))
      reject(`${commonName}: a certificate is not signed by its issuer`);
    const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
    if (!(now.getTime() >= from && now.getTime() <= to))
      throw new Rejected('certificate_expired', `${commonName}: a certificate is not valid at this time`);
  });
  const leaf = chain[0]!;
  if (leaf.ca || !leaf.subject.split('\n').includes(`CN=${commonName}`))
    reject(`${commonName}: the certificate has another common name, or is an authority`);
  return chain;
}

function reject(message: string): never {
  throw new Rejected('certificate_untrusted', message);
}

const isP256 = ({ publicKey }: X509Certificate): boolean =>
  publicKey.asymmetricKeyType === 'ec' && publicKey.asymmetricKeyDetails?.namedCurve === 'prime256v1';

const signedPart = ({ raw }: X509Certificate): DerValue[] => {
  const parts = derChildren(derChildren(readDer(raw))[0]!);
  // Certificates of version 3 begin with their version. Older versions have no extensions.
  if (parts[0]?.tag !== derTags.version) throw new RangeError('not a certificate of version 3');
  return parts;
};

// Object identifiers 1.2.840.113741.1.13.1 and below: the vendor's description of the platform.
const platformExtension = '2a864886f84d010d01';
const platformFields = { pceId: `${platformExtension}03`, fmspc: `${platformExtension}04` };

/** Returns the kind of platform that the certificate covers. */
export function platformOf(certificate: X509Certificate): { fmspc: string; pceId: string } {
  const extensions = signedPart(certificate).find(({ tag }) => tag === derTags.extensions);
  if (!extensions) throw new RangeError('no extensions');
  const values = derChildren(derChildren(extensions)[0]!).map(derChildren);
  const platform = only(values, platformExtension).at(-1)!;
  const entries = derChildren(readDer(platform.content)).map(derChildren);
  const value = (id: string): string => only(entries, id)[1]!.content.toString('hex');
  return { fmspc: value(platformFields.fmspc), pceId: value(platformFields.pceId) };
}

/** Returns the only extension with this identifier. Rejects duplicates, because parsers treat them differently. */
function only(all: readonly DerValue[][], id: string): DerValue[] {
  const found = all.filter(([name]) => name?.tag === derTags.objectId && name.content.toString('hex') === id);
  if (found.length !== 1) throw new RangeError('an extension is missing, or there are two');
  return found[0]!;
}
