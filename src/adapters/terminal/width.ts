/** Columns of the terminal that is written to; one that does not know its size says 0. */
export const terminalWidth = (): number => process.stdout.columns || 80
