// Written by `npm run docs` from en.json.
/** The placeholders of each text that has any. */
export interface Placeholders {
  pay: 'amount';
  onChain: 'chain';
  aboutValueOnChain: 'value' | 'chain';
  paymentTo: 'merchant';
  backToShop: 'shop';
  until: 'time';
  copyName: 'name';
  openForPayment: 'countdown';
  moreWays: 'count';
  refundAddress: 'chain';
  refundAddressOptional: 'chain';
  payWith: 'token' | 'chain';
  onChainAbout: 'chain' | 'time';
  youHold: 'amount';
  youHoldTooLittle: 'amount' | 'needed';
  youHoldNoFee: 'amount' | 'coin';
  rateFixed: 'countdown';
  sendExactly: 'amount';
  oneTransfer: 'chain';
  exchangeFees: 'amount' | 'chain';
  oneTransaction: 'chain' | 'contract';
  twoTransactions: 'chain' | 'contract';
  approveStep: 'token';
  refunded: 'amount';
  missing: 'amount';
  sendTheRest: 'amount' | 'countdown';
  waitingForPayment: 'countdown';
  confirmation: 'count' | 'total';
  transactionHash: 'hash';
  stepLine: 'step' | 'state';
  receiptOf: 'amount';
  paidOn: 'time';
  amountOnChain: 'amount' | 'chain';
  walletWrongNetwork: 'network';
  walletSwitchDeclined: 'network';
  timeLeft: 'time';
  anyAmount: 'token';
  amountOrMore: 'amount';
  contractOf: 'token';
  linkTitle: 'name' | 'amount';
  linkSummary: 'name' | 'amount';
  linkSummaryTo: 'name' | 'amount' | 'shop';
  requestNumber: 'id';
  missingPath: 'path';
  otherMethodPath: 'path' | 'methods';
}
