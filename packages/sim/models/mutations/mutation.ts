import type { Program } from '../../src/index.ts'

/** A twin with one mistake in it, of the kinds that are made in any operator. */
export interface Mutation {
  readonly id: string
  /** The model whose twin it changes; resource, sample and options are those of the model. */
  readonly of: string
  /** The mistake. */
  readonly what: string
  readonly program: Program
}
