import { hasFields, jsonEquals } from '../schema/json-value.ts'

/** An object that handlers serve: its metadata is known, the rest is the author's business. */
export interface ServedObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly uid: string
    readonly resourceVersion: string
    readonly deletionTimestamp?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly [field: string]: unknown
}

/** What people say about an object: everything but its status and what the system keeps in its metadata. */
export interface Essence {
  readonly metadata: {
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly [field: string]: unknown
}

/** An essence; or, where it was too large to be remembered, its hash and those of the fields that are followed. */
export type Snapshot = Essence | string

/** Annotations that tools keep for themselves: they change without anybody having said anything. */
const toolAnnotation = /^(setpoint\.dev\/|kubectl\.kubernetes\.io\/last-applied-configuration$)/

/** The part of an object that handlers compare. */
export function essenceOf(object: ServedObject): Essence {
  const { apiVersion: _, kind: __, status: ___, metadata, ...fields } = object
  const { labels = {}, annotations = {} } = metadata
  const said = Object.entries(annotations).filter(([name]) => !toolAnnotation.test(name))
  return {
    ...fields,
    metadata: {
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
      ...(said.length === 0 ? {} : { annotations: Object.fromEntries(said) }),
    },
  }
}

/** Whether a remembered state is this one. */
export function isSameEssence(snapshot: Snapshot, essence: Essence): boolean {
  return typeof snapshot === 'string'
    ? snapshot.split(' ')[0] === essenceHash(essence)
    : jsonEquals(snapshot, essence)
}

/** What is left of an essence that is too large. */
export function cutEssence(snapshot: Snapshot, paths: readonly (readonly string[])[]): string {
  if (typeof snapshot === 'string') return snapshot
  return [essenceHash(snapshot), ...paths.map((path) => fieldHash(snapshot, path))].join(' ')
}

/** Whether a field is as it was when its essence was cut. */
export function isSameField(cut: string, essence: Essence, path: readonly string[]): boolean {
  return `${cut} `.includes(` ${fieldHash(essence, path)} `)
}

function fieldHash(essence: Essence, path: readonly string[]): string {
  return `${path.join('.')}:${essenceHash(valueAt(essence, path) ?? null)}`
}

/** A short text that is the same for the same essence, whatever the order of its fields. */
export function essenceHash(essence: unknown): string {
  const text = JSON.stringify(essence, (_, value: unknown) =>
    hasFields(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
  let low = 0x811c9dc5
  let high = 0x9e3779b9
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ (unit + index), 0x01000193)
  }
  return [high, low].map((word) => (word >>> 0).toString(36)).join('-')
}

/** The value at a field path, `undefined` where there is none. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let current = value
  for (const name of path) {
    if (!hasFields(current) || !Object.hasOwn(current, name)) return undefined
    current = current[name]
  }
  return current
}
