/** The links in the list of all operations. */
export const operationLinks = (): HTMLAnchorElement[] => [
  ...document.querySelectorAll<HTMLAnchorElement>('#all-operations li a'),
];
