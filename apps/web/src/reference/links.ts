/** The links of the list of all operations. */
export const operationLinks = (): HTMLAnchorElement[] => [
  ...document.querySelectorAll<HTMLAnchorElement>('#all-operations li a'),
];
