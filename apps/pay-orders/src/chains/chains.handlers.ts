import { Controller } from '@nestjs/common';
import { chainsApi, type ChainsQuery, type ChainsReply, type ChainView } from '@tollbridge/contracts';
import { Handles } from '@tollbridge/rpc';
import { chains, type Chain } from '@tollbridge/chains';
import { Deployments } from './deployments';
import { Explorers } from './explorers';

@Controller()
@Handles(chainsApi)
export class ChainsHandlers {
  private readonly all: ChainsReply;
  private readonly direct: ChainsReply;

  constructor(deployments: Deployments, explorers: Explorers) {
    // Computed once, because nothing in the views changes while the process runs.
    const views = chains.map((chain) =>
      viewOf(deployments.find(chain.id) ?? chain, {
        isAvailable: deployments.find(chain.id) !== undefined,
        explorerTxUrl: explorers.txUrlOf(chain),
      }),
    );
    const direct = views.filter((view) => view.is_direct);
    const ids = (list: ChainView[]) => list.map(({ id }) => id);
    this.direct = { chains: ids(direct), count: direct.length, details: direct };
    this.all = {
      direct_chains: ids(direct),
      crosschain_chains: ids(views.filter((view) => !view.is_direct)),
      total: views.length,
      details: views,
    };
  }

  listChains(query: ChainsQuery): ChainsReply {
    return query.direct_only ? this.direct : this.all;
  }
}

interface Here {
  isAvailable: boolean;
  explorerTxUrl: string | null;
}

function viewOf(chain: Chain, { isAvailable, explorerTxUrl }: Here): ChainView {
  return {
    id: chain.id,
    caip2: chain.caip2,
    short_name: chain.shortName,
    name: chain.name,
    is_direct: chain.isDirect,
    is_testnet: chain.isTestnet,
    is_available: isAvailable,
    confirmations: chain.confirmations,
    logo: chain.logo,
    explorer_tx_url: explorerTxUrl,
    tokens: chain.tokens.map(({ symbol, name, decimals, address, logo }) => ({
      symbol,
      name,
      decimals,
      address,
      logo,
    })),
  };
}
