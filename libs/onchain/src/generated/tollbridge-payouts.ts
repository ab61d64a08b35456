// Written by scripts/compile.mjs from contracts/TollbridgePayouts.sol; do not edit.
export const tollbridgePayoutsCompiler = '0.8.37+commit.f401782d.Emscripten.clang';

export const tollbridgePayoutsAbi = [
  {
    inputs: [
      {
        internalType: 'address',
        name: 'feeRecipient_',
        type: 'address',
      },
    ],
    stateMutability: 'nonpayable',
    type: 'constructor',
  },
  {
    inputs: [
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
    inputs: [],
    name: 'InvalidFeeRecipient',
    type: 'error',
  },
  {
    inputs: [
      {
        internalType: 'uint256',
        name: 'place',
        type: 'uint256',
      },
    ],
    name: 'InvalidRecipient',
    type: 'error',
  },
  {
    inputs: [],
    name: 'NoRecipients',
    type: 'error',
  },
  {
    inputs: [],
    name: 'NotEnoughGas',
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
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: 'bytes32',
        name: 'payoutId',
        type: 'bytes32',
      },
      {
        indexed: true,
        internalType: 'uint256',
        name: 'batch',
        type: 'uint256',
      },
      {
        indexed: true,
        internalType: 'address',
        name: 'owner',
        type: 'address',
      },
      {
        indexed: false,
        internalType: 'address',
        name: 'token',
        type: 'address',
      },
      {
        indexed: false,
        internalType: 'bytes32',
        name: 'witness',
        type: 'bytes32',
      },
      {
        indexed: false,
        internalType: 'uint256',
        name: 'paid',
        type: 'uint256',
      },
      {
        indexed: false,
        internalType: 'uint256',
        name: 'refused',
        type: 'uint256',
      },
      {
        indexed: false,
        internalType: 'uint256',
        name: 'fee',
        type: 'uint256',
      },
    ],
    name: 'BatchPaid',
    type: 'event',
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: 'bytes32',
        name: 'payoutId',
        type: 'bytes32',
      },
      {
        indexed: true,
        internalType: 'uint256',
        name: 'batch',
        type: 'uint256',
      },
      {
        indexed: false,
        internalType: 'uint256',
        name: 'place',
        type: 'uint256',
      },
      {
        indexed: false,
        internalType: 'address',
        name: 'account',
        type: 'address',
      },
      {
        indexed: false,
        internalType: 'uint256',
        name: 'amount',
        type: 'uint256',
      },
    ],
    name: 'RecipientPaid',
    type: 'event',
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: 'bytes32',
        name: 'payoutId',
        type: 'bytes32',
      },
      {
        indexed: true,
        internalType: 'uint256',
        name: 'batch',
        type: 'uint256',
      },
      {
        indexed: false,
        internalType: 'uint256',
        name: 'place',
        type: 'uint256',
      },
      {
        indexed: false,
        internalType: 'address',
        name: 'account',
        type: 'address',
      },
      {
        indexed: false,
        internalType: 'uint256',
        name: 'amount',
        type: 'uint256',
      },
    ],
    name: 'RecipientRefused',
    type: 'event',
  },
  {
    inputs: [],
    name: 'PERMIT2',
    outputs: [
      {
        internalType: 'contract ISignatureTransfer',
        name: '',
        type: 'address',
      },
    ],
    stateMutability: 'view',
    type: 'function',
  },
  {
    inputs: [],
    name: 'TRANSFER_GAS',
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
    name: 'feeRecipient',
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
    inputs: [
      {
        internalType: 'bytes32',
        name: 'payoutId',
        type: 'bytes32',
      },
      {
        internalType: 'uint256',
        name: 'index',
        type: 'uint256',
      },
    ],
    name: 'nonceOf',
    outputs: [
      {
        internalType: 'uint256',
        name: '',
        type: 'uint256',
      },
    ],
    stateMutability: 'pure',
    type: 'function',
  },
  {
    inputs: [
      {
        components: [
          {
            internalType: 'bytes32',
            name: 'payoutId',
            type: 'bytes32',
          },
          {
            internalType: 'uint256',
            name: 'index',
            type: 'uint256',
          },
          {
            internalType: 'address',
            name: 'token',
            type: 'address',
          },
          {
            internalType: 'uint256',
            name: 'fee',
            type: 'uint256',
          },
          {
            internalType: 'uint256',
            name: 'deadline',
            type: 'uint256',
          },
        ],
        internalType: 'struct Batch',
        name: 'batch',
        type: 'tuple',
      },
      {
        components: [
          {
            internalType: 'address',
            name: 'account',
            type: 'address',
          },
          {
            internalType: 'uint256',
            name: 'amount',
            type: 'uint256',
          },
        ],
        internalType: 'struct Recipient[]',
        name: 'recipients',
        type: 'tuple[]',
      },
      {
        internalType: 'address',
        name: 'owner',
        type: 'address',
      },
      {
        internalType: 'bytes',
        name: 'signature',
        type: 'bytes',
      },
    ],
    name: 'payOut',
    outputs: [],
    stateMutability: 'nonpayable',
    type: 'function',
  },
  {
    inputs: [
      {
        components: [
          {
            internalType: 'bytes32',
            name: 'payoutId',
            type: 'bytes32',
          },
          {
            internalType: 'uint256',
            name: 'index',
            type: 'uint256',
          },
          {
            internalType: 'address',
            name: 'token',
            type: 'address',
          },
          {
            internalType: 'uint256',
            name: 'fee',
            type: 'uint256',
          },
          {
            internalType: 'uint256',
            name: 'deadline',
            type: 'uint256',
          },
        ],
        internalType: 'struct Batch',
        name: 'batch',
        type: 'tuple',
      },
      {
        components: [
          {
            internalType: 'address',
            name: 'account',
            type: 'address',
          },
          {
            internalType: 'uint256',
            name: 'amount',
            type: 'uint256',
          },
        ],
        internalType: 'struct Recipient[]',
        name: 'recipients',
        type: 'tuple[]',
      },
    ],
    name: 'witnessOf',
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
] as const;

