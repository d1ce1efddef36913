/**
 * Cases that the embedded server answers otherwise, with the reason, by file and name. What belongs
 * together is explained in docs/reference/fidelity.md.
 */
export const knownDifferences: Readonly<Record<string, Readonly<Record<string, string>>>> = {}
