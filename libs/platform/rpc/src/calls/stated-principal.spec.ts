import { keyPrincipal, payerPrincipal, servicePrincipal, walletPrincipal } from './call-context';
import { merchantAuth, type Auth } from '../declarations/operation';
import { checkPrincipal } from './stated-principal';

const principals = {
  secret: keyPrincipal('key-1', '0xOwner'),
  publishable: keyPrincipal('key-1', '0xOwner', 'publishable'),
  wallet: walletPrincipal('0xOwner'),
  payer: payerPrincipal('sale-1', '0xOwner'),
  service: servicePrincipal('merchant'),
  public: 'public',
  empty: '',
  unknown: 'constructor:0xOwner',
};
type Name = keyof typeof principals;

const isAccepted = (auth: Auth, principal: string, sale?: 'buys'): boolean => {
  try {
    checkPrincipal({ auth, sale }, { principal });
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'UNAUTHORIZED' });
    return false;
  }
};

describe('checkPrincipal', () => {
  it.each<[string, Auth, Name[]]>([
    ['a public operation', 'public', Object.keys(principals) as Name[]],
    ['an operation of the wallet', { wallet: true }, ['wallet']],
    ['an operation of the merchant', merchantAuth('read'), ['secret', 'wallet']],
    ['an operation that needs a secret', { key: 'secret', permission: 'write' }, ['secret']],
    ['an operation that needs a key', { key: 'publishable', permission: 'read' }, ['secret', 'publishable']],
  ])('accepts for %s only the permitted principals', (_name, auth, accepted) => {
    const found = Object.entries(principals).filter(([, principal]) => isAccepted(auth, principal));
    expect(found.map(([name]) => name)).toEqual(accepted);
  });

  it('accepts the payer of a sale only for sold operations', () => {
    const auth: Auth = { key: 'secret', permission: 'write' };
    const found = Object.entries(principals).filter(([, principal]) => isAccepted(auth, principal, 'buys'));
    expect(found.map(([name]) => name)).toEqual(['secret', 'payer']);
  });
});
