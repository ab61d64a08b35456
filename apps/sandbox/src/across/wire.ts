/** The wire format of the provider, with the provider's spelling. */

export const tradeTypes = ['exactInput', 'minOutput', 'exactOutput'] as const;
export type TradeType = (typeof tradeTypes)[number];

export interface WireToken {
  address: string;
  symbol: string;
  decimals: number;
  chainId: number;
}

export interface FeeComponent {
  amount: string;
  amountUsd: string;
  /** 10^18 means 100 %. */
  pct: string;
  token: WireToken;
}

export interface BridgeFees extends FeeComponent {
  details: {
    type: 'across';
    lp: FeeComponent;
    relayerCapital: FeeComponent;
    destinationGas: FeeComponent;
  };
}

export interface TotalFees extends FeeComponent {
  details: {
    type: 'total-breakdown' | 'max-total-breakdown';
    swapImpact?: FeeComponent;
    maxSwapImpact?: FeeComponent;
    app: FeeComponent;
    bridge: BridgeFees;
  };
}

export interface SwapStep {
  tokenIn: WireToken;
  tokenOut: WireToken;
  inputAmount: string;
  outputAmount: string;
  minOutputAmount: string;
  maxInputAmount: string;
  swapProvider: { name: string; sources: string[] };
  slippage: number;
}

export interface SwapApproval {
  crossSwapType: string;
  amountType: TradeType;
  checks: {
    allowance: { token: string; spender: string; actual: string; expected: string };
    balance: { token: string; actual: string; expected: string };
  };
  approvalTxns?: { chainId: number; to: string; data: string }[];
  steps: {
    originSwap?: SwapStep;
    bridge: {
      inputAmount: string;
      outputAmount: string;
      tokenIn: WireToken;
      tokenOut: WireToken;
      fees: BridgeFees;
      provider: 'across';
    };
    destinationSwap?: SwapStep;
  };
  inputToken: WireToken;
  outputToken: WireToken;
  refundToken: WireToken;
  fees: {
    total: TotalFees;
    maxTotal: TotalFees;
    originGas: { amount: string; amountUsd: string; token: WireToken };
  };
  inputAmount: string;
  maxInputAmount: string;
  expectedOutputAmount: string;
  minOutputAmount: string;
  expectedFillTime: number;
  quoteExpiryTimestamp: number;
  swapTx: {
    ecosystem: 'evm';
    simulationSuccess: boolean;
    chainId: number;
    to: string;
    data: string;
    value?: string;
    /** Absent when the transaction was not simulated. */
    gas?: string;
    maxFeePerGas?: string;
    maxPriorityFeePerGas?: string;
  };
  id: string;
}

export type DepositState = 'pending' | 'filled' | 'expired' | 'refunded';

export interface DepositStatus {
  status: DepositState;
  originChainId: number;
  depositId: string;
  /** Two names of the same field, deprecated and current. The fields below also have both. */
  depositTxHash: string;
  depositTxnRef: string;
  fillTx: string | null;
  fillTxnRef: string | null;
  destinationChainId: number;
  depositRefundTxHash: string | null;
  depositRefundTxnRef: string | null;
  actionsSucceeded: boolean | null;
  pagination: { currentIndex: number; maxIndex: number };
}
