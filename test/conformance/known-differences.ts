/**
 * Cases that the embedded server answers differently, with the reason, by file and name.
 * docs/reference/fidelity.md explains them in groups.
 */
export const knownDifferences: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  reads: {
    'a table can be YAML': 'the descriptions of columns are shorter',
  },
}
