// Written by scripts/compile.mjs from contracts/SandboxOddToken.sol; do not edit.
export const sandboxOddTokenCompiler = '0.8.37+commit.f401782d.Emscripten.clang';

export const sandboxOddTokenAbi = [
  {
    inputs: [
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
    inputs: [],
    name: 'ResetFirst',
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
    inputs: [],
    name: 'answer',
    outputs: [
      {
        internalType: 'enum SandboxOddToken.Answer',
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
        name: 'spender',
        type: 'address',
      },
      {
        internalType: 'uint256',
        name: 'amount',
        type: 'uint256',
      },
    ],
    name: 'approve',
    outputs: [],
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
    inputs: [
      {
        internalType: 'bool',
        name: 'wantsReset_',
        type: 'bool',
      },
      {
        internalType: 'enum SandboxOddToken.Answer',
        name: 'answer_',
        type: 'uint8',
      },
      {
        internalType: 'uint256',
        name: 'taxBps_',
        type: 'uint256',
      },
    ],
    name: 'behave',
    outputs: [],
    stateMutability: 'nonpayable',
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
    name: 'taxBps',
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
    outputs: [],
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
    outputs: [],
    stateMutability: 'nonpayable',
    type: 'function',
  },
  {
    inputs: [],
    name: 'wantsReset',
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
] as const;

export const sandboxOddTokenCreationCode =
  '0x60a060405234801561000f575f5ffd5b50604051610bcd380380610bcd83398101604081905261002e9161006f565b5f61003983826101bf565b5060ff166080525061027d565b634e487b7160e01b5f52604160045260245ffd5b805160ff8116811461006a575f5ffd5b919050565b5f5f60408385031215610080575f5ffd5b82516001600160401b03811115610095575f5ffd5b8301601f810185136100a5575f5ffd5b80516001600160401b038111156100be576100be610046565b604051601f8201601f19908116603f011681016001600160401b03811182821017156100ec576100ec610046565b604052818152828201602001871015610103575f5ffd5b8160208401602083015e5f602083830101528094505050506101276020840161005a565b90509250929050565b600181811c9082168061014457607f821691505b60208210810361016257634e487b7160e01b5f52602260045260245ffd5b50919050565b601f8211156101ba57828211156101ba57805f5260205f20601f840160051c602085101561019357505f5b90810190601f840160051c035f5b818110156101b6575f838201556001016101a1565b5050505b505050565b81516001600160401b038111156101d8576101d8610046565b6101ec816101e68454610130565b84610168565b6020601f82116001811461021e575f83156102075750848201515b5f19600385901b1c1916600184901b178455610276565b5f84815260208120601f198516915b8281101561024d578785015182556020948501946001909201910161022d565b508482101561026a57868401515f19600387901b60f8161c191681555b505060018360011b0184555b5050505050565b6080516109386102955f395f61011301526109385ff3fe608060405234801561000f575f5ffd5b50600436106100cf575f3560e01c806370a082311161007d578063a9059cbb11610058578063a9059cbb146101c9578063dd62ed3e146101dc578063edc906ca14610206575f5ffd5b806370a082311461017657806385bb7d691461019557806395d89b41146101b4575f5ffd5b8063313ce567116100ad578063313ce5671461010e5780633eacd2f81461014c57806340c10f1914610163575f5ffd5b8063095ea7b3146100d35780631c9cc693146100e857806323b872dd146100fb575b5f5ffd5b6100e66100e136600461068c565b610223565b005b6100e66100f63660046106b4565b610318565b6100e66101093660046106f9565b61038a565b6101357f000000000000000000000000000000000000000000000000000000000000000081565b60405160ff90911681526020015b60405180910390f35b61015560045481565b604051908152602001610143565b6100e661017136600461068c565b6103e7565b610155610184366004610722565b60016020525f908152604090205481565b6003546101a790610100900460ff1681565b604051610143919061076f565b6101bc610471565b60405161014391906107ae565b6100e66101d736600461068c565b6104fc565b6101556101ea366004610801565b600260209081525f928352604080842090915290825290205481565b6003546102139060ff1681565b6040519015158152602001610143565b60035460ff16801561023457508015155b801561026e5750335f90815260026020908152604080832073ffffffffffffffffffffffffffffffffffffffff8616845290915290205415155b156102a5576040517fe7e8667700000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b335f81815260026020908152604080832073ffffffffffffffffffffffffffffffffffffffff871680855290835292819020859055518481529192917f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925910160405180910390a361031461050b565b5050565b600481905560038054849184918491905f90849083907fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00ff1661010083600281111561036557610365610742565b02179055508491906101000a81548160ff021916908315150217905550505050505050565b73ffffffffffffffffffffffffffffffffffffffff83165f908152600260209081526040808320338452909152812080548392906103c990849061085f565b909155506103da9050838383610569565b6103e261050b565b505050565b73ffffffffffffffffffffffffffffffffffffffff82165f908152600160205260408120805483929061041b908490610878565b909155505060405181815273ffffffffffffffffffffffffffffffffffffffff8316905f907fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef9060200160405180910390a35050565b5f805461047d9061088b565b80601f01602080910402602001604051908101604052809291908181526020018280546104a99061088b565b80156104f45780601f106104cb576101008083540402835291602001916104f4565b820191905f5260205f20905b8154815290600101906020018083116104d757829003601f168201915b505050505081565b610507338383610569565b6103145b6001600354610100900460ff16600281111561052957610529610742565b0361053057565b5f80600354610100900460ff16600281111561054e5761054e610742565b14610559575f61055c565b60015b60ff169050805f5260205ff35b5f6127106004548361057b91906108dc565b61058591906108f3565b73ffffffffffffffffffffffffffffffffffffffff85165f908152600160205260408120805492935084929091906105be90849061085f565b909155506105ce9050818361085f565b73ffffffffffffffffffffffffffffffffffffffff84165f9081526001602052604081208054909190610602908490610878565b909155505073ffffffffffffffffffffffffffffffffffffffff8084169085167fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef61064d848661085f565b60405190815260200160405180910390a350505050565b803573ffffffffffffffffffffffffffffffffffffffff81168114610687575f5ffd5b919050565b5f5f6040838503121561069d575f5ffd5b6106a683610664565b946020939093013593505050565b5f5f5f606084860312156106c6575f5ffd5b833580151581146106d5575f5ffd5b92506020840135600381106106e8575f5ffd5b929592945050506040919091013590565b5f5f5f6060848603121561070b575f5ffd5b61071484610664565b92506106e860208501610664565b5f60208284031215610732575f5ffd5b61073b82610664565b9392505050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b60208101600383106107a8577f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b91905290565b602081525f82518060208401528060208501604085015e5f6040828501015260407fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f83011684010191505092915050565b5f5f60408385031215610812575f5ffd5b61081b83610664565b915061082960208401610664565b90509250929050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b8181038181111561087257610872610832565b92915050565b8082018082111561087257610872610832565b600181811c9082168061089f57607f821691505b6020821081036108d6577f4e487b71000000000000000000000000000000000000000000000000000000005f52602260045260245ffd5b50919050565b808202811582820484141761087257610872610832565b5f82610926577f4e487b71000000000000000000000000000000000000000000000000000000005f52601260045260245ffd5b50049056fea164736f6c6343000825000a';
