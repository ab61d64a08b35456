import { base58 } from '@scure/base';
import { loadConfig } from '@tollbridge/config';
import {
  facilitatorSettings,
  isReceiver,
  readReceivers,
  readTokens,
  requireFacilitatorSettings,
} from './settings';

const env = { TOLLBRIDGE_ENV: 'production' };
const key = `0x${'4a'.repeat(32)}`;
const seller = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const onSolana = '83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri';
const solanaKey = base58.encode(Buffer.alloc(64, 7));
const configOf = (settings: Record<string, string>) =>
  loadConfig(facilitatorSettings, { ...env, ...settings });

describe('facilitator settings', () => {
  it('require a key, tokens and receivers when the facilitator is on', () => {
    expect(() => requireFacilitatorSettings(configOf({}))).not.toThrow();
    const on = { FACILITATOR: 'on', FACILITATOR_KEY: key, FACILITATOR_TOKENS: 'base/USDC' };
    expect(() => requireFacilitatorSettings(configOf(on))).toThrow('FACILITATOR_RECEIVERS is missing');
    expect(() =>
      requireFacilitatorSettings(configOf({ ...on, FACILITATOR_RECEIVERS: seller })),
    ).not.toThrow();
  });

  it('require the key of each configured chain', () => {
    const on = { FACILITATOR: 'on', FACILITATOR_RECEIVERS: '*' };
    const missing = (tokens: string, more = {}) => {
      const config = configOf({ ...on, FACILITATOR_TOKENS: tokens, ...more });
      return () => requireFacilitatorSettings(config);
    };
    expect(missing('solana/USDC')).toThrow(
      /\n  - FACILITATOR_SOLANA_KEY is missing, which FACILITATOR=on needs$/,
    );
    expect(missing('solana/USDC', { FACILITATOR_SOLANA_KEY: solanaKey })).not.toThrow();
    expect(missing('*/USDC')).toThrow('- FACILITATOR_KEY is missing');
    expect(missing('*/USDC', { FACILITATOR_KEY: key })).not.toThrow();
    expect(() => configOf({ FACILITATOR_SOLANA_KEY: solanaKey.slice(1) })).toThrow('a key pair of Solana');
  });

  it("accept the id and all aliases of a token's chain", () => {
    expect(readTokens('base/USDC, */EURC')).toEqual([
      { chain: 'eip155:8453', symbol: 'USDC' },
      { chain: '*', symbol: 'EURC' },
    ]);
    for (const wrong of ['USDC', 'moonchain/USDC', 'base/', 'base/US DC'])
      expect(() => readTokens(wrong)).toThrow('must name chains and tokens');
  });

  it('pay gas for the listed receivers, in upper and lower case of their addresses', () => {
    const receivers = readReceivers(seller);
    expect(isReceiver(receivers, seller.toLowerCase())).toBe(true);
    expect(isReceiver(receivers, `0x${'22'.repeat(20)}`)).toBe(false);
    expect(isReceiver(readReceivers('*'), `0x${'22'.repeat(20)}`)).toBe(true);
    expect(isReceiver(readReceivers(`${seller},${onSolana}`), onSolana)).toBe(true);
    expect(isReceiver(readReceivers(onSolana), onSolana.toLowerCase())).toBe(false);
    for (const wrong of ['0x12', 'UQBynBO23ywHy_CgarY9NK9FTz0yDsG82PtcbSTQgGoXwiuA'])
      expect(() => readReceivers(wrong)).toThrow('must be EVM addresses');
  });
});
