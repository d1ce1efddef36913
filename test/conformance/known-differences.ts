/**
 * Cases that the embedded server answers differently, with the reason, by file and name.
 * docs/reference/fidelity.md explains them in groups.
 */
export const knownDifferences: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'definition-changes': {
    'a definition with conversion by a webhook is accepted or refused the same way':
      'a warning says that the webhook is stored but not called',
  },
  reads: {
    'a table can be YAML': 'the descriptions of columns are shorter',
  },
  'more-kinds': {
    'a validating webhook is completed or refused the same way':
      'a warning says that it is stored but has no effect',
  },
}
