/** Loads cells and addresses on first use, because they need 80 ms and 12 MB. */
export const loadTonCore = (): Promise<typeof import('@ton/core')> => import('@ton/core');
