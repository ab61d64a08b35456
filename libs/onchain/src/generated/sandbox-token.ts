// Written by scripts/compile.mjs from contracts/SandboxToken.sol; do not edit.
export const sandboxTokenCompiler = '0.8.37+commit.f401782d.Emscripten.clang';

export const sandboxTokenAbi = [
  {
    inputs: [
      {
        internalType: 'string',
        name: 'name_',
        type: 'string',
      },
      {
        internalType: 'string',
        name: 'symbol_',
        type: 'string',
      },
      {
        internalType: 'uint8',
        name: 'decimals_',
        type: 'uint8',
      },
    ],
    stateMutability: 'nonpayable',
    type: 'constructor',
  },
  {
    inputs: [
      {
        internalType: 'address',
        name: 'spender',
        type: 'address',
      },
      {
        internalType: 'uint256',
        name: 'allowance',
        type: 'uint256',
      },
      {
        internalType: 'uint256',
        name: 'needed',
        type: 'uint256',
      },
    ],
    name: 'ERC20InsufficientAllowance',
    type: 'error',
  },
  {
    inputs: [
      {
        internalType: 'address',
        name: 'sender',
        type: 'address',
      },
      {
        internalType: 'uint256',
        name: 'balance',
        type: 'uint256',
      },
      {
        internalType: 'uint256',
        name: 'needed',
        type: 'uint256',
      },
    ],
    name: 'ERC20InsufficientBalance',
    type: 'error',
  },
  {
    inputs: [
      {
        internalType: 'address',
        name: 'approver',
        type: 'address',
      },
    ],
    name: 'ERC20InvalidApprover',
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
    name: 'ERC20InvalidReceiver',
    type: 'error',
  },
  {
    inputs: [
      {
        internalType: 'address',
        name: 'sender',
        type: 'address',
      },
    ],
    name: 'ERC20InvalidSender',
    type: 'error',
  },
  {
    inputs: [
      {
        internalType: 'address',
        name: 'spender',
        type: 'address',
      },
    ],
    name: 'ERC20InvalidSpender',
    type: 'error',
  },
  {
    inputs: [
      {
        internalType: 'address',
        name: 'caller',
        type: 'address',
      },
    ],
    name: 'NotMinter',
    type: 'error',
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: 'address',
        name: 'owner',
        type: 'address',
      },
      {
        indexed: true,
        internalType: 'address',
        name: 'spender',
        type: 'address',
      },
      {
        indexed: false,
        internalType: 'uint256',
        name: 'value',
        type: 'uint256',
      },
    ],
    name: 'Approval',
    type: 'event',
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: 'address',
        name: 'from',
        type: 'address',
      },
      {
        indexed: true,
        internalType: 'address',
        name: 'to',
        type: 'address',
      },
      {
        indexed: false,
        internalType: 'uint256',
        name: 'value',
        type: 'uint256',
      },
    ],
    name: 'Transfer',
    type: 'event',
  },
  {
    inputs: [
      {
        internalType: 'address',
        name: 'owner',
        type: 'address',
      },
      {
        internalType: 'address',
        name: 'spender',
        type: 'address',
      },
    ],
    name: 'allowance',
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
        internalType: 'address',
        name: 'spender',
        type: 'address',
      },
      {
        internalType: 'uint256',
        name: 'value',
        type: 'uint256',
      },
    ],
    name: 'approve',
    outputs: [
      {
        internalType: 'bool',
        name: '',
        type: 'bool',
      },
    ],
    stateMutability: 'nonpayable',
    type: 'function',
  },
  {
    inputs: [
      {
        internalType: 'address',
        name: 'account',
        type: 'address',
      },
    ],
    name: 'balanceOf',
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
    inputs: [],
    name: 'decimals',
    outputs: [
      {
        internalType: 'uint8',
        name: '',
        type: 'uint8',
      },
    ],
    stateMutability: 'view',
    type: 'function',
  },
  {
    inputs: [
      {
        internalType: 'address',
        name: 'to',
        type: 'address',
      },
      {
        internalType: 'uint256',
        name: 'amount',
        type: 'uint256',
      },
    ],
    name: 'mint',
    outputs: [],
    stateMutability: 'nonpayable',
    type: 'function',
  },
  {
    inputs: [],
    name: 'minter',
    outputs: [
      {
        internalType: 'address',
        name: '',
        type: 'address',
      },
    ],
    stateMutability: 'view',
    type: 'function',
  },
  {
    inputs: [],
    name: 'name',
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
    inputs: [],
    name: 'symbol',
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
    inputs: [],
    name: 'totalSupply',
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
        internalType: 'address',
        name: 'to',
        type: 'address',
      },
      {
        internalType: 'uint256',
        name: 'value',
        type: 'uint256',
      },
    ],
    name: 'transfer',
    outputs: [
      {
        internalType: 'bool',
        name: '',
        type: 'bool',
      },
    ],
    stateMutability: 'nonpayable',
    type: 'function',
  },
  {
    inputs: [
      {
        internalType: 'address',
        name: 'from',
        type: 'address',
      },
      {
        internalType: 'address',
        name: 'to',
        type: 'address',
      },
      {
        internalType: 'uint256',
        name: 'value',
        type: 'uint256',
      },
    ],
    name: 'transferFrom',
    outputs: [
      {
        internalType: 'bool',
        name: '',
        type: 'bool',
      },
    ],
    stateMutability: 'nonpayable',
    type: 'function',
  },
] as const;

