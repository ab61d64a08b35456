// Written by scripts/compile.mjs from contracts/SandboxX402UptoProxy.sol; do not edit.
export const sandboxX402UptoProxyCompiler = '0.8.37+commit.f401782d.Emscripten.clang';

export const sandboxX402UptoProxyAbi = [
  {
    inputs: [],
    name: 'AmountExceedsPermitted',
    type: 'error',
  },
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
    inputs: [],
    name: 'UnauthorizedFacilitator',
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
        internalType: 'uint256',
        name: 'amount',
        type: 'uint256',
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
            internalType: 'address',
            name: 'facilitator',
            type: 'address',
          },
          {
            internalType: 'uint256',
            name: 'validAfter',
            type: 'uint256',
          },
        ],
        internalType: 'struct SandboxX402UptoProxy.Witness',
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
        internalType: 'uint256',
        name: 'amount',
        type: 'uint256',
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
            internalType: 'address',
            name: 'facilitator',
            type: 'address',
          },
          {
            internalType: 'uint256',
            name: 'validAfter',
            type: 'uint256',
          },
        ],
        internalType: 'struct SandboxX402UptoProxy.Witness',
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

export const sandboxX402UptoProxyCreationCode =
  '0x6080604052348015600e575f5ffd5b50610a028061001c5f395ff3fe608060405234801561000f575f5ffd5b5060043610610064575f3560e01c80632c03ae6a1161004d5780632c03ae6a1461009b5780636afdd850146100d0578063ff11e7b41461010b575f5ffd5b8063016c174814610068578063156e21521461007d575b5f5ffd5b61007b6100763660046106bc565b61011e565b005b610085610168565b60405161009291906107a0565b60405180910390f35b6100c27fd4171c445a74218b01d4fd8af34ff1106580ea1e36ff837e64484bfaa2253b7581565b604051908152602001610092565b6100e66e22d473030f116ddee9f6b43ac78ba381565b60405173ffffffffffffffffffffffffffffffffffffffff9091168152602001610092565b61007b6101193660046107b9565b610184565b6101298787866101c2565b6101378686868686866102fb565b6040517fde5b89d10fc800c459329c382fabfcad0be0ed7e5328e01fae04e507b09ef5d8905f90a150505050505050565b6040518060a001604052806078815260200161097e6078913981565b6101928686868686866102fb565b6040517f97088ec3606cfe8cc112180570d03fcde05f9b8e1bfef8e27784eaf5dd5691b6905f90a1505050505050565b8235602083013514610200576040517f050cda4900000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b61020d6020830183610837565b73ffffffffffffffffffffffffffffffffffffffff1663d505accf826e22d473030f116ddee9f6b43ac78ba38635602088013561025060a08a0160808b01610850565b604080517fffffffff0000000000000000000000000000000000000000000000000000000060e089901b16815273ffffffffffffffffffffffffffffffffffffffff96871660048201529590941660248601526044850192909252606484015260ff16608483015286013560a4820152606086013560c482015260e4015f604051808303815f87803b1580156102e4575f5ffd5b505af19250505080156102f5575060015b50505050565b6103178461030c6020860186610837565b85604001358861051c565b6020860135851115610355576040517ffe64b4c700000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6103656040840160208501610837565b73ffffffffffffffffffffffffffffffffffffffff163373ffffffffffffffffffffffffffffffffffffffff16146103c9576040517f0f6fae8700000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b604080518082019091526e22d473030f116ddee9f6b43ac78ba39063137c29fe908890806103fa6020890189610837565b73ffffffffffffffffffffffffffffffffffffffff16815260209081018a905288907fd4171c445a74218b01d4fd8af34ff1106580ea1e36ff837e64484bfaa2253b759061044a908a018a610837565b61045a60408b0160208c01610837565b60408051602081019490945273ffffffffffffffffffffffffffffffffffffffff9283168482015291166060830152890135608082015260a001604051602081830303815290604052805190602001206040518060a001604052806078815260200161097e6078913988886040518863ffffffff1660e01b81526004016104e797969594939291906108b7565b5f604051808303815f87803b1580156104fe575f5ffd5b505af1158015610510573d5f5f3e3d5ffd5b50505050505050505050565b73ffffffffffffffffffffffffffffffffffffffff8416610569576040517f49e27cff00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b73ffffffffffffffffffffffffffffffffffffffff83166105b6576040517fac6b05f500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b805f036105ef576040517f2c5211c600000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b814210156102f5576040517fa65539fa00000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f60808284031215610639575f5ffd5b50919050565b803573ffffffffffffffffffffffffffffffffffffffff81168114610662575f5ffd5b919050565b5f60608284031215610639575f5ffd5b5f5f83601f840112610687575f5ffd5b50813567ffffffffffffffff81111561069e575f5ffd5b6020830191508360208285010111156106b5575f5ffd5b9250929050565b5f5f5f5f5f5f5f8789036101e08112156106d4575f5ffd5b60a08112156106e1575f5ffd5b508796506106f28960a08a01610629565b95506101208801359450610709610140890161063f565b9350610719896101608a01610667565b92506101c088013567ffffffffffffffff811115610735575f5ffd5b6107418a828b01610677565b989b979a50959850939692959293505050565b5f81518084528060208401602086015e5f6020828601015260207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f83011685010191505092915050565b602081525f6107b26020830184610754565b9392505050565b5f5f5f5f5f5f61014087890312156107cf575f5ffd5b6107d98888610629565b9550608087013594506107ee60a0880161063f565b93506107fd8860c08901610667565b925061012087013567ffffffffffffffff811115610819575f5ffd5b61082589828a01610677565b979a9699509497509295939492505050565b5f60208284031215610847575f5ffd5b6107b28261063f565b5f60208284031215610860575f5ffd5b813560ff811681146107b2575f5ffd5b81835281816020850137505f602082840101525f60207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f840116840101905092915050565b73ffffffffffffffffffffffffffffffffffffffff6108d58961063f565b168152602088810135818301526040808a0135908301526060808a013590830152875173ffffffffffffffffffffffffffffffffffffffff16608083015287015160a08201525f61093e60c083018873ffffffffffffffffffffffffffffffffffffffff169052565b8560e083015261014061010083015261095b610140830186610754565b82810361012084015261096f818587610870565b9a995050505050505050505056fe5769746e657373207769746e65737329546f6b656e5065726d697373696f6e73286164647265737320746f6b656e2c75696e7432353620616d6f756e74295769746e657373286164647265737320746f2c6164647265737320666163696c697461746f722c75696e743235362076616c6964416674657229a164736f6c6343000825000a';

/** keccak256 of the code that a node returns for the deployed contract. */
export const sandboxX402UptoProxyRuntimeHash = '0xc9743c457b5b52f684b68fd0c92ccb9b28c425b5f08caccd18de00983e7ab546';
