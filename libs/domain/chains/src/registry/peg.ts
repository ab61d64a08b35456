// Bridged and wrapped forms of a stablecoin have the peg of the stablecoin.
const dollarTokens: ReadonlySet<string> = new Set(['USDC', 'USDT', 'DAI', 'DAI.e', 'xDAI']);

/** The currency (ISO 4217) that the issuer of a stablecoin redeems one whole token for; undefined for other tokens. */
export const pegOf = ({ symbol }: { symbol: string }): string | undefined =>
  dollarTokens.has(symbol) ? 'USD' : undefined;
