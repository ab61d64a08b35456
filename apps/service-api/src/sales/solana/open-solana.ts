import { loadChains, type Token } from '@tollbridge/chains';
import type { Logger } from '@tollbridge/observability';
import { readTokens, type SalesConfig } from '../settings';
import type { SolanaWallet } from './solana-wallet';

/** Holds the wallet where sales are paid on Solana. */
export class SolanaSales {
  constructor(readonly wallet: SolanaWallet | undefined) {}
}

/** Its libraries are loaded only where the settings name a token of Solana and CHAINS_FILE has the chain. */
export async function openSolana(
  config: SalesConfig & { CHAINS_FILE: string },
  logger: Logger,
): Promise<SolanaSales> {
  const { SALES: sales, SALES_TOKENS: tokens, SALES_SOLANA_KEY: key, CHAINS_FILE: file } = config;
  const chosen = readTokens(tokens).filter(({ family }) => family === 'solana');
  if (sales === 'off' || chosen.length === 0 || file === '') return new SolanaSales(undefined);
  const chain = loadChains(file, 'solana').find(({ id }) => chosen.some((it) => it.chain === id));
  if (!chain) return new SolanaSales(undefined);
  const symbols = chosen.map(({ symbol }) => symbol);
  const [{ SolanaWallet: Wallet }, { openSolanaReader }] = await Promise.all([
    import('./solana-wallet'),
    import('@tollbridge/solana'),
  ]);
  const { rpc } = openSolanaReader(chain, logger);
  const isChosen = (token: Token): token is Token & { address: string } =>
    token.address !== null && symbols.includes(token.symbol);
  return new SolanaSales(new Wallet(key, { chain, rpc, tokens: chain.tokens.filter(isChosen) }, logger));
}
