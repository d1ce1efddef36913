import type { ApiResource } from '../kinds/api-resource.ts'
import { hashText, hashWord } from '../schema/hash-text.ts'
import { hasFields, jsonEquals } from '../schema/json-value.ts'

/**
 * The part of an object that users set: everything except the status and server-managed metadata.
 */
export interface Essence {
  readonly metadata: {
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly [field: string]: unknown
}

/**
 * An essence. When it is too large for the annotation: its hash, and the hashes of the watched
 * fields.
 */
export type Snapshot = Essence | string

/** Annotations of tools: a change of them is not a change by a user. */
const toolAnnotation = /^(setpoint\.dev\/|kubectl\.kubernetes\.io\/last-applied-configuration$)/

/** The part of an object that handlers compare. */
export function essenceOf(object: ApiResource): Essence {
  const { apiVersion: _, kind: __, status: ___, metadata, ...fields } = object
  const { labels = {}, annotations = {} } = metadata
  const userAnnotations = Object.entries(annotations).filter(([name]) => !toolAnnotation.test(name))
  return {
    ...fields,
    metadata: {
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
      ...(userAnnotations.length === 0 ? {} : { annotations: Object.fromEntries(userAnnotations) }),
    },
  }
}

/** Whether a saved state equals this one. */
export function isSameEssence(snapshot: Snapshot, essence: Essence): boolean {
  return typeof snapshot === 'string'
    ? snapshot.split(' ')[0] === essenceHash(essence)
    : jsonEquals(snapshot, essence)
}

/** The hashes that replace an essence that is too large. */
export function cutEssence(snapshot: Snapshot, paths: readonly (readonly string[])[]): string {
  if (typeof snapshot === 'string') return snapshot
  return [essenceHash(snapshot), ...paths.map((path) => fieldHash(snapshot, path))].join(' ')
}

/** Whether a field has the same value as when its essence was cut. */
export function isSameField(cut: string, essence: Essence, path: readonly string[]): boolean {
  return `${cut} `.includes(` ${fieldHash(essence, path)} `)
}

function fieldHash(essence: Essence, path: readonly string[]): string {
  return `${path.join('.')}:${essenceHash(valueAt(essence, path) ?? null)}`
}

/** A short text that is equal for equal essences. The order of fields does not matter. */
export function essenceHash(essence: unknown): string {
  const text = JSON.stringify(essence, (_, value: unknown) =>
    hasFields(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
  const { low, high } = hashText(text)
  return `${hashWord(high)}-${hashWord(low)}`
}

/** The value at a field path; `undefined` where there is none. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let current = value
  for (const name of path) {
    if (!hasFields(current) || !Object.hasOwn(current, name)) return undefined
    current = current[name]
  }
  return current
}
