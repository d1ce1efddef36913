import type { StoredChange } from '@setpoint/cluster'
import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { canonicalFields } from '../state/canonical-state.ts'
import { touchAnnotation } from '../world/touch-object.ts'

/** How many changed fields of an object are shown. */
const fieldsMax = 6
const valueMax = 60

/** What happened to an object: `creates /configmaps default/oak`. */
export function changeText(change: StoredChange): string {
  const object = `${change.bucket} ${change.current.key}`
  if (change.type === 'created') return `creates ${object}`
  if (change.type === 'deleted') return `removes ${object}`
  const isNew = isTerminating(change.current.text) && !isTerminating(change.previous?.text)
  return isNew ? `deletes ${object}, which waits for its finalizers` : `changes ${object}`
}

/** The fields of an object that a change changed. Values of Secrets are hidden. */
export function changedFields({ type, bucket, current, previous }: StoredChange): string[] {
  if (type !== 'changed' || previous === undefined) return []
  const [before, after] = [canonicalFields(previous.text), canonicalFields(current.text)]
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path) && path !== 'metadata.terminating',
  )
  const shown = changed.slice(0, fieldsMax).map((path) => {
    if (bucket === '/secrets') return `${path}: (hidden)`
    return `${path}: ${valueText(before.get(path))} -> ${valueText(after.get(path))}`
  })
  const left = changed.length - shown.length
  return left > 0 ? [...shown, `and ${left} more fields`] : shown
}

/** Who changed an object, as far as its stored state shows it. */
export function authorOf({ type, current, previous }: StoredChange): string {
  if (type === 'deleted') return 'another controller'
  const after = metadataOf(current.text)
  const before = previous === undefined ? {} : metadataOf(previous.text)
  if (touchOf(after) !== touchOf(before)) return 'another client'
  const known = new Set(managersOf(before).map((entry) => JSON.stringify(entry)))
  const written = managersOf(after).find((entry) => !known.has(JSON.stringify(entry)))
  return written?.['manager'] === 'setpoint' || typeof written?.['manager'] !== 'string'
    ? 'another controller'
    : written['manager']
}

function valueText(text: string | undefined): string {
  if (text === undefined) return 'nothing'
  return text.length > valueMax ? `${text.slice(0, valueMax)}...` : text
}

function isTerminating(text = ''): boolean {
  return text.includes('"deletionTimestamp"') && metadataOf(text)['deletionTimestamp'] !== undefined
}

function metadataOf(text: string): JsonObject {
  const { metadata } = JSON.parse(`{${text}`) as JsonObject
  return isJsonObject(metadata) ? metadata : {}
}

function touchOf({ annotations }: JsonObject): JsonValue | undefined {
  return isJsonObject(annotations) ? annotations[touchAnnotation] : undefined
}

function managersOf({ managedFields }: JsonObject): JsonObject[] {
  return Array.isArray(managedFields) ? managedFields.filter(isJsonObject) : []
}
