import type { SandboxMerchant } from '@tollbridge/contracts';
import { newKeyText } from '@tollbridge/api-keys';

export function newDemoMerchant(wallet: string): SandboxMerchant {
  return {
    wallet,
    merchantId: 'demo-merchant',
    key: newKeyText('test', 'publishable'),
    secret: newKeyText('test', 'secret'),
  };
}
