import { X509Certificate } from 'node:crypto';
import { Rejected } from '../rejection';

// SHA-256 of the published certificate of the Intel SGX Root CA. It is pinned here, so that an update of the library
// cannot change the root.
const vendorRootFingerprint = '44a0196b2b99f889b8e149e95b807a350e7424964399e885a7cbb8ccfab674d3';

/** Returns the root certificate of all certificates of the hardware and its vendor. */
export async function vendorRoot(): Promise<X509Certificate> {
  const { constants } = await import('@phala/dcap-qvl');
  const root = new X509Certificate(constants.TRUSTED_ROOT_CA_DER);
  if (root.fingerprint256.replaceAll(':', '').toLowerCase() !== vendorRootFingerprint)
    throw new Rejected(
      'certificate_untrusted',
      'the root certificate in the library is not that of the vendor',
    );
  return root;
}
