// Written by scripts/compile.mjs from contracts/SandboxX402BatchSettlement.sol; do not edit.
export const sandboxX402BatchSettlementCompiler = '0.8.37+commit.f401782d.Emscripten.clang';

export const sandboxX402BatchSettlementAbi = [
  {
    inputs: [
      {
        internalType: 'address',
        name: 'target',
        type: 'address',
      },
    ],
    name: 'AddressEmptyCode',
    type: 'error',
  },
  {
    inputs: [],
    name: 'ClaimExceedsBalance',
    type: 'error',
  },
  {
    inputs: [],
    name: 'ClaimExceedsCeiling',
    type: 'error',
  },
  {
    inputs: [],
    name: 'DepositCollectionFailed',
    type: 'error',
  },
  {
    inputs: [],
    name: 'ECDSAInvalidSignature',
    type: 'error',
  },
  {
    inputs: [
      {
        internalType: 'uint256',
        name: 'length',
        type: 'uint256',
      },
    ],
    name: 'ECDSAInvalidSignatureLength',
    type: 'error',
  },
  {
    inputs: [
      {
        internalType: 'bytes32',
        name: 's',
        type: 'bytes32',
      },
    ],
    name: 'ECDSAInvalidSignatureS',
    type: 'error',
  },
  {
    inputs: [],
    name: 'EmptyBatch',
    type: 'error',
  },
  {
    inputs: [],
    name: 'FailedCall',
    type: 'error',
  },
  {
    inputs: [],
    name: 'InvalidChannel',
    type: 'error',
  },
  {
    inputs: [],
    name: 'InvalidCollector',
    type: 'error',
  },
  {
    inputs: [],
    name: 'InvalidRefundNonce',
    type: 'error',
  },
  {
    inputs: [],
    name: 'InvalidShortString',
    type: 'error',
  },
  {
    inputs: [],
    name: 'InvalidSignature',
    type: 'error',
  },
  {
    inputs: [],
    name: 'NotAuthorizedToFinalizeWithdraw',
    type: 'error',
  },
  {
    inputs: [],
    name: 'NotReceiverAuthorizer',
    type: 'error',
  },
  {
    inputs: [],
    name: 'NothingToWithdraw',
    type: 'error',
  },
  {
    inputs: [],
    name: 'ReentrancyGuardReentrantCall',
    type: 'error',
  },
  {
    inputs: [
      {
        internalType: 'address',
        name: 'token',
        type: 'address',
      },
    ],
    name: 'SafeERC20FailedOperation',
    type: 'error',
  },
  {
    inputs: [
      {
        internalType: 'string',
        name: 'str',
        type: 'string',
      },
    ],
    name: 'StringTooLong',
    type: 'error',
  },
  {
    inputs: [],
    name: 'WithdrawAmountExceedsAvailable',
    type: 'error',
  },
  {
    inputs: [],
    name: 'WithdrawDelayNotElapsed',
    type: 'error',
  },
  {
    inputs: [],
    name: 'WithdrawDelayOutOfRange',
    type: 'error',
  },
  {
    inputs: [],
    name: 'WithdrawalAlreadyPending',
    type: 'error',
  },
  {
    inputs: [],
    name: 'WithdrawalNotPending',
    type: 'error',
  },
  {
    inputs: [],
    name: 'ZeroDeposit',
    type: 'error',
  },
  {
    inputs: [],
    name: 'ZeroRefund',
    type: 'error',
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: 'bytes32',
        name: 'channelId',
        type: 'bytes32',
      },
      {
        components: [
          {
            internalType: 'address',
            name: 'payer',
            type: 'address',
          },
          {
            internalType: 'address',
            name: 'payerAuthorizer',
            type: 'address',
          },
          {
            internalType: 'address',
            name: 'receiver',
            type: 'address',
          },
          {
            internalType: 'address',
            name: 'receiverAuthorizer',
            type: 'address',
          },
          {
            internalType: 'address',
            name: 'token',
            type: 'address',
          },
          {
            internalType: 'uint40',
            name: 'withdrawDelay',
            type: 'uint40',
          },
          {
            internalType: 'bytes32',
            name: 'salt',
            type: 'bytes32',
          },
        ],
        indexed: false,
        internalType: 'struct SandboxX402BatchSettlement.ChannelConfig',
        name: 'config',
        type: 'tuple',
      },
    ],
    name: 'ChannelCreated',
    type: 'event',
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: 'bytes32',
        name: 'channelId',
        type: 'bytes32',
      },
      {
        indexed: true,
        internalType: 'address',
        name: 'sender',
        type: 'address',
      },
      {
        indexed: false,
        internalType: 'uint128',
        name: 'claimAmount',
        type: 'uint128',
      },
      {
        indexed: false,
        internalType: 'uint128',
        name: 'newTotalClaimed',
        type: 'uint128',
      },
    ],
    name: 'Claimed',
    type: 'event',
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: 'bytes32',
        name: 'channelId',
        type: 'bytes32',
      },
      {
        indexed: true,
        internalType: 'address',
        name: 'sender',
        type: 'address',
      },
      {
        indexed: false,
        internalType: 'uint128',
        name: 'amount',
        type: 'uint128',
      },
      {
        indexed: false,
        internalType: 'uint128',
        name: 'newBalance',
        type: 'uint128',
      },
    ],
    name: 'Deposited',
    type: 'event',
  },
  {
    anonymous: false,
    inputs: [],
    name: 'EIP712DomainChanged',
    type: 'event',
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: 'bytes32',
        name: 'channelId',
        type: 'bytes32',
      },
      {
        indexed: true,
        internalType: 'address',
        name: 'sender',
        type: 'address',
      },
      {
        indexed: false,
        internalType: 'uint128',
        name: 'amount',
        type: 'uint128',
      },
    ],
    name: 'Refunded',
    type: 'event',
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: 'address',
        name: 'receiver',
        type: 'address',
      },
      {
        indexed: true,
        internalType: 'address',
        name: 'token',
        type: 'address',
      },
      {
        indexed: true,
        internalType: 'address',
        name: 'sender',
        type: 'address',
      },
      {
        indexed: false,
        internalType: 'uint128',
        name: 'amount',
        type: 'uint128',
      },
    ],
    name: 'Settled',
    type: 'event',
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: 'bytes32',
        name: 'channelId',
        type: 'bytes32',
      },
      {
        indexed: true,
        internalType: 'address',
        name: 'sender',
        type: 'address',
      },
      {
        indexed: false,
        internalType: 'uint128',
        name: 'amount',
        type: 'uint128',
      },
    ],
    name: 'WithdrawFinalized',
    type: 'event',
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: 'bytes32',
        name: 'channelId',
        type: 'bytes32',
      },
      {
        indexed: false,
        internalType: 'uint128',
        name: 'amount',
        type: 'uint128',
      },
      {
        indexed: false,
        internalType: 'uint40',
        name: 'finalizeAfter',
        type: 'uint40',
      },
    ],
    name: 'WithdrawInitiated',
    type: 'event',
  },
  {
    inputs: [],
    name: 'CHANNEL_CONFIG_TYPEHASH',
    outputs: [
      {
        internalType: 'bytes32',
        name: '',
        type: 'bytes32',
      },
    ],
    stateMutability: 'view',
    type: 'function',
  },
  {
    inputs: [],
    name: 'CLAIM_BATCH_TYPEHASH',
    outputs: [
      {
        internalType: 'bytes32',
        name: '',
        type: 'bytes32',
      },
    ],
    stateMutability: 'view',
    type: 'function',
  },
  {
    inputs: [],
    name: 'CLAIM_ENTRY_TYPEHASH',
    outputs: [
      {
        internalType: 'bytes32',
        name: '',
        type: 'bytes32',
      },
    ],
    stateMutability: 'view',
    type: 'function',
  },
  {
    inputs: [],
    name: 'MAX_WITHDRAW_DELAY',
    outputs: [
      {
        internalType: 'uint40',
        name: '',
        type: 'uint40',
      },
    ],
    stateMutability: 'view',
    type: 'function',
  },
  {
    inputs: [],
    name: 'MIN_WITHDRAW_DELAY',
    outputs: [
      {
        internalType: 'uint40',
        name: '',
        type: 'uint40',
      },
    ],
    stateMutability: 'view',
    type: 'function',
  },
  {
    inputs: [],
    name: 'REFUND_TYPEHASH',
    outputs: [
      {
        internalType: 'bytes32',
        name: '',
        type: 'bytes32',
      },
    ],
    stateMutability: 'view',
    type: 'function',
  },
  {
    inputs: [],
    name: 'VOUCHER_TYPEHASH',
    outputs: [
      {
        internalType: 'bytes32',
        name: '',
        type: 'bytes32',
      },
    ],
    stateMutability: 'view',
    type: 'function',
  },
  {
    inputs: [
      {
        internalType: 'bytes32',
        name: 'channelId',
        type: 'bytes32',
      },
    ],
    name: 'channels',
    outputs: [
      {
        internalType: 'uint128',
        name: 'balance',
        type: 'uint128',
      },
      {
        internalType: 'uint128',
        name: 'totalClaimed',
        type: 'uint128',
      },
    ],
    stateMutability: 'view',
    type: 'function',
  },
  {
    inputs: [
      {
        components: [
          {
            components: [
              {
                components: [
                  {
                    internalType: 'address',
                    name: 'payer',
                    type: 'address',
                  },
                  {
                    internalType: 'address',
                    name: 'payerAuthorizer',
                    type: 'address',
                  },
                  {
                    internalType: 'address',
                    name: 'receiver',
                    type: 'address',
                  },
                  {
                    internalType: 'address',
                    name: 'receiverAuthorizer',
                    type: 'address',
                  },
                  {
                    internalType: 'address',
                    name: 'token',
                    type: 'address',
                  },
                  {
                    internalType: 'uint40',
                    name: 'withdrawDelay',
                    type: 'uint40',
                  },
                  {
                    internalType: 'bytes32',
                    name: 'salt',
                    type: 'bytes32',
                  },
                ],
                internalType: 'struct SandboxX402BatchSettlement.ChannelConfig',
                name: 'channel',
                type: 'tuple',
              },
              {
                internalType: 'uint128',
                name: 'maxClaimableAmount',
                type: 'uint128',
              },
            ],
            internalType: 'struct SandboxX402BatchSettlement.Voucher',
            name: 'voucher',
            type: 'tuple',
          },
          {
            internalType: 'bytes',
            name: 'signature',
            type: 'bytes',
          },
          {
            internalType: 'uint128',
            name: 'totalClaimed',
            type: 'uint128',
          },
        ],
        internalType: 'struct SandboxX402BatchSettlement.VoucherClaim[]',
        name: 'voucherClaims',
        type: 'tuple[]',
      },
      {
        internalType: 'bytes',
        name: 'authorizerSignature',
        type: 'bytes',
      },
    ],
    name: 'claimWithSignature',
    outputs: [],
    stateMutability: 'nonpayable',
    type: 'function',
  },
  {
    inputs: [
      {
        components: [
          {
            internalType: 'address',
            name: 'payer',
            type: 'address',
          },
          {
            internalType: 'address',
            name: 'payerAuthorizer',
            type: 'address',
          },
          {
            internalType: 'address',
            name: 'receiver',
            type: 'address',
          },
          {
            internalType: 'address',
            name: 'receiverAuthorizer',
            type: 'address',
          },
          {
            internalType: 'address',
            name: 'token',
            type: 'address',
          },
          {
            internalType: 'uint40',
            name: 'withdrawDelay',
            type: 'uint40',
          },
          {
            internalType: 'bytes32',
            name: 'salt',
            type: 'bytes32',
          },
        ],
        internalType: 'struct SandboxX402BatchSettlement.ChannelConfig',
        name: 'config',
        type: 'tuple',
      },
      {
        internalType: 'uint128',
        name: 'amount',
        type: 'uint128',
      },
      {
        internalType: 'address',
        name: 'collector',
        type: 'address',
      },
      {
        internalType: 'bytes',
        name: 'collectorData',
        type: 'bytes',
      },
    ],
    name: 'deposit',
    outputs: [],
    stateMutability: 'nonpayable',
    type: 'function',
  },
  {
    inputs: [],
    name: 'eip712Domain',
    outputs: [
      {
        internalType: 'bytes1',
        name: 'fields',
        type: 'bytes1',
      },
      {
        internalType: 'string',
        name: 'name',
        type: 'string',
      },
      {
        internalType: 'string',
        name: 'version',
        type: 'string',
      },
      {
        internalType: 'uint256',
        name: 'chainId',
        type: 'uint256',
      },
      {
        internalType: 'address',
        name: 'verifyingContract',
        type: 'address',
      },
      {
        internalType: 'bytes32',
        name: 'salt',
        type: 'bytes32',
      },
      {
        internalType: 'uint256[]',
        name: 'extensions',
        type: 'uint256[]',
      },
    ],
    stateMutability: 'view',
    type: 'function',
  },
  {
    inputs: [
      {
        components: [
          {
            internalType: 'address',
            name: 'payer',
            type: 'address',
          },
          {
            internalType: 'address',
            name: 'payerAuthorizer',
            type: 'address',
          },
          {
            internalType: 'address',
            name: 'receiver',
            type: 'address',
          },
          {
            internalType: 'address',
            name: 'receiverAuthorizer',
            type: 'address',
          },
          {
            internalType: 'address',
            name: 'token',
            type: 'address',
          },
          {
            internalType: 'uint40',
            name: 'withdrawDelay',
            type: 'uint40',
          },
          {
            internalType: 'bytes32',
            name: 'salt',
            type: 'bytes32',
          },
        ],
        internalType: 'struct SandboxX402BatchSettlement.ChannelConfig',
        name: 'config',
        type: 'tuple',
      },
    ],
    name: 'finalizeWithdraw',
    outputs: [],
    stateMutability: 'nonpayable',
    type: 'function',
  },
  {
    inputs: [
      {
        components: [
          {
            internalType: 'address',
            name: 'payer',
            type: 'address',
          },
          {
            internalType: 'address',
            name: 'payerAuthorizer',
            type: 'address',
          },
          {
            internalType: 'address',
            name: 'receiver',
            type: 'address',
          },
          {
            internalType: 'address',
            name: 'receiverAuthorizer',
            type: 'address',
          },
          {
            internalType: 'address',
            name: 'token',
            type: 'address',
          },
          {
            internalType: 'uint40',
            name: 'withdrawDelay',
            type: 'uint40',
          },
          {
            internalType: 'bytes32',
            name: 'salt',
            type: 'bytes32',
          },
        ],
        internalType: 'struct SandboxX402BatchSettlement.ChannelConfig',
        name: 'config',
        type: 'tuple',
      },
    ],
    name: 'getChannelId',
    outputs: [
      {
        internalType: 'bytes32',
        name: '',
        type: 'bytes32',
      },
    ],
    stateMutability: 'view',
    type: 'function',
  },
  {
    inputs: [
      {
        components: [
          {
            components: [
              {
                components: [
                  {
                    internalType: 'address',
                    name: 'payer',
                    type: 'address',
                  },
                  {
                    internalType: 'address',
                    name: 'payerAuthorizer',
                    type: 'address',
                  },
                  {
                    internalType: 'address',
                    name: 'receiver',
                    type: 'address',
                  },
                  {
                    internalType: 'address',
                    name: 'receiverAuthorizer',
                    type: 'address',
                  },
                  {
                    internalType: 'address',
                    name: 'token',
                    type: 'address',
                  },
                  {
                    internalType: 'uint40',
                    name: 'withdrawDelay',
                    type: 'uint40',
                  },
                  {
                    internalType: 'bytes32',
                    name: 'salt',
                    type: 'bytes32',
                  },
                ],
                internalType: 'struct SandboxX402BatchSettlement.ChannelConfig',
                name: 'channel',
                type: 'tuple',
              },
              {
                internalType: 'uint128',
                name: 'maxClaimableAmount',
                type: 'uint128',
              },
            ],
            internalType: 'struct SandboxX402BatchSettlement.Voucher',
            name: 'voucher',
            type: 'tuple',
          },
          {
            internalType: 'bytes',
            name: 'signature',
            type: 'bytes',
          },
          {
            internalType: 'uint128',
            name: 'totalClaimed',
            type: 'uint128',
          },
        ],
        internalType: 'struct SandboxX402BatchSettlement.VoucherClaim[]',
        name: 'voucherClaims',
        type: 'tuple[]',
      },
    ],
    name: 'getClaimBatchDigest',
    outputs: [
      {
        internalType: 'bytes32',
        name: '',
        type: 'bytes32',
      },
    ],
    stateMutability: 'view',
    type: 'function',
  },
  {
    inputs: [
      {
        internalType: 'bytes32',
        name: 'channelId',
        type: 'bytes32',
      },
      {
        internalType: 'uint256',
        name: 'nonce',
        type: 'uint256',
      },
      {
        internalType: 'uint128',
        name: 'amount',
        type: 'uint128',
      },
    ],
    name: 'getRefundDigest',
    outputs: [
      {
        internalType: 'bytes32',
        name: '',
        type: 'bytes32',
      },
    ],
    stateMutability: 'view',
    type: 'function',
  },
  {
    inputs: [
      {
        internalType: 'bytes32',
        name: 'channelId',
        type: 'bytes32',
      },
      {
        internalType: 'uint128',
        name: 'maxClaimableAmount',
        type: 'uint128',
      },
    ],
    name: 'getVoucherDigest',
    outputs: [
      {
        internalType: 'bytes32',
        name: '',
        type: 'bytes32',
      },
    ],
    stateMutability: 'view',
    type: 'function',
  },
  {
    inputs: [
      {
        components: [
          {
            internalType: 'address',
            name: 'payer',
            type: 'address',
          },
          {
            internalType: 'address',
            name: 'payerAuthorizer',
            type: 'address',
          },
          {
            internalType: 'address',
            name: 'receiver',
            type: 'address',
          },
          {
            internalType: 'address',
            name: 'receiverAuthorizer',
            type: 'address',
          },
          {
            internalType: 'address',
            name: 'token',
            type: 'address',
          },
          {
            internalType: 'uint40',
            name: 'withdrawDelay',
            type: 'uint40',
          },
          {
            internalType: 'bytes32',
            name: 'salt',
            type: 'bytes32',
          },
        ],
        internalType: 'struct SandboxX402BatchSettlement.ChannelConfig',
        name: 'config',
        type: 'tuple',
      },
      {
        internalType: 'uint128',
        name: 'amount',
        type: 'uint128',
      },
    ],
    name: 'initiateWithdraw',
    outputs: [],
    stateMutability: 'nonpayable',
    type: 'function',
  },
  {
    inputs: [
      {
        internalType: 'bytes[]',
        name: 'data',
        type: 'bytes[]',
      },
    ],
    name: 'multicall',
    outputs: [
      {
        internalType: 'bytes[]',
        name: 'results',
        type: 'bytes[]',
      },
    ],
    stateMutability: 'nonpayable',
    type: 'function',
  },
  {
    inputs: [
      {
        internalType: 'bytes32',
        name: 'channelId',
        type: 'bytes32',
      },
    ],
    name: 'pendingWithdrawals',
    outputs: [
      {
        internalType: 'uint128',
        name: 'amount',
        type: 'uint128',
      },
      {
        internalType: 'uint40',
        name: 'initiatedAt',
        type: 'uint40',
      },
    ],
    stateMutability: 'view',
    type: 'function',
  },
  {
    inputs: [
      {
        internalType: 'address',
        name: 'receiver',
        type: 'address',
      },
      {
        internalType: 'address',
        name: 'token',
        type: 'address',
      },
    ],
    name: 'receivers',
    outputs: [
      {
        internalType: 'uint128',
        name: 'totalClaimed',
        type: 'uint128',
      },
      {
        internalType: 'uint128',
        name: 'totalSettled',
        type: 'uint128',
      },
    ],
    stateMutability: 'view',
    type: 'function',
  },
  {
    inputs: [
      {
        internalType: 'bytes32',
        name: 'channelId',
        type: 'bytes32',
      },
    ],
    name: 'refundNonce',
    outputs: [
      {
        internalType: 'uint256',
        name: '',
        type: 'uint256',
      },
    ],
    stateMutability: 'view',
    type: 'function',
  },
  {
    inputs: [
      {
        components: [
          {
            internalType: 'address',
            name: 'payer',
            type: 'address',
          },
          {
            internalType: 'address',
            name: 'payerAuthorizer',
            type: 'address',
          },
          {
            internalType: 'address',
            name: 'receiver',
            type: 'address',
          },
          {
            internalType: 'address',
            name: 'receiverAuthorizer',
            type: 'address',
          },
          {
            internalType: 'address',
            name: 'token',
            type: 'address',
          },
          {
            internalType: 'uint40',
            name: 'withdrawDelay',
            type: 'uint40',
          },
          {
            internalType: 'bytes32',
            name: 'salt',
            type: 'bytes32',
          },
        ],
        internalType: 'struct SandboxX402BatchSettlement.ChannelConfig',
        name: 'config',
        type: 'tuple',
      },
      {
        internalType: 'uint128',
        name: 'amount',
        type: 'uint128',
      },
      {
        internalType: 'uint256',
        name: 'nonce',
        type: 'uint256',
      },
      {
        internalType: 'bytes',
        name: 'receiverAuthorizerSignature',
        type: 'bytes',
      },
    ],
    name: 'refundWithSignature',
    outputs: [],
    stateMutability: 'nonpayable',
    type: 'function',
  },
  {
    inputs: [
      {
        internalType: 'address',
        name: 'receiver',
        type: 'address',
      },
      {
        internalType: 'address',
        name: 'token',
        type: 'address',
      },
    ],
    name: 'settle',
    outputs: [],
    stateMutability: 'nonpayable',
    type: 'function',
  },
] as const;

