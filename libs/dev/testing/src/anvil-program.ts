/** The binary, not its npm wrapper: a kill of the wrapper's process would leave the node running. */
export function findAnvil(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}/bin/${file}`;
  return require.resolve(name);
}
