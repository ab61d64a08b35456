import { Interface } from 'ethers';

/** Errors of the contracts for swaps and payouts. Other errors are shown by their selector. */
const known = new Interface([
  'error Error(string reason)',
  'error Panic(uint256 code)',
  // ERC-6093, the standard token errors.
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  'error ERC20InvalidReceiver(address receiver)',
  'error SafeERC20FailedOperation(address token)',
  'error AddressInsufficientBalance(address account)',
  'error FailedInnerCall()',
  // Across
  'error InvalidQuoteTimestamp()',
  'error InvalidFillDeadline()',
  'error InvalidExclusivityDeadline()',
  'error MaxTransferSizeExceeded()',
  'error DisabledRoute()',
  'error DepositsArePaused()',
  'error MsgValueDoesNotMatchInputAmount()',
  'error MinimumExpectedInputAmount()',
  'error LeftoverSrcTokens()',
  'error InvalidMsgValue()',
  'error InvalidSignature()',
  // Permit2 and payouts
  'error InvalidNonce()',
  'error InvalidSigner()',
  'error InvalidContractSignature()',
  'error InvalidSignatureLength()',
  'error SignatureExpired(uint256 signatureDeadline)',
  'error NotEnoughGas()',
  'error InvalidRecipient(uint256 place)',
  'error InexactTransfer(uint256 expectedBalance, uint256 actualBalance)',
]);

const panics: Readonly<Record<string, string>> = {
  '1': 'a broken assertion',
  '17': 'an arithmetic overflow',
  '18': 'a division by zero',
  '50': 'an index out of bounds',
  '65': 'too much memory',
};

export const noReason = 'reverted without a reason';
const maxLength = 300;
const unprintable = /[\p{Control}\p{Surrogate}]/gu;

/** Returns the readable reason of a revert. Contracts are untrusted, so the text is bounded and made printable. */
export function revertReason(returnData: string): string {
  if (returnData === '' || returnData === '0x') return noReason;
  try {
    const error = known.parseError(returnData);
    if (error?.name === 'Error') return printable(String(error.args[0])) || noReason;
    if (error?.name === 'Panic') return panics[String(error.args[0])] ?? `panic ${String(error.args[0])}`;
    if (error) return printable(`${error.name}(${error.args.map(String).join(', ')})`);
  } catch {
    // The selector is of a known error, but the data after it is invalid.
  }
  return `reverted with error ${printable(returnData.slice(0, 10))}`;
}

function printable(text: string): string {
  return text.replace(unprintable, ' ').trim().slice(0, maxLength);
}
