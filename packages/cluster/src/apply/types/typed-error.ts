/** A value that its type does not allow. */
export interface TypeProblem {
  readonly path: string
  readonly message: string
}

/** Values that do not match their type, with the message of structured-merge-diff. */
export class TypedError extends Error {
  constructor(problems: readonly TypeProblem[]) {
    const texts = problems.map(({ path, message }) =>
      path === '' ? message : `${path}: ${message}`,
    )
    super(
      texts.length === 1 ? texts[0] : ['errors:', ...texts.map((text) => `  ${text}`)].join('\n'),
    )
    this.name = 'TypedError'
  }
}
