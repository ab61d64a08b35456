// The required part of the types of @x402/core, declared here so that sellers do not need to install it.

/** The official type requires a colon, but the network name of the specification has none. */
export type OfficialNetwork = `${string}:${string}`;

export interface OfficialRequirements {
  scheme: string;
  network: OfficialNetwork;
  asset: string;
  amount: string;
  payTo: string;
  maxTimeoutSeconds: number;
  extra: Record<string, unknown>;
}

export interface OfficialPayload {
  x402Version: number;
  resource?: { url: string };
  accepted: OfficialRequirements;
  payload: Record<string, unknown>;
  extensions?: Record<string, unknown>;
}

export interface OfficialKind {
  x402Version: number;
  scheme: string;
  network: OfficialNetwork;
  extra?: Record<string, unknown>;
}

export type OfficialPrice = string | number | OfficialAmount;

export interface OfficialAmount {
  asset: string;
  amount: string;
  extra?: Record<string, unknown>;
}

export interface OfficialVerification {
  isValid: boolean;
  invalidReason?: string;
  invalidMessage?: string;
  payer?: string;
  extra?: Record<string, unknown>;
}

export interface OfficialSettlement {
  success: boolean;
  errorReason?: string;
  errorMessage?: string;
  payer?: string;
  transaction: string;
  network: OfficialNetwork;
  amount?: string;
  extra?: Record<string, unknown>;
}
