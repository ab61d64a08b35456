// The functions and events of Across that programs use. Such programs run without the artifact packages.

const relayData =
  '(bytes32 depositor, bytes32 recipient, bytes32 exclusiveRelayer, bytes32 inputToken, bytes32 outputToken, ' +
  'uint256 inputAmount, uint256 outputAmount, uint256 originChainId, uint256 depositId, uint32 fillDeadline, ' +
  'uint32 exclusivityDeadline, bytes message)';

const refundLeaf =
  '(uint256 amountToReturn, uint256 chainId, uint256[] refundAmounts, uint32 leafId, address l2TokenAddress, ' +
  'address[] refundAddresses)';

export const spokePoolAbi = [
  'function depositV3(address depositor, address recipient, address inputToken, address outputToken, ' +
    'uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, address exclusiveRelayer, ' +
    'uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityParameter, bytes message) payable',
  'function deposit(bytes32 depositor, bytes32 recipient, bytes32 inputToken, bytes32 outputToken, ' +
    'uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, bytes32 exclusiveRelayer, ' +
    'uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityParameter, bytes message) payable',
  `function fillRelay(${relayData} relayData, uint256 repaymentChainId, bytes32 repaymentAddress)`,
  `function getV3RelayHash(${relayData} relayData) view returns (bytes32)`,
  'function fillStatuses(bytes32) view returns (uint256)',
  'function numberOfDeposits() view returns (uint32)',
  'function getCurrentTime() view returns (uint256)',
  'function relayRootBundle(bytes32 relayerRefundRoot, bytes32 slowRelayRoot)',
  `function executeRelayerRefundLeaf(uint32 rootBundleId, ${refundLeaf} relayerRefundLeaf, bytes32[] proof) payable`,
  'event FundsDeposited(bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, ' +
    'uint256 indexed destinationChainId, uint256 indexed depositId, uint32 quoteTimestamp, uint32 fillDeadline, ' +
    'uint32 exclusivityDeadline, bytes32 indexed depositor, bytes32 recipient, bytes32 exclusiveRelayer, bytes message)',
  'event FilledRelay(bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, ' +
    'uint256 repaymentChainId, uint256 indexed originChainId, uint256 indexed depositId, uint32 fillDeadline, ' +
    'uint32 exclusivityDeadline, bytes32 exclusiveRelayer, bytes32 indexed relayer, bytes32 depositor, ' +
    'bytes32 recipient, bytes32 messageHash, (bytes32 updatedRecipient, bytes32 updatedMessageHash, ' +
    'uint256 updatedOutputAmount, uint8 fillType) relayExecutionInfo)',
  'event RelayedRootBundle(uint32 indexed rootBundleId, bytes32 indexed relayerRefundRoot, bytes32 indexed slowRelayRoot)',
  'error RelayFilled()',
  'error ExpiredFillDeadline()',
  'error InvalidQuoteTimestamp()',
  'error InvalidFillDeadline()',
];

export const spokePoolPeripheryAbi = [
  'function swapAndBridge(((uint256 amount, address recipient) submissionFees, (address inputToken, ' +
    'bytes32 outputToken, uint256 outputAmount, address depositor, bytes32 recipient, uint256 destinationChainId, ' +
    'bytes32 exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityParameter, ' +
    'bytes message) depositData, address swapToken, address exchange, uint8 transferType, uint256 swapTokenAmount, ' +
    'uint256 minExpectedInputTokenAmount, bytes routerCalldata, bool enableProportionalAdjustment, ' +
    'address spokePool, uint256 nonce) swapAndDepositData) payable',
  'function swapProxy() view returns (address)',
  'event SwapBeforeBridge(address exchange, bytes exchangeCalldata, address indexed swapToken, ' +
    'address indexed acrossInputToken, uint256 swapTokenAmount, uint256 acrossInputAmount, ' +
    'bytes32 indexed acrossOutputToken, uint256 acrossOutputAmount)',
];

/** ABI type of the MulticallHandler's deposit message. */
export const multicallInstructions =
  'tuple(tuple(address target, bytes callData, uint256 value)[] calls, address fallbackRecipient)';
