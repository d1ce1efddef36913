/**
 * Cases that the embedded server answers otherwise, with the reason, by file and name. What belongs
 * together is explained in docs/reference/fidelity.md.
 */
export const knownDifferences: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  reads: {
    'a table can be YAML': 'the descriptions of columns are shorter',
  },
  'more-kinds': {
    'a validating webhook is completed or refused alike':
      'a warning says that it is stored but has no effect',
  },
}
