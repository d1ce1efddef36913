import type { Kind } from '../kinds/kind.ts'
import type { AdmissionOperation } from './admission-options.ts'
import type { PolicyOptions } from './policy-options.ts'

/** A policy of `.policy` with its checked options. */
export interface PolicyDeclaration {
  readonly name: string
  readonly kind: Kind
  /** `undefined` for the objects themselves. */
  readonly subresource: string | undefined
  readonly operations: readonly AdmissionOperation[]
  readonly options: PolicyOptions
}
