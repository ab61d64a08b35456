import { codeOf, isDeclined } from '../wallets/declined';
import { WalletProblem } from './wallet-problem';

/** Codes of EIP-1193, EIP-1474 and JSON-RPC. */
const problems: readonly (readonly [WalletProblem['text'], readonly unknown[]])[] = [
  ['locked', [4100]],
  ['pending', [-32_002]],
  ['unsupported', [4200, -32_601]],
  ['wrongNetwork', [4901]],
  ['noFunds', ['INSUFFICIENT_FUNDS']],
];

// Nodes have no error code for insufficient funds, but their messages are in English.
const lacksFunds =
  /insufficient (funds|balance|lamports|gas)|balance is not sufficient|no record of a prior credit/i;

/** The key of the text that explains the error and the next step. */
export function problemOf(error: unknown): WalletProblem['text'] {
  if (error instanceof WalletProblem) return error.text;
  if (isDeclined(error)) return 'declined';
  const code = codeOf(error);
  const known = problems.find(([, codes]) => codes.includes(code));
  if (known) return known[0];
  return lacksFunds.test(String((error as Error | undefined)?.message)) ? 'noFunds' : 'failed';
}

/** Whether the wallet may have sent a transaction, because it reported no cause, or has an earlier prompt open. */
export const isInDoubt = (problem: WalletProblem['text']): boolean =>
  problem === 'failed' || problem === 'pending';
