/** The wire format of the provider, with the provider's spelling. */

export interface WireToken {
  address: string;
  chainId: number;
  symbol: string;
  decimals: number;
  name: string;
  coinKey: string;
  priceUSD: string;
}

export interface Action {
  fromChainId: number;
  fromAmount: string;
  fromToken: WireToken;
  fromAddress?: string;
  toChainId: number;
  toToken: WireToken;
  toAddress?: string;
  slippage: number;
}

export interface FeeCost {
  name: string;
  description: string;
  percentage: string;
  token: WireToken;
  amount: string;
  amountUSD: string;
  included: boolean;
}

export interface GasCost {
  type: 'SEND';
  price: string;
  estimate: string;
  limit: string;
  amount: string;
  amountUSD: string;
  token: WireToken;
}

export interface Estimate {
  tool: string;
  fromAmount: string;
  fromAmountUSD: string;
  toAmount: string;
  toAmountMin: string;
  toAmountUSD: string;
  approvalAddress: string;
  executionDuration: number;
  feeCosts: FeeCost[];
  gasCosts: GasCost[];
}

export interface ToolDetails {
  key: string;
  name: string;
  logoURI: string;
}

interface AnyStep {
  id: string;
  tool: string;
  toolDetails: ToolDetails;
  action: Action;
  estimate: Estimate;
}

export interface IncludedStep extends AnyStep {
  type: 'swap' | 'cross';
}

export interface TransactionRequest {
  to: string;
  from: string;
  data: string;
  /** Hexadecimal, like all numbers of a transaction except the chain id. */
  value: string;
  chainId: number;
  gasPrice: string;
  gasLimit: string;
}

export interface LiFiStep extends AnyStep {
  type: 'lifi';
  includedSteps: IncludedStep[];
  integrator: string;
  transactionRequest?: TransactionRequest;
}

export interface ToolError {
  errorType: 'NO_QUOTE';
  code: string;
  action: unknown;
  tool: string;
  message: string;
}

export interface UnavailableRoutes {
  filteredOut: { overallPath: string; reason: string }[];
  failed: { overallPath: string; subpaths: Record<string, ToolError[]> }[];
}

export type Status = 'NOT_FOUND' | 'INVALID' | 'PENDING' | 'DONE' | 'FAILED';
