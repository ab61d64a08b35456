import { tdxAttester, unattested, type Attester } from '@tollbridge/attestation';
import type { TeeConfig } from '../config';

/** Injection token of the attester, which provides attestation evidence and the seed of the receipt key. */
export const ServiceAttester = Symbol('ServiceAttester');

/** @throws Error if the attestation agent does not answer, because the service must not start without it */
export async function openAttester(config: TeeConfig): Promise<Attester> {
  const { TEE_ATTESTATION: mode, TEE_DSTACK_ENDPOINT: endpoint, TEE_KEY_FILE: seedFile } = config;
  if (mode === 'none') return unattested({ seedFile, createsSeed: config.environment === 'sandbox' });
  return tdxAttester({ isSimulator: mode === 'tdx-simulator', ...(endpoint !== '' && { endpoint }) });
}
