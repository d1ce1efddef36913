/** One thing about a value that its type does not allow. */
export interface TypeProblem {
  readonly path: string
  readonly message: string
}

/** A value that does not fit its type, in the words of structured-merge-diff. */
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
