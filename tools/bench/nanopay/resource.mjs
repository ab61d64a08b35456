// The resource that all sellers of the benchmark sell, with its price: the same bytes for the same price.
export const paths = { open: '/open', paid: '/paid' };

/** About a kilobyte, like a typical paid reply. */
export const resource = {
  city: 'Lisbon',
  hours: Array.from({ length: 24 }, (_, hour) => ({ hour, celsius: 15 + (hour % 12), wind: 7 })),
};
export const resourceBytes = Buffer.from(JSON.stringify(resource));

export const priceAtomic = '1000';
/** Long enough that payments signed before a measurement are valid at its end. */
export const maxTimeoutSeconds = 300;
