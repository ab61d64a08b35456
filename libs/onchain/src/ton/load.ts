/** Cells and addresses. Loaded on first use: 80 ms and 12 MB. */
export const loadTonCore = (): Promise<typeof import('@ton/core')> => import('@ton/core');
