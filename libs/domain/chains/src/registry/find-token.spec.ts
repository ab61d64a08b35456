import { type Chain, chains, findChain, findToken } from '.';

const chainNamed = (name: string): Chain => {
  const chain = findChain(name);
  if (!chain) {
    throw new Error(`no chain ${name}`);
  }
  return chain;
};

describe('findToken', () => {
  const tokens = chains.flatMap((chain) =>
    chain.tokens.map((token) => ({ chain, token, title: `${chain.id} ${token.symbol}` })),
  );

  it.each(tokens)('finds $title by symbol in any case and by address', ({ chain, token }) => {
    expect(findToken(chain, token.symbol)).toBe(token);
    expect(findToken(chain, token.symbol.toLowerCase())).toBe(token);
    expect(findToken(chain, token.symbol.toUpperCase())).toBe(token);
    expect(findToken(chain, token.address ?? token.symbol)).toBe(token);
  });

  const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
  const spellings: [string, string, string][] = [
    ['base', usdc.toLowerCase(), 'USDC'],
    ['base', `0x${usdc.slice(2).toUpperCase()}`, 'USDC'],
    ['base', '0x0000000000000000000000000000000000000000', 'ETH'],
    ['base', '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE', 'ETH'],
    ['gnosis', '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE', 'xDAI'],
    ['ton', 'GRAM', 'TON'],
    ['ton', 'gram', 'TON'],
    ['ton', 'UQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_p0p', 'USDT'],
    ['ton', '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe', 'USDT'],
    ['ton', 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id/sDs', 'USDT'],
    ['starknet', '0x33068F6539f8e6e6b131e6B2B814e6c34A5224bC66947c47DaB9dFeE93b35fb', 'USDC'],
    ['starknet', '0x68f5c6a61780768455de69077e07e89787839bf8166decfbf92b645209c0fb8', 'USDT'],
    ['sui', '0xDBA34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC', 'USDC'],
    ['aptos', '0xBAE207659db88bea0cbead6da0ed00aac12edcdda169e591cd41c94180b46f3b', 'USDC'],
    ['stellar', 'USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN', 'USDC'],
    ['stellar', 'USDC-GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN', 'USDC'],
  ];
  it.each(spellings)('chain %s: finds %s as %s', (name, text, symbol) => {
    expect(findToken(chainNamed(name), text)?.symbol).toBe(symbol);
  });

  const unknown: [string, string][] = [
    ['base', ''],
    ['base', 'USDC '],
    ['base', 'BTC'],
    ['base', usdc.slice(2)],
    ['base', `${usdc}0`],
    ['base', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'],
    ['base', '__proto__'],
    ['base', 'A'.repeat(10_000)],
    ['solana', 'epjfwdd5aufqssqem2qn1xzybapc8g4weggkzwytdt1v'],
    ['solana', '0x0000000000000000000000000000000000000000'],
    ['stellar', 'EURC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN'],
    ['sui', '0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7'],
    ['sui', '0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDT'],
    ['ton', 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDt'],
    ['ton', 'kQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_ntm'],
  ];
  it.each(unknown)('chain %s: finds no token for %p', (name, text) => {
    expect(findToken(chainNamed(name), text)).toBeUndefined();
  });

  it('finds the tokens of a chain that a deployment derives from a registered chain', () => {
    const base = chainNamed('base');
    const local = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
    const token = {
      symbol: 'USDC',
      name: 'USD Coin',
      decimals: 6,
      address: local,
      maxAmountAtomic: '1000',
      logo: '/logos/tokens/usdc.svg',
    };
    const derived: Chain = { ...base, tokens: [token] };
    expect(findToken(derived, local.toLowerCase())).toBe(token);
    expect(findToken(derived, usdc)).toBeUndefined();
    expect(findToken(base, local)).toBeUndefined();
  });
});
