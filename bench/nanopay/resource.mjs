// What all sellers of the bench sell, and for how much: the same bytes for the same price.
export const paths = { open: '/open', paid: '/paid' };

/** About a kilobyte, as an answer that is worth paying for. */
export const resource = {
  city: 'Lisbon',
  hours: Array.from({ length: 24 }, (_, hour) => ({ hour, celsius: 15 + (hour % 12), wind: 7 })),
};
export const resourceBytes = Buffer.from(JSON.stringify(resource));

export const priceAtomic = '1000';
/** Long enough that what is signed before a measurement is still good at its end. */
export const maxTimeoutSeconds = 300;
