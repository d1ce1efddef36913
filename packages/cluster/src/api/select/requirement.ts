/** One requirement on the labels of an object. */
export interface Requirement {
  readonly key: string
  readonly operator: 'in' | 'notin' | '=' | '==' | '!=' | 'exists' | '!' | 'gt' | 'lt'
  readonly values: readonly string[]
}

/** A syntax error of a selector, with a real server's message. */
export class SelectorSyntaxError extends Error {}

/** A syntax error between requirements: a real server's message then names no requirement. */
export class BetweenRequirementsError extends SelectorSyntaxError {}

/** The error of an unexpected token. */
export function unexpected(found: string, expected: string): SelectorSyntaxError {
  return new SelectorSyntaxError(`found '${found}', expected: ${expected}`)
}

/** The error of an unexpected token between requirements. */
export function unexpectedBetween(found: string, expected: string): SelectorSyntaxError {
  return new BetweenRequirementsError(`found '${found}', expected: ${expected}`)
}
