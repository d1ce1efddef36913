import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'

/** The options that all ready models have. */
export interface ModelOptions {
  /** In findings; by default what the model is. */
  readonly name?: string
  /** Requests to this origin reach the model. */
  readonly origin: string
  /** How long an answer takes; 0 by default. */
  readonly delayMs?: number
  /** How long reads may show the state before the latest change; 0 by default. */
  readonly staleMs?: number
}

/** A part of a state that is a map; it is added if it is missing. */
export function mapIn(state: JsonObject, name: string): JsonObject {
  const present = state[name]
  if (isJsonObject(present)) return present
  const added: JsonObject = {}
  state[name] = added
  return added
}

/** A field that is a text; empty if it is something else. */
export function textIn(object: JsonValue | undefined, name: string): string {
  const value = isJsonObject(object) ? object[name] : undefined
  return typeof value === 'string' ? value : ''
}

/** The decoded parts of a path, and its query. */
export function partsOf(path: string): {
  readonly segments: readonly string[]
  readonly query: URLSearchParams
} {
  const { pathname, searchParams } = new URL(path, 'http://model.invalid')
  const segments = pathname.split('/').filter((part) => part !== '')
  return { segments: segments.map(decodeURIComponent), query: searchParams }
}
