/** One condition on the labels of an object. */
export interface Requirement {
  readonly key: string
  readonly operator: 'in' | 'notin' | '=' | '==' | '!=' | 'exists' | '!' | 'gt' | 'lt'
  readonly values: readonly string[]
}

/** What is wrong with the text of a selector, in the words of a real server. */
export class SelectorSyntaxError extends Error {}

/** Something wrong between requirements: a real server then does not blame one of them. */
export class BetweenRequirementsError extends SelectorSyntaxError {}

/** The words for a token that cannot stand where it stands. */
export function unexpected(found: string, expected: string): SelectorSyntaxError {
  return new SelectorSyntaxError(`found '${found}', expected: ${expected}`)
}

/** The same between requirements. */
export function unexpectedBetween(found: string, expected: string): SelectorSyntaxError {
  return new BetweenRequirementsError(`found '${found}', expected: ${expected}`)
}
