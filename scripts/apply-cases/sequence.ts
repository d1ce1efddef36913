/** A write of a sequence; a body that is a function gets the live object. */
export interface Step {
  readonly verb: 'apply' | 'post' | 'put' | 'merge' | 'json' | 'strategic'
  readonly by: string
  readonly body: unknown
  readonly force?: boolean
  readonly subresource?: string
  readonly apiVersion?: string
}

/** Writes to one object, in order. */
export interface Sequence {
  readonly name: string
  readonly resource: string
  readonly kind: string
  readonly apiVersion: string
  readonly steps: readonly Step[]
}
