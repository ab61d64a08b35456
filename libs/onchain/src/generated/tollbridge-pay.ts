// Written by scripts/compile.mjs from contracts/TollbridgePay.sol; do not edit.
export const tollbridgePayCompiler = '0.8.37+commit.f401782d.Emscripten.clang';

export const tollbridgePayAbi = [
  {
    inputs: [
      {
        internalType: 'uint256',
        name: 'amountIn',
        type: 'uint256',
      },
      {
        internalType: 'uint256',
        name: 'merchantAmount',
        type: 'uint256',
      },
      {
        internalType: 'uint256',
        name: 'feeAmount',
        type: 'uint256',
      },
    ],
    name: 'AmountsDoNotAddUp',
    type: 'error',
  },
  {
    inputs: [
      {
        internalType: 'address',
        name: 'receiver',
        type: 'address',
      },
      {
        internalType: 'uint256',
        name: 'expectedBalance',
        type: 'uint256',
      },
      {
        internalType: 'uint256',
        name: 'actualBalance',
        type: 'uint256',
      },
    ],
    name: 'InexactTransfer',
    type: 'error',
  },
  {
    inputs: [
      {
        internalType: 'address',
        name: 'receiver',
        type: 'address',
      },
    ],
    name: 'InvalidReceiver',
    type: 'error',
  },
  {
    inputs: [
      {
        internalType: 'address',
        name: 'receiver',
        type: 'address',
      },
    ],
    name: 'NativeTransferFailed',
    type: 'error',
  },
  {
    inputs: [
      {
        internalType: 'bytes32',
        name: 'orderHash',
        type: 'bytes32',
      },
    ],
    name: 'OrderAlreadyPaid',
    type: 'error',
  },
  {
    inputs: [
      {
        internalType: 'uint64',
        name: 'deadline',
        type: 'uint64',
      },
    ],
    name: 'OrderExpired',
    type: 'error',
  },
  {
    inputs: [
      {
        internalType: 'address',
        name: 'payer',
        type: 'address',
      },
    ],
    name: 'PayerIsReceiver',
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
        internalType: 'address',
        name: 'token',
        type: 'address',
      },
    ],
    name: 'TokenHasNoCode',
    type: 'error',
  },
  {
    inputs: [],
    name: 'TokenNameTooLong',
    type: 'error',
  },
  {
    inputs: [
      {
        internalType: 'uint256',
        name: 'expected',
        type: 'uint256',
      },
      {
        internalType: 'uint256',
        name: 'sent',
        type: 'uint256',
      },
    ],
    name: 'WrongNativeValue',
    type: 'error',
  },
  {
    inputs: [],
    name: 'ZeroMerchantAmount',
    type: 'error',
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: 'bytes32',
        name: 'orderHash',
        type: 'bytes32',
      },
      {
        indexed: true,
        internalType: 'bytes16',
        name: 'order_id',
        type: 'bytes16',
      },
      {
        indexed: true,
        internalType: 'address',
        name: 'payer',
        type: 'address',
      },
      {
        indexed: false,
        internalType: 'string',
        name: 'token_in',
        type: 'string',
      },
      {
        indexed: false,
        internalType: 'string',
        name: 'token_out',
        type: 'string',
      },
      {
        indexed: false,
        internalType: 'uint256',
        name: 'amount_in',
        type: 'uint256',
      },
      {
        indexed: false,
        internalType: 'address',
        name: 'token_in_address',
        type: 'address',
      },
      {
        indexed: false,
        internalType: 'address',
        name: 'merchant',
        type: 'address',
      },
      {
        indexed: false,
        internalType: 'uint256',
        name: 'merchant_amount',
        type: 'uint256',
      },
      {
        indexed: false,
        internalType: 'address',
        name: 'fee_receiver',
        type: 'address',
      },
      {
        indexed: false,
        internalType: 'uint256',
        name: 'fee_amount',
        type: 'uint256',
      },
      {
        indexed: false,
        internalType: 'uint64',
        name: 'deadline',
        type: 'uint64',
      },
    ],
    name: 'OrderPaid',
    type: 'event',
  },
  {
    inputs: [],
    name: 'MAX_TOKEN_NAME_BYTES',
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
            internalType: 'bytes16',
            name: 'order_id',
            type: 'bytes16',
          },
          {
            internalType: 'string',
            name: 'token_in',
            type: 'string',
          },
          {
            internalType: 'string',
            name: 'token_out',
            type: 'string',
          },
          {
            internalType: 'uint256',
            name: 'amount_in',
            type: 'uint256',
          },
          {
            internalType: 'address',
            name: 'token_in_address',
            type: 'address',
          },
          {
            internalType: 'address',
            name: 'merchant',
            type: 'address',
          },
          {
            internalType: 'uint256',
            name: 'merchant_amount',
            type: 'uint256',
          },
          {
            internalType: 'address',
            name: 'fee_receiver',
            type: 'address',
          },
          {
            internalType: 'uint256',
            name: 'fee_amount',
            type: 'uint256',
          },
          {
            internalType: 'uint64',
            name: 'deadline',
            type: 'uint64',
          },
        ],
        internalType: 'struct PaymentOrder',
        name: 'order',
        type: 'tuple',
      },
    ],
    name: 'hashOrder',
    outputs: [
      {
        internalType: 'bytes32',
        name: '',
        type: 'bytes32',
      },
    ],
    stateMutability: 'pure',
    type: 'function',
  },
  {
    inputs: [
      {
        internalType: 'bytes32',
        name: 'orderHash',
        type: 'bytes32',
      },
    ],
    name: 'paid',
    outputs: [
      {
        internalType: 'bool',
        name: '',
        type: 'bool',
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
            internalType: 'bytes16',
            name: 'order_id',
            type: 'bytes16',
          },
          {
            internalType: 'string',
            name: 'token_in',
            type: 'string',
          },
          {
            internalType: 'string',
            name: 'token_out',
            type: 'string',
          },
          {
            internalType: 'uint256',
            name: 'amount_in',
            type: 'uint256',
          },
          {
            internalType: 'address',
            name: 'token_in_address',
            type: 'address',
          },
          {
            internalType: 'address',
            name: 'merchant',
            type: 'address',
          },
          {
            internalType: 'uint256',
            name: 'merchant_amount',
            type: 'uint256',
          },
          {
            internalType: 'address',
            name: 'fee_receiver',
            type: 'address',
          },
          {
            internalType: 'uint256',
            name: 'fee_amount',
            type: 'uint256',
          },
          {
            internalType: 'uint64',
            name: 'deadline',
            type: 'uint64',
          },
        ],
        internalType: 'struct PaymentOrder',
        name: 'order',
        type: 'tuple',
      },
    ],
    name: 'pay',
    outputs: [],
    stateMutability: 'payable',
    type: 'function',
  },
] as const;

