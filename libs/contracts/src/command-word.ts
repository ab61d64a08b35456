/**
 * Converts the name of a group or an operation to one word. The command line and the URLs of the reference use this
 * word. "Gift cards, airtime, bills" becomes `gift-cards-airtime-bills`, and `createOrder` becomes `create-order`.
 */
export const commandWord = (name: string): string =>
  name
    .replace(/PayLink/g, 'Paylink')
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z\d]+/g, '-')
    .toLowerCase();
