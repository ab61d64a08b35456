import { text, url } from '@tollbridge/config';
import { productionPublicKey } from './oneclick.signature';

/** The settings of this provider, for the app that uses it. */
export const oneClickSettings = {
  ONECLICK_URL: url(['http', 'https'], {
    description: '1Click API for cross-chain payments; empty turns them off',
    example: 'https://1click.chaindefuser.com',
    default: '',
  }),
  ONECLICK_API_KEY: text({
    description: 'key of 1Click; without one its fee is higher',
    example: 'eyJhbGciOi…',
    default: '',
    isSecret: true,
  }),
  ONECLICK_PUBLIC_KEY: text({
    description: 'the key that signs its quotes; a quote that is not signed by it is rejected',
    example: productionPublicKey,
    default: productionPublicKey,
    sandboxDefault: 'ed25519:9enoesGD8Zr2XQAuYRai2Us7uq93BTyM92Gb46EqSQni',
  }),
  ONECLICK_FEE_ACCOUNT: text({
    description: 'account inside Intents for fees of receivers without an account there (TON, Sui, …)',
    example: 'fees.example.near',
    default: '',
    sandboxDefault: 'fees.tollbridge.near',
  }),
};
