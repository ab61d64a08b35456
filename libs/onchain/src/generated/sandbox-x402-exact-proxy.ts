// Written by scripts/compile.mjs from contracts/SandboxX402ExactProxy.sol; do not edit.
export const sandboxX402ExactProxyCompiler = '0.8.37+commit.f401782d.Emscripten.clang';

export const sandboxX402ExactProxyAbi = [
  {
    inputs: [],
    name: 'InvalidAmount',
    type: 'error',
  },
  {
    inputs: [],
    name: 'InvalidDestination',
    type: 'error',
  },
  {
    inputs: [],
    name: 'InvalidOwner',
    type: 'error',
  },
  {
    inputs: [],
    name: 'PaymentTooEarly',
    type: 'error',
  },
  {
    inputs: [],
    name: 'Permit2612AmountMismatch',
    type: 'error',
  },
  {
    anonymous: false,
    inputs: [],
    name: 'Settled',
    type: 'event',
  },
  {
    anonymous: false,
    inputs: [],
    name: 'SettledWithPermit',
    type: 'event',
  },
  {
    inputs: [],
    name: 'PERMIT2',
    outputs: [
      {
        internalType: 'contract IPermit2Transfer',
        name: '',
        type: 'address',
      },
    ],
    stateMutability: 'view',
    type: 'function',
  },
  {
    inputs: [],
    name: 'WITNESS_TYPEHASH',
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
    name: 'WITNESS_TYPE_STRING',
    outputs: [
      {
        internalType: 'string',
        name: '',
        type: 'string',
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
                internalType: 'address',
                name: 'token',
                type: 'address',
              },
              {
                internalType: 'uint256',
                name: 'amount',
                type: 'uint256',
              },
            ],
            internalType: 'struct IPermit2Transfer.TokenPermissions',
            name: 'permitted',
            type: 'tuple',
          },
          {
            internalType: 'uint256',
            name: 'nonce',
            type: 'uint256',
          },
          {
            internalType: 'uint256',
            name: 'deadline',
            type: 'uint256',
          },
        ],
        internalType: 'struct IPermit2Transfer.PermitTransferFrom',
        name: 'permit',
        type: 'tuple',
      },
      {
        internalType: 'address',
        name: 'owner',
        type: 'address',
      },
      {
        components: [
          {
            internalType: 'address',
            name: 'to',
            type: 'address',
          },
          {
            internalType: 'uint256',
            name: 'validAfter',
            type: 'uint256',
          },
        ],
        internalType: 'struct SandboxX402ExactProxy.Witness',
        name: 'witness',
        type: 'tuple',
      },
      {
        internalType: 'bytes',
        name: 'signature',
        type: 'bytes',
      },
    ],
    name: 'settle',
    outputs: [],
    stateMutability: 'nonpayable',
    type: 'function',
  },
  {
    inputs: [
      {
        components: [
          {
            internalType: 'uint256',
            name: 'value',
            type: 'uint256',
          },
          {
            internalType: 'uint256',
            name: 'deadline',
            type: 'uint256',
          },
          {
            internalType: 'bytes32',
            name: 'r',
            type: 'bytes32',
          },
          {
            internalType: 'bytes32',
            name: 's',
            type: 'bytes32',
          },
          {
            internalType: 'uint8',
            name: 'v',
            type: 'uint8',
          },
        ],
        internalType: 'struct SandboxX402Proxy.EIP2612Permit',
        name: 'permit2612',
        type: 'tuple',
      },
      {
        components: [
          {
            components: [
              {
                internalType: 'address',
                name: 'token',
                type: 'address',
              },
              {
                internalType: 'uint256',
                name: 'amount',
                type: 'uint256',
              },
            ],
            internalType: 'struct IPermit2Transfer.TokenPermissions',
            name: 'permitted',
            type: 'tuple',
          },
          {
            internalType: 'uint256',
            name: 'nonce',
            type: 'uint256',
          },
          {
            internalType: 'uint256',
            name: 'deadline',
            type: 'uint256',
          },
        ],
        internalType: 'struct IPermit2Transfer.PermitTransferFrom',
        name: 'permit',
        type: 'tuple',
      },
      {
        internalType: 'address',
        name: 'owner',
        type: 'address',
      },
      {
        components: [
          {
            internalType: 'address',
            name: 'to',
            type: 'address',
          },
          {
            internalType: 'uint256',
            name: 'validAfter',
            type: 'uint256',
          },
        ],
        internalType: 'struct SandboxX402ExactProxy.Witness',
        name: 'witness',
        type: 'tuple',
      },
      {
        internalType: 'bytes',
        name: 'signature',
        type: 'bytes',
      },
    ],
    name: 'settleWithPermit',
    outputs: [],
    stateMutability: 'nonpayable',
    type: 'function',
  },
] as const;

