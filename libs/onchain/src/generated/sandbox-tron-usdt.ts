// Written by scripts/compile.mjs from contracts/SandboxTronUsdt.sol; do not edit.
export const sandboxTronUsdtCompiler = '0.8.37+commit.f401782d.Emscripten.clang';

export const sandboxTronUsdtAbi = [
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
    name: 'basisPointsRate',
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
        internalType: 'uint256',
        name: 'amount',
        type: 'uint256',
      },
    ],
    name: 'calcFee',
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
    inputs: [],
    name: 'maximumFee',
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
    inputs: [
      {
        internalType: 'uint256',
        name: 'newBasisPoints',
        type: 'uint256',
      },
      {
        internalType: 'uint256',
        name: 'newMaxFee',
        type: 'uint256',
      },
    ],
    name: 'setParams',
    outputs: [],
    stateMutability: 'nonpayable',
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
        name: 'amount',
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
        name: 'amount',
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

export const sandboxTronUsdtCreationCode =
  '0x60c060405234801561000f575f5ffd5b506040518060400160405280600a81526020016915195d1a195c881554d160b21b815250604051806040016040528060048152602001631554d11560e21b8152506006828281600390816100639190610128565b5060046100708282610128565b5050336080525060ff1660a052506101e69050565b634e487b7160e01b5f52604160045260245ffd5b600181811c908216806100ad57607f821691505b6020821081036100cb57634e487b7160e01b5f52602260045260245ffd5b50919050565b601f821115610123578282111561012357805f5260205f20601f840160051c60208510156100fc57505f5b90810190601f840160051c035f5b8181101561011f575f8382015560010161010a565b5050505b505050565b81516001600160401b0381111561014157610141610085565b6101558161014f8454610099565b846100d1565b6020601f821160018114610187575f83156101705750848201515b5f19600385901b1c1916600184901b1784556101df565b5f84815260208120601f198516915b828110156101b65787850151825560209485019460019092019101610196565b50848210156101d357868401515f19600387901b60f8161c191681555b505060018360011b0184555b5050505050565b60805160a051610c5661021c5f395f6101ad01525f81816101170152818161039b0152818161047b01526105e80152610c565ff3fe608060405234801561000f575f5ffd5b50600436106100f0575f3560e01c806340c10f1911610093578063a9059cbb11610063578063a9059cbb14610245578063c0324c7714610258578063dd62ed3e1461026b578063dd644f72146102b0575f5ffd5b806340c10f19146101e057806370a08231146101f557806375dc7d8c1461022a57806395d89b411461023d575f5ffd5b806318160ddd116100ce57806318160ddd1461018157806323b872dd14610193578063313ce567146101a657806335390714146101d7575f5ffd5b806306fdde03146100f45780630754617214610112578063095ea7b31461015e575b5f5ffd5b6100fc6102b9565b60405161010991906109f8565b60405180910390f35b6101397f000000000000000000000000000000000000000000000000000000000000000081565b60405173ffffffffffffffffffffffffffffffffffffffff9091168152602001610109565b61017161016c366004610a73565b610349565b6040519015158152602001610109565b6002545b604051908152602001610109565b6101716101a1366004610a9b565b610362565b60405160ff7f0000000000000000000000000000000000000000000000000000000000000000168152602001610109565b61018560065481565b6101f36101ee366004610a73565b610383565b005b610185610203366004610ad5565b73ffffffffffffffffffffffffffffffffffffffff165f9081526020819052604090205490565b610185610238366004610aee565b610407565b6100fc610440565b610171610253366004610a73565b61044f565b6101f3610266366004610b05565b610463565b610185610279366004610b25565b73ffffffffffffffffffffffffffffffffffffffff9182165f90815260016020908152604080832093909416825291909152205490565b61018560055481565b6060600380546102c890610b56565b80601f01602080910402602001604051908101604052809291908181526020018280546102f490610b56565b801561033f5780601f106103165761010080835404028352916020019161033f565b820191905f5260205f20905b81548152906001019060200180831161032257829003601f168201915b5050505050905090565b5f336103568185856104dc565b60019150505b92915050565b5f61036e8433846104ee565b6103798484846105bc565b5060019392505050565b3373ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016146103f9576040517f361c31f20000000000000000000000000000000000000000000000000000000081523360048201526024015b60405180910390fd5b610403828261060d565b5050565b5f5f6127106005548461041a9190610bd4565b6104249190610beb565b905060065481116104355780610439565b6006545b9392505050565b6060600480546102c890610b56565b5f61045b3384846105bc565b505f92915050565b3373ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016146104d4576040517f361c31f20000000000000000000000000000000000000000000000000000000081523360048201526024016103f0565b600655600555565b6104e98383836001610667565b505050565b73ffffffffffffffffffffffffffffffffffffffff8381165f908152600160209081526040808320938616835292905220547fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8110156105b657818110156105a8576040517ffb8f41b200000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff8416600482015260248101829052604481018390526064016103f0565b6105b684848484035f610667565b50505050565b5f6105c682610407565b90506105dc84846105d78486610c23565b6107ac565b80156105b6576105b6847f0000000000000000000000000000000000000000000000000000000000000000836107ac565b73ffffffffffffffffffffffffffffffffffffffff821661065c576040517fec442f050000000000000000000000000000000000000000000000000000000081525f60048201526024016103f0565b6104035f8383610851565b73ffffffffffffffffffffffffffffffffffffffff84166106b6576040517fe602df050000000000000000000000000000000000000000000000000000000081525f60048201526024016103f0565b73ffffffffffffffffffffffffffffffffffffffff8316610705576040517f94280d620000000000000000000000000000000000000000000000000000000081525f60048201526024016103f0565b73ffffffffffffffffffffffffffffffffffffffff8085165f90815260016020908152604080832093871683529290522082905580156105b6578273ffffffffffffffffffffffffffffffffffffffff168473ffffffffffffffffffffffffffffffffffffffff167f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b9258460405161079e91815260200190565b60405180910390a350505050565b73ffffffffffffffffffffffffffffffffffffffff83166107fb576040517f96c6fd1e0000000000000000000000000000000000000000000000000000000081525f60048201526024016103f0565b73ffffffffffffffffffffffffffffffffffffffff821661084a576040517fec442f050000000000000000000000000000000000000000000000000000000081525f60048201526024016103f0565b6104e98383835b73ffffffffffffffffffffffffffffffffffffffff8316610888578060025f82825461087d9190610c36565b909155506109389050565b73ffffffffffffffffffffffffffffffffffffffff83165f908152602081905260409020548181101561090d576040517fe450d38c00000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff8516600482015260248101829052604481018390526064016103f0565b73ffffffffffffffffffffffffffffffffffffffff84165f9081526020819052604090209082900390555b73ffffffffffffffffffffffffffffffffffffffff82166109615760028054829003905561098c565b73ffffffffffffffffffffffffffffffffffffffff82165f9081526020819052604090208054820190555b8173ffffffffffffffffffffffffffffffffffffffff168373ffffffffffffffffffffffffffffffffffffffff167fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef836040516109eb91815260200190565b60405180910390a3505050565b602081525f82518060208401528060208501604085015e5f6040828501015260407fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f83011684010191505092915050565b803573ffffffffffffffffffffffffffffffffffffffff81168114610a6e575f5ffd5b919050565b5f5f60408385031215610a84575f5ffd5b610a8d83610a4b565b946020939093013593505050565b5f5f5f60608486031215610aad575f5ffd5b610ab684610a4b565b9250610ac460208501610a4b565b929592945050506040919091013590565b5f60208284031215610ae5575f5ffd5b61043982610a4b565b5f60208284031215610afe575f5ffd5b5035919050565b5f5f60408385031215610b16575f5ffd5b50508035926020909101359150565b5f5f60408385031215610b36575f5ffd5b610b3f83610a4b565b9150610b4d60208401610a4b565b90509250929050565b600181811c90821680610b6a57607f821691505b602082108103610ba1577f4e487b71000000000000000000000000000000000000000000000000000000005f52602260045260245ffd5b50919050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b808202811582820484141761035c5761035c610ba7565b5f82610c1e577f4e487b71000000000000000000000000000000000000000000000000000000005f52601260045260245ffd5b500490565b8181038181111561035c5761035c610ba7565b8082018082111561035c5761035c610ba756fea164736f6c6343000825000a';
