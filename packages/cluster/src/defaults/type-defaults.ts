import type { JsonObject } from 'setpoint/schema'

/** Applies the defaults of one struct, in place; nested structs have their own. */
export type Defaulter = (value: JsonObject) => void

/** Defaulters by the name of the protobuf message, which is the name of the Go struct. */
export type TypeDefaults = Readonly<Record<string, Defaulter>>

/**
 * Types a defaulter by its struct. The cast is safe because `decodeTyped` has validated the types.
 */
export function typed<T>(fill: (value: T) => void): Defaulter {
  return (value) => fill(value as unknown as T)
}

/** Messages of one Go package: `inPackage('k8s.io.api.core.v1', { Probe: ... })`. */
export function inPackage(name: string, types: TypeDefaults): TypeDefaults {
  return Object.fromEntries(
    Object.entries(types).map(([type, defaulter]) => [`${name}.${type}`, defaulter]),
  )
}
