/** TanStack Query key of the list of API keys. */
export const keysKey = ['keys'];
