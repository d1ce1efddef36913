/** A write of a sequence; a body that is a function is made from the live object. */
export interface Step {
  readonly verb: 'apply' | 'post' | 'put' | 'merge' | 'json' | 'strategic'
  readonly by: string
  readonly body: unknown
  readonly force?: boolean
  readonly subresource?: string
  readonly apiVersion?: string
}

/** Writes to one object, one after the other. */
export interface Sequence {
  readonly name: string
  readonly resource: string
  readonly kind: string
  readonly apiVersion: string
  readonly steps: readonly Step[]
}
