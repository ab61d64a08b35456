import type { ChainAdapters } from '@tollbridge/chain-port';
import type { Logger } from '@tollbridge/observability';
import type { FacilitatorLimits } from '../limits';
import { readTokens, type FacilitatorConfig } from '../settings';
import type { SettlementRail } from '../settlement-rail';
import type { SettlementsRepository } from '../settlements.repository';
import type { SolanaPlace } from './fee-payer';

export interface SolanaParts {
  config: FacilitatorConfig;
  adapters: ChainAdapters;
  limits: FacilitatorLimits;
  settlements: SettlementsRepository;
  logger: Logger;
}

/** Undefined when the facilitator has no key, chain or token of Solana. Its libraries are not loaded then. */
export async function openSolana(parts: SolanaParts): Promise<SettlementRail | undefined> {
  const { config, limits, settlements, logger } = parts;
  if (config.FACILITATOR === 'off' || config.FACILITATOR_SOLANA_KEY === '') return undefined;
  const places = await placesOf(parts);
  if (places.length === 0) return undefined;
  const [{ FeePayer }, { SolanaFollower }, { SolanaRail }] = await Promise.all([
    import('./fee-payer'),
    import('./solana-follower'),
    import('./solana-rail'),
  ]);
  const follower = new SolanaFollower(settlements, limits, logger);
  return new SolanaRail(new FeePayer(config, places), limits, settlements, follower, logger);
}

async function placesOf({ config, adapters }: SolanaParts): Promise<SolanaPlace[]> {
  const chosen = readTokens(config.FACILITATOR_TOKENS);
  const ofSolana = adapters.all.filter(({ chain }) => chain.family === 'solana');
  if (ofSolana.length === 0) return [];
  const { SolanaPaymentAdapter } = await import('@tollbridge/solana');
  return ofSolana.flatMap((adapter): SolanaPlace[] => {
    if (!(adapter instanceof SolanaPaymentAdapter)) return [];
    const { chain, rpc } = adapter;
    const symbols = chosen.filter((it) => it.chain === '*' || it.chain === chain.id).map((it) => it.symbol);
    const tokens = chain.tokens.flatMap((token) =>
      token.address !== null && symbols.includes(token.symbol) ? [[token.address, token] as const] : [],
    );
    return tokens.length === 0 ? [] : [{ network: chain.caip2, chain, rpc, tokens: new Map(tokens) }];
  });
}
