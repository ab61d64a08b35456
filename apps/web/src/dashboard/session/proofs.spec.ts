import { isDeclined } from '../../wallets/declined';
import type { StandardWallet, TonBridge, TonItem } from '../../wallets/providers';
import { proveByEvm, proveBySolana, proveByTon, type Challenge } from './proofs';

const text = 'Sign in.\nÄ';
const challenges: [string, number | undefined][] = [];
const requestChallenge = async (wallet: string, chainId?: number): Promise<Challenge> => {
  challenges.push([wallet, chainId]);
  return { wallet: `canonical ${wallet}`, nonce: 'n1', message: text, payload: 'n1' };
};

beforeAll(() => void Object.assign(globalThis, { location: { origin: 'https://shop.example' } }));
afterAll(() => void Reflect.deleteProperty(globalThis, 'location'));
beforeEach(() => void challenges.splice(0));

describe('proveByEvm', () => {
  const providerOf = (accounts: string[]) => ({
    request: async ({ method, params }: { method: string; params?: unknown }) =>
      ({ eth_requestAccounts: accounts, eth_chainId: '0x2105' })[method] ?? `${method} ${String(params)}`,
  });

  it('signs the text of the challenge for the chain of the wallet', async () => {
    const hex = `0x${Buffer.from(text).toString('hex')}`;
    expect(await proveByEvm(providerOf(['0xA']), requestChallenge)).toEqual({
      wallet: 'canonical 0xA',
      nonce: 'n1',
      message: text,
      signature: `personal_sign ${hex},0xA`,
    });
    expect(challenges).toEqual([['0xA', 8453]]);
  });

  it('rejects a wallet without an account', async () => {
    await expect(proveByEvm(providerOf([]), requestChallenge)).rejects.toThrow('gave no account');
  });
});

describe('proveBySolana', () => {
  const onSolana = { address: 'So1', chains: ['solana:mainnet'] };
  const walletOf = (accounts: object[], sign: (message: Uint8Array) => Uint8Array): StandardWallet => ({
    name: 'Sol',
    icon: '',
    chains: [],
    accounts: [],
    features: {
      'standard:connect': { connect: async () => ({ accounts }) },
      'solana:signMessage': {
        signMessage: async ({ account, message }: { account: object; message: Uint8Array }) => {
          expect(account).toBe(onSolana);
          return [{ signedMessage: sign(message), signature: new Uint8Array([0, 0, 1, 0]) }];
        },
      },
    },
  });

  it('signs the bytes of the text with the account on Solana, and returns base58', async () => {
    const wallet = walletOf([{ address: '0xsui', chains: ['sui:mainnet'] }, onSolana], (message) => message);
    expect(await proveBySolana(wallet, requestChallenge)).toEqual({
      wallet: 'canonical So1',
      nonce: 'n1',
      message: text,
      signature: '115R',
    });
    expect(challenges).toEqual([['So1', undefined]]);
  });

  it.each([
    ['longer', (message: Uint8Array) => Uint8Array.from([255, ...message])],
    ['other', (message: Uint8Array) => message.map((byte) => byte ^ 1)],
  ])('rejects a wallet that signed a %s text', async (_name, sign) => {
    await expect(proveBySolana(walletOf([onSolana], sign), requestChallenge)).rejects.toThrow(
      'The wallet changed the text',
    );
  });

  it('rejects a wallet without an account on Solana', async () => {
    const wallet = walletOf([{ address: '0xsui', chains: ['sui:mainnet'] }], (message) => message);
    await expect(proveBySolana(wallet, requestChallenge)).rejects.toThrow('gave no account');
  });
});

describe('proveByTon', () => {
  const domain = { lengthBytes: 12, value: 'shop.example' };
  const signed = { timestamp: 1, domain, payload: 'n1', signature: 'c2ln' };
  const account: TonItem = { name: 'ton_addr', address: '0:ab', walletStateInit: 'te6c' };
  const proven: TonItem = { name: 'ton_proof', proof: { ...signed, extra: 1 } as never };
  const asked: any[] = [];
  /** A wallet that answers the two requests in turn. A number is the code of a rejection. */
  const bridgeOf = (...replies: (TonItem[] | number)[]) => {
    asked.splice(0);
    const connect = async (version: number, request: object) => {
      asked.push([version, request]);
      const reply = replies.shift()!;
      return typeof reply === 'number'
        ? { event: 'connect_error', payload: { code: reply, message: 'No.' } }
        : { event: 'connect', payload: { items: reply } };
    };
    return { connect } as unknown as TonBridge;
  };

  it('asks for the address, then for the proof of the challenge of that address', async () => {
    expect(await proveByTon(bridgeOf([account], [account, proven]), requestChallenge)).toEqual({
      wallet: 'canonical 0:ab',
      nonce: 'n1',
      proof: { ...signed, stateInit: 'te6c' },
    });
    expect(challenges).toEqual([['0:ab', undefined]]);
    const manifestUrl = 'https://shop.example/tonconnect-manifest.json';
    const items = [{ name: 'ton_addr' }, { name: 'ton_proof', payload: 'n1' }];
    expect(asked).toEqual([
      [2, { manifestUrl, items: items.slice(0, 1) }],
      [2, { manifestUrl, items }],
    ]);
  });

  it('detects that the merchant declined either request', async () => {
    for (const replies of [[300], [[account], 300]]) {
      const error: unknown = await proveByTon(bridgeOf(...replies), requestChallenge).catch((it) => it);
      expect([isDeclined(error), String(error)]).toEqual([true, 'Error: No.']);
    }
    expect(challenges).toHaveLength(1);
  });

  it.each([
    ['returns no address', [[{ name: 'ton_addr' }]], 'gave no account'],
    ['changes the account', [[account], [{ ...account, address: '0:cd' }, proven]], 'changed the account'],
    ['returns no proof', [[account], [account, { name: 'ton_proof' }]], 'cannot prove its address'],
    ['returns no state-init', [[account], [{ ...account, walletStateInit: '' }, proven]], 'cannot prove'],
  ] as [string, TonItem[][], string][])('rejects a wallet that %s', async (_name, replies, message) => {
    await expect(proveByTon(bridgeOf(...replies), requestChallenge)).rejects.toThrow(message);
  });
});
