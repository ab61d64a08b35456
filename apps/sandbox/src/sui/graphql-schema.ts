/**
 * The part of Sui's GraphQL schema that wallets and payment services use, with the names and types of
 * https://docs.sui.io/references/sui-api/sui-graphql/reference.
 */
export const suiSchema = `
scalar Base64
scalar BigInt
scalar DateTime
scalar JSON
scalar SuiAddress
scalar UInt53

type Query {
  chainIdentifier: String!
  checkpoint(sequenceNumber: UInt53): Checkpoint
  multiGetCheckpoints(keys: [UInt53!]!): [Checkpoint]!
  epoch: Epoch
  serviceConfig: ServiceConfig!
  events(first: Int, after: String, filter: EventFilter): EventConnection
  transaction(digest: String!): Transaction
  multiGetTransactions(keys: [String!]!): [Transaction]!
  address(address: SuiAddress!): Address!
  object(address: SuiAddress!): Object
  multiGetObjects(keys: [ObjectKey!]!): [Object]!
  simulateTransaction(transaction: JSON!): SimulationResult!
}

type Mutation {
  executeTransaction(transactionDataBcs: Base64!, signatures: [Base64!]!): ExecutionResult!
}

input EventFilter { afterCheckpoint: UInt53, atCheckpoint: UInt53, beforeCheckpoint: UInt53, type: String }
input ObjectFilter { type: String }
input ObjectKey { address: SuiAddress! }

type PageInfo { hasNextPage: Boolean!, hasPreviousPage: Boolean!, startCursor: String, endCursor: String }
type Epoch { epochId: UInt53!, referenceGasPrice: BigInt }
type ServiceConfig { availableRange(type: String!, field: String, filters: [String!]): AvailableRange! }
type AvailableRange { first: Checkpoint, last: Checkpoint }
type Checkpoint {
  sequenceNumber: UInt53!
  digest: String
  previousCheckpointDigest: String
  timestamp: DateTime
}

type MoveType { repr: String! }
type MoveValue { type: MoveType, bcs: Base64, json: JSON }
type Address {
  address: SuiAddress!
  balance(coinType: String!): Balance
  balances(first: Int, after: String): BalanceConnection
  objects(first: Int, after: String, filter: ObjectFilter): MoveObjectConnection
}
type Balance { coinType: MoveType, totalBalance: BigInt }
type BalanceConnection { nodes: [Balance!]!, pageInfo: PageInfo! }

type AddressOwner { address: Address }
type ObjectOwner { address: Address }
type Shared { initialSharedVersion: UInt53 }
type Immutable { _: Boolean }
type ConsensusAddressOwner { startVersion: UInt53, address: Address }
union Owner = AddressOwner | ObjectOwner | Shared | Immutable | ConsensusAddressOwner

type Object {
  address: SuiAddress!
  version: UInt53
  digest: String
  owner: Owner
  previousTransaction: Transaction
  asMoveObject: MoveObject
}
type MoveObject {
  address: SuiAddress!
  version: UInt53
  digest: String
  owner: Owner
  contents: MoveValue
  previousTransaction: Transaction
}
type MoveObjectConnection { nodes: [MoveObject!]!, pageInfo: PageInfo! }

type Transaction {
  digest: String!
  sender: Address
  transactionBcs: Base64
  signatures: [UserSignature!]!
  effects: TransactionEffects
}
type UserSignature { signatureBytes: Base64 }
enum ExecutionStatus { SUCCESS FAILURE }
type ExecutionError { message: String! }
type TransactionEffects {
  digest: String!
  transaction: Transaction
  status: ExecutionStatus
  executionError: ExecutionError
  effectsBcs: Base64
  epoch: Epoch
  checkpoint: Checkpoint
  timestamp: DateTime
  events(first: Int, after: String): EventConnection
  balanceChanges(first: Int, after: String): BalanceChangeConnection
  objectChanges(first: Int, after: String): ObjectChangeConnection
  unchangedConsensusObjects(first: Int, after: String): UnchangedConsensusObjectConnection
}
type BalanceChange { owner: Address, coinType: MoveType, amount: BigInt }
type BalanceChangeConnection { nodes: [BalanceChange!]!, pageInfo: PageInfo! }
type ObjectChange { address: SuiAddress!, inputState: Object, outputState: Object, idCreated: Boolean, idDeleted: Boolean }
type ObjectChangeConnection { nodes: [ObjectChange!]!, pageInfo: PageInfo! }
type ConsensusObjectRead { object: Object }
type PerEpochConfig { object: Object }
union UnchangedConsensusObject = ConsensusObjectRead | PerEpochConfig
type UnchangedConsensusObjectConnection { nodes: [UnchangedConsensusObject!]!, pageInfo: PageInfo! }

type Event {
  sequenceNumber: UInt53!
  contents: MoveValue
  sender: Address
  timestamp: DateTime
  transaction: Transaction
}
type EventConnection { nodes: [Event!]!, pageInfo: PageInfo! }

type ExecutionResult { effects: TransactionEffects, errors: [String!] }
type SimulationResult { effects: TransactionEffects, error: String }
`;
