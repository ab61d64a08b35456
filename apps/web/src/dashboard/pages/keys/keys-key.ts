export const keysKey = ['keys'];