export const tollbridgePayCreationCode =
  '0x6080604052348015600e575f5ffd5b506111dd8061001c5f395ff3fe60806040526004361061003e575f3560e01c80634ddebed6146100425780638c05113a14610074578063add89bb214610088578063df03ef8a146100c6575b5f5ffd5b34801561004d575f5ffd5b5061006161005c366004610d37565b6100db565b6040519081526020015b60405180910390f35b34801561007f575f5ffd5b50610061608081565b348015610093575f5ffd5b506100b66100a2366004610d76565b5f6020819052908152604090205460ff1681565b604051901515815260200161006b565b6100d96100d4366004610d37565b61010a565b005b5f816040516020016100ed9190610ea9565b604051602081830303815290604052805190602001209050919050565b610112610206565b61011b8161023d565b5f610125826100db565b5f8181526020819052604090205490915060ff1615610178576040517f355803e4000000000000000000000000000000000000000000000000000000008152600481018290526024015b60405180910390fd5b5f81815260208190526040812080547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff001660011790556101be60a084016080850161101d565b73ffffffffffffffffffffffffffffffffffffffff16036101e7576101e282610421565b6101f0565b6101f0826104b8565b6101fa81836107eb565b506102036108cf565b50565b61020e6108f9565b61023b60017f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005b90610952565b565b61024f61014082016101208301611036565b67ffffffffffffffff164211156102b15761027261014082016101208301611036565b6040517fbd5c334e00000000000000000000000000000000000000000000000000000000815267ffffffffffffffff909116600482015260240161016f565b8060c001355f036102ee576040517f78bb86a600000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b606081013561030661010083013560c084013561104f565b14610358576040517f22a909290000000000000000000000000000000000000000000000000000000081526060820135600482015260c08201356024820152610100820135604482015260640161016f565b6080610367602083018361108d565b905011156103a1576040517f1a83db8000000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b60806103b0604083018361108d565b905011156103ea576040517f1a83db8000000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6104026103fd60c0830160a0840161101d565b610959565b61010081013515610203576102036103fd610100830160e0840161101d565b8060600135341461046a576040517ffe0188820000000000000000000000000000000000000000000000000000000081526060820135600482015234602482015260440161016f565b5f5f61047583610a31565b909250905061049361048d60c0850160a0860161101d565b83610aa2565b80156104b3576104b36104ad610100850160e0860161101d565b82610aa2565b505050565b34156104f8576040517ffe0188820000000000000000000000000000000000000000000000000000000081525f600482015234602482015260440161016f565b61050860a082016080830161101d565b73ffffffffffffffffffffffffffffffffffffffff163b5f036105805761053560a082016080830161101d565b6040517fd0b1b2a700000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff909116600482015260240161016f565b5f61059160a083016080840161101d565b90505f5f61059e84610a31565b90925090505f8273ffffffffffffffffffffffffffffffffffffffff85166370a082316105d160c0890160a08a0161101d565b6040517fffffffff0000000000000000000000000000000000000000000000000000000060e084901b16815273ffffffffffffffffffffffffffffffffffffffff9091166004820152602401602060405180830381865afa158015610638573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061065c91906110ee565b610666919061104f565b90505f8215610737578273ffffffffffffffffffffffffffffffffffffffff86166370a0823161069d6101008a0160e08b0161101d565b6040517fffffffff0000000000000000000000000000000000000000000000000000000060e084901b16815273ffffffffffffffffffffffffffffffffffffffff9091166004820152602401602060405180830381865afa158015610704573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061072891906110ee565b610732919061104f565b610739565b5f5b905061076e3361074f60c0890160a08a0161101d565b73ffffffffffffffffffffffffffffffffffffffff8816919087610b50565b82156107a8576107a833610789610100890160e08a0161101d565b73ffffffffffffffffffffffffffffffffffffffff8816919086610b50565b6107c2856107bc60c0890160a08a0161101d565b84610bb2565b82156107e3576107e3856107dd610100890160e08a0161101d565b83610bb2565b505050505050565b336107f96020830183611105565b7fffffffffffffffffffffffffffffffff0000000000000000000000000000000016837f0adb4ab60e132c865861b11b819864212410711374fa92e62e7a4204d6dfd8aa61084a602086018661108d565b610857604088018861108d565b606089013561086c60a08b0160808c0161101d565b61087c60c08c0160a08d0161101d565b60c08c01356108926101008e0160e08f0161101d565b8d61010001358e6101200160208101906108ac9190611036565b6040516108c39b9a9998979695949392919061111e565b60405180910390a45050565b61023b5f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f00610235565b7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005c1561023b576040517f3ee5aeb500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b80825d5050565b73ffffffffffffffffffffffffffffffffffffffff81161580610991575073ffffffffffffffffffffffffffffffffffffffff811630145b156109e0576040517f9cfea58300000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff8216600482015260240161016f565b3373ffffffffffffffffffffffffffffffffffffffff821603610203576040517f3bd1966200000000000000000000000000000000000000000000000000000000815233600482015260240161016f565b5f80610a44610100840160e0850161101d565b73ffffffffffffffffffffffffffffffffffffffff16610a6a60c0850160a0860161101d565b73ffffffffffffffffffffffffffffffffffffffff1603610a9057505060600135905f90565b505060c0810135916101009091013590565b5f8273ffffffffffffffffffffffffffffffffffffffff16826040515f6040518083038185875af1925050503d805f8114610af8576040519150601f19603f3d011682016040523d82523d5f602084013e610afd565b606091505b50509050806104b3576040517fbf7e35a300000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff8416600482015260240161016f565b610b5e848484846001610ca4565b610bac576040517f5274afe700000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff8516600482015260240161016f565b50505050565b6040517f70a0823100000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff83811660048301525f91908516906370a0823190602401602060405180830381865afa158015610c1f573d5f5f3e3d5ffd5b505050506040513d601f19601f82011682018060405250810190610c4391906110ee565b9050818114610bac576040517f495a996200000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff84166004820152602481018390526044810182905260640161016f565b6040517f23b872dd000000000000000000000000000000000000000000000000000000005f81815273ffffffffffffffffffffffffffffffffffffffff8781166004528616602452604485905291602083606481808c5af1925060015f51148316610d26578383151615610d1a573d5f823e3d81fd5b5f883b113d1516831692505b604052505f60605295945050505050565b5f60208284031215610d47575f5ffd5b813567ffffffffffffffff811115610d5d575f5ffd5b82016101408185031215610d6f575f5ffd5b9392505050565b5f60208284031215610d86575f5ffd5b5035919050565b80357fffffffffffffffffffffffffffffffff0000000000000000000000000000000081168114610dbc575f5ffd5b919050565b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe1843603018112610df4575f5ffd5b830160208101925035905067ffffffffffffffff811115610e13575f5ffd5b803603821315610e21575f5ffd5b9250929050565b81835281816020850137505f602082840101525f60207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f840116840101905092915050565b803573ffffffffffffffffffffffffffffffffffffffff81168114610dbc575f5ffd5b803567ffffffffffffffff81168114610dbc575f5ffd5b60208152610ee360208201610ebd84610d8d565b7fffffffffffffffffffffffffffffffff00000000000000000000000000000000169052565b5f610ef16020840184610dc1565b6101406040850152610f0861016085018284610e28565b915050610f186040850185610dc1565b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0858403016060860152610f4d838284610e28565b925050505f6060850135905080608085015250610f6c60808501610e6f565b73ffffffffffffffffffffffffffffffffffffffff811660a085015250610f9560a08501610e6f565b73ffffffffffffffffffffffffffffffffffffffff811660c08501525060c084013560e084810191909152610fcb908501610e6f565b73ffffffffffffffffffffffffffffffffffffffff81166101008501525061010084013561012084810191909152611004908501610e92565b67ffffffffffffffff8116610140850152509392505050565b5f6020828403121561102d575f5ffd5b610d6f82610e6f565b5f60208284031215611046575f5ffd5b610d6f82610e92565b80820180821115611087577f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b92915050565b5f5f83357fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe18436030181126110c0575f5ffd5b83018035915067ffffffffffffffff8211156110da575f5ffd5b602001915036819003821315610e21575f5ffd5b5f602082840312156110fe575f5ffd5b5051919050565b5f60208284031215611115575f5ffd5b610d6f82610d8d565b61012081525f61113361012083018d8f610e28565b8281036020840152611146818c8e610e28565b91505088604083015273ffffffffffffffffffffffffffffffffffffffff8816606083015273ffffffffffffffffffffffffffffffffffffffff871660808301528560a083015273ffffffffffffffffffffffffffffffffffffffff851660c08301528360e083015267ffffffffffffffff83166101008301529c9b50505050505050505050505056fea164736f6c6343000825000a';

/** keccak256 of the code that a node returns for the deployed contract. */
export const tollbridgePayRuntimeHash = '0x0d1941f63b218e80684ea5fa20a8a16fd3b92902f8a932dabd7965bbe6a6294a';