export const tollbridgePayoutsCreationCode =
  '0x60a0604052348015600e575f5ffd5b50604051611341380380611341833981016040819052602b916061565b6001600160a01b038116605157604051630ed1b8b360e31b815260040160405180910390fd5b6001600160a01b0316608052608c565b5f602082840312156070575f5ffd5b81516001600160a01b03811681146085575f5ffd5b9392505050565b6080516112976100aa5f395f818160780152610a5801526112975ff3fe608060405234801561000f575f5ffd5b506004361061006f575f3560e01c8063c59db6521161004d578063c59db652146100fb578063cd6624c214610110578063ce82a93014610123575f5ffd5b806346904840146100735780636afdd850146100c4578063929f1af9146100da575b5f5ffd5b61009a7f000000000000000000000000000000000000000000000000000000000000000081565b60405173ffffffffffffffffffffffffffffffffffffffff90911681526020015b60405180910390f35b61009a6e22d473030f116ddee9f6b43ac78ba381565b6100ed6100e8366004610dca565b61012d565b6040519081526020016100bb565b61010e610109366004610e42565b61030f565b005b6100ed61011e366004610f03565b610481565b6100ed620493e081565b5f808267ffffffffffffffff81111561014857610148610f23565b604051908082528060200260200182016040528015610171578160200160208202803683370190505b5090505f5b83811015610257577f75b5728b05ded75d2aeef4f0640070916982fc77dde0c0d1cabdb9989f19f6048585838181106101b1576101b1610f50565b6101c79260206040909202019081019150610f7d565b8686848181106101d9576101d9610f50565b9050604002016020013560405160200161021c9392919092835273ffffffffffffffffffffffffffffffffffffffff919091166020830152604082015260600190565b6040516020818303038152906040528051906020012082828151811061024457610244610f50565b6020908102919091010152600101610176565b505f8160405160200161026a9190610f9d565b604080518083037fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe001815282825280516020918201207fe5a78c6758e9933cef6d625c60728afa292062a9e19041f3d1867cbb181362c7828501528935928401929092528801356060808401919091526080830182905288013560a0830152915060c00160405160208183030381529060405280519060200120925050509392505050565b6103176104b0565b5f61032286866104e7565b90505f6103356060890160408a01610f7d565b6040517f70a0823100000000000000000000000000000000000000000000000000000000815230600482015273ffffffffffffffffffffffffffffffffffffffff91909116906370a0823190602401602060405180830381865afa15801561039f573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906103c39190610fd2565b90505f6103d189898961012d565b90506103ee896103e5606082013586611016565b88848989610614565b61041f61040160608b0160408c01610f7d565b60608b01356104108686611016565b61041a9190611016565b610749565b5f61042b8a8a8a610821565b90505f61043a8b8987856109df565b905061045561044f60608d0160408e01610f7d565b85610749565b61046c8b8985610465868a611029565b8686610a91565b5050505050610479610b2b565b505050505050565b604080516020808201859052818301849052825180830384018152606090920190925280519101205b92915050565b6104b8610b55565b6104e560017f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005b90610bae565b565b5f818103610521576040517f91c0aaa200000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b5f5b8281101561060d575f5f85858481811061053f5761053f610f50565b6105559260206040909202019081019150610f7d565b86868581811061056757610567610f50565b9294505060206040909202010135905073ffffffffffffffffffffffffffffffffffffffff821615806105af575073ffffffffffffffffffffffffffffffffffffffff821630145b806105b8575080155b156105f7576040517f8e605c6f000000000000000000000000000000000000000000000000000000008152600481018490526024015b60405180910390fd5b6106018185611016565b93505050600101610523565b5092915050565b6e22d473030f116ddee9f6b43ac78ba373ffffffffffffffffffffffffffffffffffffffff1663137c29fe604051806060016040528060405180604001604052808b60400160208101906106689190610f7d565b73ffffffffffffffffffffffffffffffffffffffff1681526020018a815250815260200161069d8a5f01358b60200135610481565b8152602001896080013581525060405180604001604052803073ffffffffffffffffffffffffffffffffffffffff1681526020018981525087876040518060e0016040528060af81526020016111dc60af913988886040518863ffffffff1660e01b81526004016107149796959493929190611083565b5f604051808303815f87803b15801561072b575f5ffd5b505af115801561073d573d5f5f3e3d5ffd5b50505050505050505050565b6040517f70a082310000000000000000000000000000000000000000000000000000000081523060048201525f9073ffffffffffffffffffffffffffffffffffffffff8416906370a0823190602401602060405180830381865afa1580156107b3573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906107d79190610fd2565b905081811461081c576040517f9366facf00000000000000000000000000000000000000000000000000000000815260048101839052602481018290526044016105ee565b505050565b5f805b828110156109d7575f5f85858481811061084057610840610f50565b6108569260206040909202019081019150610f7d565b86868581811061086857610868610f50565b90506040020160200135915091506020620493e0610886919061118c565b61089390620493e0611016565b61089f90614e20611016565b5a10156108d8576040517fdd629f8600000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b6108f26108eb6060890160408a01610f7d565b8383610bb5565b1561095e576040805184815273ffffffffffffffffffffffffffffffffffffffff841660208281019190915291810183905290880135908835907f580c976b21a2e6ca10b0ba9189d9c8565fe57e1abe2f3a85424cf3a301533ec59060600160405180910390a36109cd565b6109688185611016565b6040805185815273ffffffffffffffffffffffffffffffffffffffff8516602082810191909152918101849052919550880135908835907f389f26fcfb8638684a6466f59b505d1b8aeddb6e98640082438678ef79d03d899060600160405180910390a35b5050600101610824565b509392505050565b5f80836109f08460608901356111c4565b6109fa919061118c565b9050610a0a816060880135611029565b91508215610a4d57610a4d85610a208386611016565b610a3060608a0160408b01610f7d565b73ffffffffffffffffffffffffffffffffffffffff169190610c89565b8115610a8857610a887f000000000000000000000000000000000000000000000000000000000000000083610a3060608a0160408b01610f7d565b50949350505050565b73ffffffffffffffffffffffffffffffffffffffff8516602087013587357fddbad9cf2f81db1ea5409222ac4084b17604e604ad4b558d306946c90e8955c7610ae060608b0160408c01610f7d565b6040805173ffffffffffffffffffffffffffffffffffffffff9092168252602082018a90528101889052606081018790526080810186905260a00160405180910390a4505050505050565b6104e55f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f006104df565b7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005c156104e5576040517f3ee5aeb500000000000000000000000000000000000000000000000000000000815260040160405180910390fd5b80825d5050565b60405173ffffffffffffffffffffffffffffffffffffffff83166024820152604481018290525f908190606401604080517fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0818403018152919052602080820180517bffffffffffffffffffffffffffffffffffffffffffffffffffffffff167fa9059cbb000000000000000000000000000000000000000000000000000000001781525f8080528351939450620493e0939091828a86f1925060015f5114601f3d11163d15178316925050509392505050565b610c968383836001610ce4565b61081c576040517f5274afe700000000000000000000000000000000000000000000000000000000815273ffffffffffffffffffffffffffffffffffffffff841660048201526024016105ee565b6040517fa9059cbb000000000000000000000000000000000000000000000000000000005f81815273ffffffffffffffffffffffffffffffffffffffff8616600452602485905291602083604481808b5af1925060015f51148316610d60578383151615610d54573d5f823e3d81fd5b5f873b113d1516831692505b60405250949350505050565b5f60a08284031215610d7c575f5ffd5b50919050565b5f5f83601f840112610d92575f5ffd5b50813567ffffffffffffffff811115610da9575f5ffd5b6020830191508360208260061b8501011115610dc3575f5ffd5b9250929050565b5f5f5f60c08486031215610ddc575f5ffd5b610de68585610d6c565b925060a084013567ffffffffffffffff811115610e01575f5ffd5b610e0d86828701610d82565b9497909650939450505050565b803573ffffffffffffffffffffffffffffffffffffffff81168114610e3d575f5ffd5b919050565b5f5f5f5f5f5f6101008789031215610e58575f5ffd5b610e628888610d6c565b955060a087013567ffffffffffffffff811115610e7d575f5ffd5b610e8989828a01610d82565b9096509450610e9c905060c08801610e1a565b925060e087013567ffffffffffffffff811115610eb7575f5ffd5b8701601f81018913610ec7575f5ffd5b803567ffffffffffffffff811115610edd575f5ffd5b896020828401011115610eee575f5ffd5b60208201935080925050509295509295509295565b5f5f60408385031215610f14575f5ffd5b50508035926020909101359150565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52603260045260245ffd5b5f60208284031215610f8d575f5ffd5b610f9682610e1a565b9392505050565b81515f90829060208501835b82811015610fc7578151845260209384019390910190600101610fa9565b509195945050505050565b5f60208284031215610fe2575f5ffd5b5051919050565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b808201808211156104aa576104aa610fe9565b818103818111156104aa576104aa610fe9565b81835281816020850137505f602082840101525f60207fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f840116840101905092915050565b6110ae818951805173ffffffffffffffffffffffffffffffffffffffff168252602090810151910152565b60208801516040820152604088015160608201526110ef6080820188805173ffffffffffffffffffffffffffffffffffffffff168252602090810151910152565b73ffffffffffffffffffffffffffffffffffffffff861660c08201528460e08201526101406101008201525f845180610140840152806020870161016085015e5f61016082850101527fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f820116830190506101608382030161012084015261117e6101608201858761103c565b9a9950505050505050505050565b5f826111bf577f4e487b71000000000000000000000000000000000000000000000000000000005f52601260045260245ffd5b500490565b80820281158282048414176104aa576104aa610fe956fe5061796f7574207769746e657373295061796f75742862797465733332207061796f757449642c75696e743235362062617463682c526563697069656e745b5d20726563697069656e74732c75696e743235362066656529526563697069656e742861646472657373206163636f756e742c75696e7432353620616d6f756e7429546f6b656e5065726d697373696f6e73286164647265737320746f6b656e2c75696e7432353620616d6f756e7429a164736f6c6343000825000a';
