import { keyPrincipal, servicePrincipal, walletPrincipal } from './call-context';
import { merchantAuth, type Auth } from './operation';
import { checkPrincipal } from './stated-principal';

const principals = {
  secret: keyPrincipal('key-1', '0xOwner'),
  publishable: keyPrincipal('key-1', '0xOwner', 'publishable'),
  wallet: walletPrincipal('0xOwner'),
  service: servicePrincipal('merchant'),
  public: 'public',
  empty: '',
  unknown: 'constructor:0xOwner',
};
type Name = keyof typeof principals;

const isTaken = (auth: Auth, principal: string): boolean => {
  try {
    checkPrincipal(auth, { principal });
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'UNAUTHORIZED' });
    return false;
  }
};

it.each<[string, Auth, Name[]]>([
  ['a public operation', 'public', Object.keys(principals) as Name[]],
  ['an operation of the wallet', { wallet: true }, ['wallet']],
  ['an operation of the merchant', merchantAuth('read'), ['secret', 'wallet']],
  ['an operation that needs a secret', { key: 'secret', permission: 'write' }, ['secret']],
  ['an operation that needs a key', { key: 'publishable', permission: 'read' }, ['secret', 'publishable']],
])('%s takes only these principals', (_name, auth, taken) => {
  const found = Object.entries(principals).filter(([, principal]) => isTaken(auth, principal));
  expect(found.map(([name]) => name)).toEqual(taken);
});