export const sandboxX402BatchSettlementCreationCode =
  '0x610160604052348015610010575f5ffd5b506040518060400160405280601581526020017f7834303220426174636820536574746c656d656e740000000000000000000000815250604051806040016040528060018152602001603160f81b8152506100708261011760201b60201c565b6101205261007d81610117565b61014052815160208084019190912060e052815190820120610100524660a05261010960e05161010051604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201529081019290925260608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b60805250503060c0526101b8565b5f5f829050601f8151111561014a578260405163305a27a960e01b8152600401610141919061015d565b60405180910390fd5b805161015582610192565b179392505050565b602081525f82518060208401528060208501604085015e5f604082850101526040601f19601f83011684010191505092915050565b805160208083015191908110156101b2575f198160200360031b1b821691505b50919050565b60805160a05160c05160e0516101005161012051610140516130b66102095f395f611a0801525f6119d801525f61229a01525f61227201525f6121cd01525f6121f701525f61222101526130b65ff3fe608060405234801561000f575f5ffd5b5060043610610184575f3560e01c806394739e87116100dd578063ba94ec0d11610088578063e43ce1f211610063578063e43ce1f21461049e578063e88377b1146104b1578063f0dc792e146104c4575f5ffd5b8063ba94ec0d14610451578063cf5cf3dc14610478578063e25cf1891461048b575f5ffd5b8063ae159439116100b8578063ae159439146103b9578063b77433e9146103c2578063b7f06ebe146103d5575f5ffd5b806394739e871461035f5780639db32a8f14610386578063ac9650d814610399575f5ffd5b806353ab0fae1161013d57806384b0196e1161011857806384b0196e1461030a578063862bb199146103255780638e4a68ac14610338575f5ffd5b806353ab0fae146102875780635e5e0b87146102ae5780637a7ebd7b146102c1575f5ffd5b80631fc3277d1161016d5780631fc3277d146101d757806321ff6389146101f7578063488ccc3b14610274575f5ffd5b8063140f1e75146101885780631e69ef401461019d575b5f5ffd5b61019b610196366004612844565b6104e3565b005b6101c47fbe23ad087435072cd69b49cc5b92de10ee610fce7ae0ab428307972d764bb21681565b6040519081526020015b60405180910390f35b6101e162278d0081565b60405164ffffffffff90911681526020016101ce565b61024b6102053660046128b9565b600560209081525f92835260408084209091529082529020546fffffffffffffffffffffffffffffffff8082169170010000000000000000000000000000000090041682565b604080516fffffffffffffffffffffffffffffffff9384168152929091166020830152016101ce565b6101c461028236600461292b565b610912565b6101c47f42bd57c010b870c2e96203c66341f28a6a19b4d56a74533a8eb5f706b9fd6d5781565b6101c46102bc36600461296a565b610add565b61024b6102cf366004612984565b60026020525f90815260409020546fffffffffffffffffffffffffffffffff8082169170010000000000000000000000000000000090041682565b610312610b14565b6040516101ce97969594939291906129e7565b6101c4610333366004612aa6565b610b72565b6101c47f1c9a06ceab9b0ebbd3301dc56c9111bb6d9af421356dc9ccb3b7084c755db30881565b6101c47f1e1bd6ff84c3e0d9029a292b212e039c0ca97ec497c55191a4a5874294609a6981565b61019b6103943660046128b9565b610bcf565b6103ac6103a736600461292b565b610d28565b6040516101ce9190612ac7565b6101e161038481565b61019b6103d0366004612b48565b610e0e565b6104236103e3366004612984565b60046020525f90815260409020546fffffffffffffffffffffffffffffffff811690700100000000000000000000000000000000900464ffffffffff1682565b604080516fffffffffffffffffffffffffffffffff909316835264ffffffffff9091166020830152016101ce565b6101c47f30b9a0367528fca13c3e8ec6134c3113f1887ebe7a1ad61de0955aac288b0cf581565b61019b610486366004612b99565b6110dc565b6101c4610499366004612bc3565b611313565b61019b6104ac366004612bf5565b611378565b61019b6104bf36600461296a565b6114ee565b6101c46104d2366004612984565b60036020525f908152604090205481565b6104eb61179b565b6104f4856117d2565b836fffffffffffffffffffffffffffffffff165f0361053f576040517f56316e8700000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b73ffffffffffffffffffffffffffffffffffffffff831661058c576040517f18b1afd400000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f61059686610add565b5f8181526002602052604081208054929350916fffffffffffffffffffffffffffffffff161580156105ed5750815470010000000000000000000000000000000090046fffffffffffffffffffffffffffffffff16155b8254909150879083905f906106159084906fffffffffffffffffffffffffffffffff16612c8e565b92506101000a8154816fffffffffffffffffffffffffffffffff02191690836fffffffffffffffffffffffffffffffff1602179055505f88608001602081019061065f9190612cb6565b6040517f70a0823100000000000000000000000000000000000000000000000000000000815230600482015273ffffffffffffffffffffffffffffffffffffffff91909116906370a0823190602401602060405180830381865afa1580156106c9573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906106ed9190612ccf565b905073ffffffffffffffffffffffffffffffffffffffff871663e416d8d361071860208c018c612cb6565b61072860a08d0160808e01612cb6565b8b888b8b6040518763ffffffff1660e01b815260040161074d96959493929190612ce6565b5f604051808303815f87803b158015610764575f5ffd5b505af1158015610776573d5f5f3e3d5ffd5b50505050876fffffffffffffffffffffffffffffffff16816107989190612d8c565b6107a860a08b0160808c01612cb6565b6040517f70a0823100000000000000000000000000000000000000000000000000000000815230600482015273ffffffffffffffffffffffffffffffffffffffff91909116906370a0823190602401602060405180830381865afa158015610812573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906108369190612ccf565b1461086d576040517feb43592c00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b81156108ac57837f69d8248d5566bdb2ebc4d218970710d8378a2ff9b709a999e052b71970f808fa8a6040516108a39190612e93565b60405180910390a25b8254604080516fffffffffffffffffffffffffffffffff808c1682529092166020830152339186917f6c2a09353b5e75e70d0b9778b80a413809bb235d46c211811c474b3346791d89910160405180910390a35050505061090b611960565b5050505050565b5f808267ffffffffffffffff81111561092d5761092d612ea1565b604051908082528060200260200182016040528015610956578160200160208202803683370190505b5090505f5b8151811015610a4d573685858381811061097757610977612ece565b90506020028101906109899190612efb565b90505f61099582610add565b90507f30b9a0367528fca13c3e8ec6134c3113f1887ebe7a1ad61de0955aac288b0cf5816109ca610100850160e08601612f37565b6109dc61014086016101208701612f37565b6040805160208101959095528401929092526fffffffffffffffffffffffffffffffff908116606084015216608082015260a00160405160208183030381529060405280519060200120848481518110610a3857610a38612ece565b6020908102919091010152505060010161095b565b505f81604051602001610a609190612f50565b604051602081830303815290604052805190602001209050610ad27f42bd57c010b870c2e96203c66341f28a6a19b4d56a74533a8eb5f706b9fd6d5782604051602001610ab7929190918252602082015260400190565b6040516020818303038152906040528051906020012061198a565b925050505b92915050565b5f610ad77f1c9a06ceab9b0ebbd3301dc56c9111bb6d9af421356dc9ccb3b7084c755db30883604051602001610ab7929190612f85565b5f6060805f5f5f6060610b256119d1565b610b2d611a01565b604080515f808252602082019092527f0f000000000000000000000000000000000000000000000000000000000000009b939a50919850469750309650945092509050565b604080517f1e1bd6ff84c3e0d9029a292b212e039c0ca97ec497c55191a4a5874294609a6960208201529081018390526fffffffffffffffffffffffffffffffff821660608201525f90610bc890608001610ab7565b9392505050565b610bd761179b565b73ffffffffffffffffffffffffffffffffffffffff8083165f90815260056020908152604080832093851683529290529081208054909190610c41906fffffffffffffffffffffffffffffffff700100000000000000000000000000000000820481169116612f9a565b9050806fffffffffffffffffffffffffffffffff165f03610c63575050610d1c565b81546fffffffffffffffffffffffffffffffff9081167001000000000000000000000000000000008102178355610cb59073ffffffffffffffffffffffffffffffffffffffff85169086908416611a2c565b6040516fffffffffffffffffffffffffffffffff82168152339073ffffffffffffffffffffffffffffffffffffffff85811691908716907f7337b4386b690fdb8ba66905b92b9d45d33bc6626ee2620c905fb150ec0cc47d9060200160405180910390a450505b610d24611960565b5050565b604080515f8152602081019091526060908267ffffffffffffffff811115610d5257610d52612ea1565b604051908082528060200260200182016040528015610d8557816020015b6060815260200190600190039081610d705790505b5091505f5b83811015610e0657610de130868684818110610da857610da8612ece565b9050602002810190610dba9190612fc2565b85604051602001610dcd93929190613023565b604051602081830303815290604052611a91565b838281518110610df357610df3612ece565b6020908102919091010152600101610d8a565b505092915050565b610e1661179b565b5f610e2086610add565b5f818152600360205260409020549091508414610e69576040517f164f1afe00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f610e75828688611313565b9050610e92610e8a6080890160608a01612cb6565b828686611b7d565b856fffffffffffffffffffffffffffffffff165f03610edd576040517fd758525c00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b610ee8856001612d8c565b5f83815260036020526040812091909155610f0b87610f0685611bf3565b611c33565b9050806fffffffffffffffffffffffffffffffff165f03610f2e575050506110d4565b5f8381526002602052604081208054839290610f5d9084906fffffffffffffffffffffffffffffffff16612f9a565b82546101009290920a6fffffffffffffffffffffffffffffffff8181021990931691831602179091555f8581526004602052604090208054909250811690831610610fda575f84815260046020526040902080547fffffffffffffffffffffff000000000000000000000000000000000000000000169055611036565b8054829082905f90610fff9084906fffffffffffffffffffffffffffffffff16612f9a565b92506101000a8154816fffffffffffffffffffffffffffffffff02191690836fffffffffffffffffffffffffffffffff1602179055505b6040516fffffffffffffffffffffffffffffffff83168152339085907fa84286cf8ebc7903a663c77c8d99aa92b600d4c2fcca872a5d4a663db4eb394b9060200160405180910390a36110cf61108f60208b018b612cb6565b6fffffffffffffffffffffffffffffffff84166110b260a08d0160808e01612cb6565b73ffffffffffffffffffffffffffffffffffffffff169190611a2c565b505050505b61090b611960565b6110e461179b565b6110ed82611c6c565b611123576040517fea3a9a3900000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b806fffffffffffffffffffffffffffffffff165f0361116e576040517fd0d04f6000000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f61117883610add565b5f818152600460205260409020805491925090700100000000000000000000000000000000900464ffffffffff16156111dd576040517fa2aed0f000000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6111e682611bf3565b6fffffffffffffffffffffffffffffffff16836fffffffffffffffffffffffffffffffff161115611243576040517f6d3d576400000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b805464ffffffffff4216700100000000000000000000000000000000027fffffffffffffffffffffff0000000000000000000000000000000000000000009091166fffffffffffffffffffffffffffffffff851617178155817fe4280d0d903c7f258f62b07c62f262377cbaa23f7791d78126e6446e0f0e3c23846112ce60c0880160a08901613046565b6112d8904261305f565b604080516fffffffffffffffffffffffffffffffff909316835264ffffffffff90911660208301520160405180910390a25050610d24611960565b604080517fbe23ad087435072cd69b49cc5b92de10ee610fce7ae0ab428307972d764bb2166020820152908101849052606081018390526fffffffffffffffffffffffffffffffff821660808201525f906113709060a001610ab7565b949350505050565b61138061179b565b5f8390036113ba576040517fc2e5347d00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f84845f8181106113cd576113cd612ece565b90506020028101906113df9190612efb565b6113f0906080810190606001612cb6565b9050611407816114008787610912565b8585611b7d565b5f5b848110156114de578173ffffffffffffffffffffffffffffffffffffffff1686868381811061143a5761143a612ece565b905060200281019061144c9190612efb565b61145d906080810190606001612cb6565b73ffffffffffffffffffffffffffffffffffffffff16146114aa576040517ff5e2237d00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6114d68686838181106114bf576114bf612ece565b90506020028101906114d19190612efb565b611cf2565b600101611409565b50506114e8611960565b50505050565b6114f661179b565b6114ff81611c6c565b611535576040517f15f969d500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f61153f82610add565b5f8181526004602090815260408083208151808301909252546fffffffffffffffffffffffffffffffff81168252700100000000000000000000000000000000900464ffffffffff1691810182905292935090036115c9576040517f3a0a1ca600000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6115d960c0840160a08501613046565b64ffffffffff16816020015164ffffffffff166115f69190612d8c565b42101561162f576040517ff396582700000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f82815260046020526040812080547fffffffffffffffffffffff000000000000000000000000000000000000000000169055815161167190610f0685611bf3565b5f848152600260205260408120805492935083929091906116a59084906fffffffffffffffffffffffffffffffff16612f9a565b92506101000a8154816fffffffffffffffffffffffffffffffff02191690836fffffffffffffffffffffffffffffffff1602179055503373ffffffffffffffffffffffffffffffffffffffff16837f546ce1e2242cd930c196bd08b894443562d709b4fffe4f028a75a6d233efc6e38360405161173a91906fffffffffffffffffffffffffffffffff91909116815260200190565b60405180910390a36fffffffffffffffffffffffffffffffff81161561178d5761178d61176a6020860186612cb6565b6fffffffffffffffffffffffffffffffff83166110b260a0880160808901612cb6565b505050611798611960565b50565b6117a3612154565b6117d060017f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005b906121ad565b565b5f6117e06020830183612cb6565b73ffffffffffffffffffffffffffffffffffffffff16148061182657505f61180e6060830160408401612cb6565b73ffffffffffffffffffffffffffffffffffffffff16145b1561185d576040517fea3a9a3900000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f61186e6080830160608401612cb6565b73ffffffffffffffffffffffffffffffffffffffff1614806118b457505f61189c60a0830160808401612cb6565b73ffffffffffffffffffffffffffffffffffffffff16145b156118eb576040517fea3a9a3900000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6103846118fe60c0830160a08401613046565b64ffffffffff161080611929575062278d0061192060c0830160a08401613046565b64ffffffffff16115b15611798576040517f4574fab600000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6117d05f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f006117ca565b5f610ad76119966121b4565b836040517f19010000000000000000000000000000000000000000000000000000000000008152600281019290925260228201526042902090565b60606119fc7f00000000000000000000000000000000000000000000000000000000000000006122ea565b905090565b60606119fc7f00000000000000000000000000000000000000000000000000000000000000006122ea565b611a398383836001612327565b611a8c576040517f5274afe700000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff841660048201526024015b60405180910390fd5b505050565b60605f611a9e84846123af565b9050808015611acc57505f3d1180611acc57505f8473ffffffffffffffffffffffffffffffffffffffff163b115b15611ae157611ad96123c2565b915050610ad7565b8015611b31576040517f9996b31500000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff85166004820152602401611a83565b3d15611b4457611b3f6123db565b611b76565b6040517fd6bda27500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5092915050565b611bbd848484848080601f0160208091040260200160405190810160405280939291908181526020018383808284375f920191909152506123e692505050565b6114e8576040517f8baa579f00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f81815260026020526040812054610ad7906fffffffffffffffffffffffffffffffff700100000000000000000000000000000000820481169116612f9a565b5f816fffffffffffffffffffffffffffffffff16836fffffffffffffffffffffffffffffffff1610611c655781610bc8565b5090919050565b5f611c7a6020830183612cb6565b73ffffffffffffffffffffffffffffffffffffffff163373ffffffffffffffffffffffffffffffffffffffff161480610ad75750611cbe6040830160208401612cb6565b73ffffffffffffffffffffffffffffffffffffffff163373ffffffffffffffffffffffffffffffffffffffff161492915050565b805f611cfd82610add565b5f81815260026020526040902080549192509070010000000000000000000000000000000090046fffffffffffffffffffffffffffffffff16611d4861014086016101208701612f37565b6fffffffffffffffffffffffffffffffff1611611d655750505050565b611d76610100850160e08601612f37565b6fffffffffffffffffffffffffffffffff16611d9a61014086016101208701612f37565b6fffffffffffffffffffffffffffffffff161115611de4576040517ff178977500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b80546fffffffffffffffffffffffffffffffff16611e0a61014086016101208701612f37565b6fffffffffffffffffffffffffffffffff161115611e54576040517f7d8242b600000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f611e6a83610333610100880160e08901612f37565b90505f611e7d6040860160208701612cb6565b73ffffffffffffffffffffffffffffffffffffffff1603611ec157611ebc611ea86020860186612cb6565b82611eb7610100890189612fc2565b611b7d565b611f7f565b611ed16040850160208601612cb6565b73ffffffffffffffffffffffffffffffffffffffff16611f3282611ef9610100890189612fc2565b8080601f0160208091040260200160405190810160405280939291908181526020018383808284375f9201919091525061247d92505050565b73ffffffffffffffffffffffffffffffffffffffff1614611f7f576040517f8baa579f00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b81545f9070010000000000000000000000000000000090046fffffffffffffffffffffffffffffffff16611fbb61014088016101208901612f37565b611fc59190612f9a565b9050611fd961014087016101208801612f37565b83546fffffffffffffffffffffffffffffffff9182167001000000000000000000000000000000000291161783558060055f61201b6060890160408a01612cb6565b73ffffffffffffffffffffffffffffffffffffffff16815260208101919091526040015f9081209061205360a0890160808a01612cb6565b73ffffffffffffffffffffffffffffffffffffffff16815260208101919091526040015f908120805490919061209c9084906fffffffffffffffffffffffffffffffff16612c8e565b92506101000a8154816fffffffffffffffffffffffffffffffff02191690836fffffffffffffffffffffffffffffffff1602179055503373ffffffffffffffffffffffffffffffffffffffff16847f36bd546bb573e8921fdbfd934bbed62d872796b01792cd240cce27f79dd3eddd83896101200160208101906121209190612f37565b604080516fffffffffffffffffffffffffffffffff93841681529290911660208301520160405180910390a3505050505050565b7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005c156117d0576040517f3ee5aeb500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b80825d5050565b5f3073ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001614801561221957507f000000000000000000000000000000000000000000000000000000000000000046145b1561224357507f000000000000000000000000000000000000000000000000000000000000000090565b6119fc604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201527f0000000000000000000000000000000000000000000000000000000000000000918101919091527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b60605f6122f6836124a5565b6040805160208082528183019092529192505f91906020820181803683375050509182525060208101929092525090565b6040517fa9059cbb000000000000000000000000000000000000000000000000000000005f81815273ffffffffffffffffffffffffffffffffffffffff8616600452602485905291602083604481808b5af1925060015f511483166123a3578383151615612397573d5f823e3d81fd5b5f873b113d1516831692505b60405250949350505050565b5f5f5f835160208501865af49392505050565b6040513d81523d5f602083013e3d602001810160405290565b6040513d5f823e3d81fd5b5f8373ffffffffffffffffffffffffffffffffffffffff163b5f0361246b575f5f61241185856124e5565b5090925090505f81600381111561242a5761242a61307c565b14801561246257508573ffffffffffffffffffffffffffffffffffffffff168273ffffffffffffffffffffffffffffffffffffffff16145b92505050610bc8565b61247684848461252e565b9050610bc8565b5f5f5f5f61248b86866124e5565b92509250925061249b82826125ac565b5090949350505050565b5f60ff8216601f811115610ad7576040517fb3512b0c00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f5f5f835160410361251c576020840151604085015160608601515f1a61250e888285856126af565b955095509550505050612527565b505081515f91506002905b9250925092565b8051604080517f1626ba7e000000000000000000000000000000000000000000000000000000008082526004820186905260248201929092525f92906020820185604483015e5f82606483010152601f820160051c60051b915060205f60648401838a5afa9050825f5114601f3d1116811693505050509392505050565b5f8260038111156125bf576125bf61307c565b036125c8575050565b60018260038111156125dc576125dc61307c565b03612613576040517ff645eedf00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b60028260038111156126275761262761307c565b03612661576040517ffce698f700000000000000000000000000000000000000000000000000000000815260048101829052602401611a83565b60038260038111156126755761267561307c565b03610d24576040517fd78bce0c00000000000000000000000000000000000000000000000000000000815260048101829052602401611a83565b5f80807f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a08411156126e857505f91506003905082612798565b604080515f808252602082018084528a905260ff891692820192909252606081018790526080810186905260019060a0016020604051602081039080840390855afa158015612739573d5f5f3e3d5ffd5b50506040517fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0015191505073ffffffffffffffffffffffffffffffffffffffff811661278f57505f925060019150829050612798565b92505f91508190505b9450945094915050565b5f60e082840312156127b2575f5ffd5b50919050565b80356fffffffffffffffffffffffffffffffff811681146127d7575f5ffd5b919050565b803573ffffffffffffffffffffffffffffffffffffffff811681146127d7575f5ffd5b5f5f83601f84011261280f575f5ffd5b50813567ffffffffffffffff811115612826575f5ffd5b60208301915083602082850101111561283d575f5ffd5b9250929050565b5f5f5f5f5f6101408688031215612859575f5ffd5b61286387876127a2565b945061287160e087016127b8565b935061288061010087016127dc565b925061012086013567ffffffffffffffff81111561289c575f5ffd5b6128a8888289016127ff565b969995985093965092949392505050565b5f5f604083850312156128ca575f5ffd5b6128d3836127dc565b91506128e1602084016127dc565b90509250929050565b5f5f83601f8401126128fa575f5ffd5b50813567ffffffffffffffff811115612911575f5ffd5b6020830191508360208260051b850101111561283d575f5ffd5b5f5f6020838503121561293c575f5ffd5b823567ffffffffffffffff811115612952575f5ffd5b61295e858286016128ea565b90969095509350505050565b5f60e0828403121561297a575f5ffd5b610bc883836127a2565b5f60208284031215612994575f5ffd5b5035919050565b5f81518084528060208401602086015e5f6020828601015260207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f83011685010191505092915050565b7fff000000000000000000000000000000000000000000000000000000000000008816815260e060208201525f612a2160e083018961299b565b8281036040840152612a33818961299b565b6060840188905273ffffffffffffffffffffffffffffffffffffffff8716608085015260a0840186905283810360c0850152845180825260208087019350909101905f5b81811015612a95578351835260209384019390920191600101612a77565b50909b9a5050505050505050505050565b5f5f60408385031215612ab7575f5ffd5b823591506128e1602084016127b8565b5f602082016020835280845180835260408501915060408160051b8601019250602086015f5b82811015612b3c577fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc0878603018452612b2785835161299b565b94506020938401939190910190600101612aed565b50929695505050505050565b5f5f5f5f5f6101408688031215612b5d575f5ffd5b612b6787876127a2565b9450612b7560e087016127b8565b9350610100860135925061012086013567ffffffffffffffff81111561289c575f5ffd5b5f5f6101008385031215612bab575f5ffd5b612bb584846127a2565b91506128e160e084016127b8565b5f5f5f60608486031215612bd5575f5ffd5b8335925060208401359150612bec604085016127b8565b90509250925092565b5f5f5f5f60408587031215612c08575f5ffd5b843567ffffffffffffffff811115612c1e575f5ffd5b612c2a878288016128ea565b909550935050602085013567ffffffffffffffff811115612c49575f5ffd5b612c55878288016127ff565b95989497509550505050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b6fffffffffffffffffffffffffffffffff8181168382160190811115610ad757610ad7612c61565b5f60208284031215612cc6575f5ffd5b610bc8826127dc565b5f60208284031215612cdf575f5ffd5b5051919050565b73ffffffffffffffffffffffffffffffffffffffff8716815273ffffffffffffffffffffffffffffffffffffffff861660208201526fffffffffffffffffffffffffffffffff8516604082015283606082015260a060808201528160a0820152818360c08301375f81830160c090810191909152601f9092017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe016010195945050505050565b80820180821115610ad757610ad7612c61565b803564ffffffffff811681146127d7575f5ffd5b73ffffffffffffffffffffffffffffffffffffffff612dd1826127dc565b16825273ffffffffffffffffffffffffffffffffffffffff612df5602083016127dc565b16602083015273ffffffffffffffffffffffffffffffffffffffff612e1c604083016127dc565b16604083015273ffffffffffffffffffffffffffffffffffffffff612e43606083016127dc565b16606083015273ffffffffffffffffffffffffffffffffffffffff612e6a608083016127dc565b166080830152612e7c60a08201612d9f565b64ffffffffff1660a083015260c090810135910152565b60e08101610ad78284612db3565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52603260045260245ffd5b5f82357ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffec1833603018112612f2d575f5ffd5b9190910192915050565b5f60208284031215612f47575f5ffd5b610bc8826127b8565b81515f90829060208501835b82811015612f7a578151845260209384019390910190600101612f5c565b509195945050505050565b8281526101008101610bc86020830184612db3565b6fffffffffffffffffffffffffffffffff8281168282160390811115610ad757610ad7612c61565b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe1843603018112612ff5575f5ffd5b83018035915067ffffffffffffffff82111561300f575f5ffd5b60200191503681900382131561283d575f5ffd5b828482375f8382015f815283518060208601835e5f910190815295945050505050565b5f60208284031215613056575f5ffd5b610bc882612d9f565b64ffffffffff8181168382160190811115610ad757610ad7612c61565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffdfea164736f6c6343000825000a';