export const sandboxTokenCreationCode =
  '0x60c060405234801561000f575f5ffd5b50604051610d40380380610d4083398101604081905261002e916100fb565b8282600361003c8382610207565b5060046100498282610207565b5050336080525060ff1660a052506102c59050565b634e487b7160e01b5f52604160045260245ffd5b5f82601f830112610081575f5ffd5b81516001600160401b0381111561009a5761009a61005e565b604051601f8201601f19908116603f011681016001600160401b03811182821017156100c8576100c861005e565b6040528181528382016020018510156100df575f5ffd5b8160208501602083015e5f918101602001919091529392505050565b5f5f5f6060848603121561010d575f5ffd5b83516001600160401b03811115610122575f5ffd5b61012e86828701610072565b602086015190945090506001600160401b0381111561014b575f5ffd5b61015786828701610072565b925050604084015160ff8116811461016d575f5ffd5b809150509250925092565b600181811c9082168061018c57607f821691505b6020821081036101aa57634e487b7160e01b5f52602260045260245ffd5b50919050565b601f821115610202578282111561020257805f5260205f20601f840160051c60208510156101db57505f5b90810190601f840160051c035f5b818110156101fe575f838201556001016101e9565b5050505b505050565b81516001600160401b038111156102205761022061005e565b6102348161022e8454610178565b846101b0565b6020601f821160018114610266575f831561024f5750848201515b5f19600385901b1c1916600184901b1784556102be565b5f84815260208120601f198516915b828110156102955787850151825560209485019460019092019101610275565b50848210156102b257868401515f19600387901b60f8161c191681555b505060018360011b0184555b5050505050565b60805160a051610a546102ec5f395f61018101525f818160eb01526103390152610a545ff3fe608060405234801561000f575f5ffd5b50600436106100c4575f3560e01c8063313ce5671161007d57806395d89b411161005857806395d89b41146101f5578063a9059cbb146101fd578063dd62ed3e14610210575f5ffd5b8063313ce5671461017a57806340c10f19146101ab57806370a08231146101c0575f5ffd5b8063095ea7b3116100ad578063095ea7b31461013257806318160ddd1461015557806323b872dd14610167575f5ffd5b806306fdde03146100c857806307546172146100e6575b5f5ffd5b6100d0610255565b6040516100dd9190610890565b60405180910390f35b61010d7f000000000000000000000000000000000000000000000000000000000000000081565b60405173ffffffffffffffffffffffffffffffffffffffff90911681526020016100dd565b61014561014036600461090b565b6102e5565b60405190151581526020016100dd565b6002545b6040519081526020016100dd565b610145610175366004610933565b6102fe565b60405160ff7f00000000000000000000000000000000000000000000000000000000000000001681526020016100dd565b6101be6101b936600461090b565b610321565b005b6101596101ce36600461096d565b73ffffffffffffffffffffffffffffffffffffffff165f9081526020819052604090205490565b6100d06103a5565b61014561020b36600461090b565b6103b4565b61015961021e36600461098d565b73ffffffffffffffffffffffffffffffffffffffff9182165f90815260016020908152604080832093909416825291909152205490565b606060038054610264906109be565b80601f0160208091040260200160405190810160405280929190818152602001828054610290906109be565b80156102db5780601f106102b2576101008083540402835291602001916102db565b820191905f5260205f20905b8154815290600101906020018083116102be57829003601f168201915b5050505050905090565b5f336102f28185856103c1565b60019150505b92915050565b5f3361030b8582856103d3565b6103168585856104a1565b506001949350505050565b3373ffffffffffffffffffffffffffffffffffffffff7f00000000000000000000000000000000000000000000000000000000000000001614610397576040517f361c31f20000000000000000000000000000000000000000000000000000000081523360048201526024015b60405180910390fd5b6103a1828261054a565b5050565b606060048054610264906109be565b5f336102f28185856104a1565b6103ce83838360016105a4565b505050565b73ffffffffffffffffffffffffffffffffffffffff8381165f908152600160209081526040808320938616835292905220547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff81101561049b578181101561048d576040517ffb8f41b200000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff84166004820152602481018290526044810183905260640161038e565b61049b84848484035f6105a4565b50505050565b73ffffffffffffffffffffffffffffffffffffffff83166104f0576040517f96c6fd1e0000000000000000000000000000000000000000000000000000000081525f600482015260240161038e565b73ffffffffffffffffffffffffffffffffffffffff821661053f576040517fec442f050000000000000000000000000000000000000000000000000000000081525f600482015260240161038e565b6103ce8383836106e9565b73ffffffffffffffffffffffffffffffffffffffff8216610599576040517fec442f050000000000000000000000000000000000000000000000000000000081525f600482015260240161038e565b6103a15f83836106e9565b73ffffffffffffffffffffffffffffffffffffffff84166105f3576040517fe602df050000000000000000000000000000000000000000000000000000000081525f600482015260240161038e565b73ffffffffffffffffffffffffffffffffffffffff8316610642576040517f94280d620000000000000000000000000000000000000000000000000000000081525f600482015260240161038e565b73ffffffffffffffffffffffffffffffffffffffff8085165f908152600160209081526040808320938716835292905220829055801561049b578273ffffffffffffffffffffffffffffffffffffffff168473ffffffffffffffffffffffffffffffffffffffff167f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925846040516106db91815260200190565b60405180910390a350505050565b73ffffffffffffffffffffffffffffffffffffffff8316610720578060025f8282546107159190610a0f565b909155506107d09050565b73ffffffffffffffffffffffffffffffffffffffff83165f90815260208190526040902054818110156107a5576040517fe450d38c00000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff85166004820152602481018290526044810183905260640161038e565b73ffffffffffffffffffffffffffffffffffffffff84165f9081526020819052604090209082900390555b73ffffffffffffffffffffffffffffffffffffffff82166107f957600280548290039055610824565b73ffffffffffffffffffffffffffffffffffffffff82165f9081526020819052604090208054820190555b8173ffffffffffffffffffffffffffffffffffffffff168373ffffffffffffffffffffffffffffffffffffffff167fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef8360405161088391815260200190565b60405180910390a3505050565b602081525f82518060208401528060208501604085015e5f6040828501015260407fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f83011684010191505092915050565b803573ffffffffffffffffffffffffffffffffffffffff81168114610906575f5ffd5b919050565b5f5f6040838503121561091c575f5ffd5b610925836108e3565b946020939093013593505050565b5f5f5f60608486031215610945575f5ffd5b61094e846108e3565b925061095c602085016108e3565b929592945050506040919091013590565b5f6020828403121561097d575f5ffd5b610986826108e3565b9392505050565b5f5f6040838503121561099e575f5ffd5b6109a7836108e3565b91506109b5602084016108e3565b90509250929050565b600181811c908216806109d257607f821691505b602082108103610a09577f4e487b71000000000000000000000000000000000000000000000000000000005f52602260045260245ffd5b50919050565b808201808211156102f8577f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffdfea164736f6c6343000825000a';
