import type { JsonObject } from 'setpoint/schema'

/** An object as an author writes it. Without a kind it is one of the simulated resource. */
export interface Sample {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec?: JsonObject
}

/** An object of any kind, with the fields that a user applies. */
export interface Manifest extends Sample {
  readonly apiVersion: string
  readonly kind: string
  readonly [field: string]: unknown
}

/** What a change of a spec is about. */
export interface SpecChange {
  /** The field, such as `spec.replicas`. */
  readonly field: string
  readonly spec: JsonObject
  /** Whether the new value is valid by the schema, but cannot work. */
  readonly isBad?: boolean
  /** Whether the field gets the value of the sample again. */
  readonly isBack?: boolean
}

/** An object of the simulated resource. */
interface Subject {
  readonly object: string
  /** `default` by default. */
  readonly namespace?: string
}

/**
 * One action of a user. It is data, so that a plan can be stored and repeated. `create`, `set` and
 * `delete` are about objects of the simulated resource; `apply` and `remove` about any object.
 */
export type Step =
  | { readonly do: 'create'; readonly name: string; readonly object: Sample }
  | ({ readonly do: 'set'; readonly name: string } & Subject & SpecChange)
  | ({ readonly do: 'delete'; readonly name: string } & Subject)
  | { readonly do: 'apply'; readonly name: string; readonly object: Manifest }
  | { readonly do: 'remove'; readonly name: string; readonly object: Manifest }
  | { readonly do: 'wait'; readonly name: string; readonly forMs: number }