export const sandboxX402ExactProxyCreationCode =
  '0x6080604052348015600e575f5ffd5b506109178061001c5f395ff3fe608060405234801561000f575f5ffd5b5060043610610064575f3560e01c80632c03ae6a1161004d5780632c03ae6a1461009b5780636afdd850146100d0578063fa3403781461010b575f5ffd5b806313cd3b5314610068578063156e21521461007d575b5f5ffd5b61007b6100763660046105f9565b61011e565b005b61008561015a565b60405161009291906106b9565b60405180910390f35b6100c27fd97b3239a7f32295517bd14cb074edfdd188dfe5eb42f802bb26d4fd1eb12c3781565b604051908152602001610092565b6100e66e22d473030f116ddee9f6b43ac78ba381565b60405173ffffffffffffffffffffffffffffffffffffffff9091168152602001610092565b61007b6101193660046106d2565b610176565b61012b85858585856101be565b6040517f97088ec3606cfe8cc112180570d03fcde05f9b8e1bfef8e27784eaf5dd5691b6905f90a15050505050565b6040518060a00160405280606481526020016108a76064913981565b610181868686610320565b61018e85858585856101be565b6040517fde5b89d10fc800c459329c382fabfcad0be0ed7e5328e01fae04e507b09ef5d8905f90a1505050505050565b6101de846101cf6020860186610760565b60208087013590890135610459565b604080518082019091526e22d473030f116ddee9f6b43ac78ba39063137c29fe9087908061020f6020890189610760565b73ffffffffffffffffffffffffffffffffffffffff16815260208a8101359181019190915288907fd97b3239a7f32295517bd14cb074edfdd188dfe5eb42f802bb26d4fd1eb12c3790610264908a018a610760565b6040805160208181019490945273ffffffffffffffffffffffffffffffffffffffff90921690820152908901356060820152608001604051602081830303815290604052805190602001206040518060a00160405280606481526020016108a76064913988886040518863ffffffff1660e01b81526004016102ec97969594939291906107c0565b5f604051808303815f87803b158015610303575f5ffd5b505af1158015610315573d5f5f3e3d5ffd5b505050505050505050565b823560208301351461035e576040517f050cda4900000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b61036b6020830183610760565b73ffffffffffffffffffffffffffffffffffffffff1663d505accf826e22d473030f116ddee9f6b43ac78ba3863560208801356103ae60a08a0160808b01610886565b604080517fffffffff0000000000000000000000000000000000000000000000000000000060e089901b16815273ffffffffffffffffffffffffffffffffffffffff96871660048201529590941660248601526044850192909252606484015260ff16608483015286013560a4820152606086013560c482015260e4015f604051808303815f87803b158015610442575f5ffd5b505af1925050508015610453575060015b50505050565b73ffffffffffffffffffffffffffffffffffffffff84166104a6576040517f49e27cff00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b73ffffffffffffffffffffffffffffffffffffffff83166104f3576040517fac6b05f500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b805f0361052c576040517f2c5211c600000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b81421015610453576040517fa65539fa00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f60808284031215610576575f5ffd5b50919050565b803573ffffffffffffffffffffffffffffffffffffffff8116811461059f575f5ffd5b919050565b5f60408284031215610576575f5ffd5b5f5f83601f8401126105c4575f5ffd5b50813567ffffffffffffffff8111156105db575f5ffd5b6020830191508360208285010111156105f2575f5ffd5b9250929050565b5f5f5f5f5f610100868803121561060e575f5ffd5b6106188787610566565b94506106266080870161057c565b93506106358760a088016105a4565b925060e086013567ffffffffffffffff811115610650575f5ffd5b61065c888289016105b4565b969995985093965092949392505050565b5f81518084528060208401602086015e5f6020828601015260207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f83011685010191505092915050565b602081525f6106cb602083018461066d565b9392505050565b5f5f5f5f5f5f8688036101a08112156106e9575f5ffd5b60a08112156106f6575f5ffd5b508695506107078860a08901610566565b9450610716610120880161057c565b93506107268861014089016105a4565b925061018087013567ffffffffffffffff811115610742575f5ffd5b61074e89828a016105b4565b979a9699509497509295939492505050565b5f60208284031215610770575f5ffd5b6106cb8261057c565b81835281816020850137505f602082840101525f60207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f840116840101905092915050565b73ffffffffffffffffffffffffffffffffffffffff6107de8961057c565b168152602088810135818301526040808a0135908301526060808a013590830152875173ffffffffffffffffffffffffffffffffffffffff16608083015287015160a08201525f61084760c083018873ffffffffffffffffffffffffffffffffffffffff169052565b8560e083015261014061010083015261086461014083018661066d565b828103610120840152610878818587610779565b9a9950505050505050505050565b5f60208284031215610896575f5ffd5b813560ff811681146106cb575f5ffdfe5769746e657373207769746e65737329546f6b656e5065726d697373696f6e73286164647265737320746f6b656e2c75696e7432353620616d6f756e74295769746e657373286164647265737320746f2c75696e743235362076616c6964416674657229a164736f6c6343000825000a';

/** keccak256 of the code that a node returns for the deployed contract. */
export const sandboxX402ExactProxyRuntimeHash = '0xb112ecbaf8962c0697ed4f3e2d21e4dc5ca569af349270e7329b697a71db9519';
