/**
 * A group or an operation as one word: of the command line, and of the URL of its reference page.
 * "Gift cards, airtime, bills" is `gift-cards-airtime-bills`, and `createOrder` is `create-order`.
 */
export const commandWord = (name: string): string =>
  name
    .replace(/PayLink/g, 'Paylink')
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z\d]+/g, '-')
    .toLowerCase();
