import { isJsonObject, type JsonObject } from 'setpoint/schema'
import { encodeJson, parseJson } from '../codec/index.ts'
import { unexpectedError } from '../status/index.ts'
import type { StoredObject } from '../store/index.ts'
import {
  convertedText,
  convertStored,
  isUnconverted,
  storedApiVersion,
} from './conversion/stored-forms.ts'
import type { ServedResource } from './resources/served-resource.ts'

/** The largest object that etcd accepts. */
export const storedBytesMax = 1.5 * 1024 * 1024

/** The stored form of an object: JSON without kind, apiVersion and the opening brace. */
export function storedText(object: JsonObject, revision: number): string {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object
  rest['metadata'] = withRevision(rest, String(revision))
  const text = encodeJson(rest)
  if (text.length * 3 > storedBytesMax && byteLength(text) > storedBytesMax) {
    throw unexpectedError('etcdserver: request is too large')
  }
  return text.slice(1)
}

/** Go prints the resourceVersion right after the uid, and right before it where keys are sorted. */
function withRevision({ metadata }: JsonObject, resourceVersion: string): JsonObject {
  if (!isJsonObject(metadata)) return { resourceVersion }
  if (metadata['resourceVersion'] !== undefined) return { ...metadata, resourceVersion }
  const isSorted = Object.keys(metadata).at(-1) === 'uid'
  const placed: JsonObject = {}
  for (const key of Object.keys(metadata)) {
    if (key === 'uid' && isSorted) placed['resourceVersion'] = resourceVersion
    const value = metadata[key]
    if (value !== undefined) placed[key] = value
    if (key === 'uid' && !isSorted) placed['resourceVersion'] = resourceVersion
  }
  return placed
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}

/** A fresh copy of a stored object in the version of the resource. */
export function readObject(resource: ServedResource, stored: StoredObject): JsonObject {
  if (isUpToDate(resource, stored)) return parsed(headOf(resource) + stored.text)
  const converted = convertedText(resource, stored)
  if (converted !== undefined) return parsed(converted)
  if (isUnconverted(resource, stored)) {
    throw new Error(`${resource.bucket} ${stored.key} is read before it is converted`)
  }
  return resource.strategy.fromStorage(readStored(resource, stored))
}

/** Reads an object, and converts it before if a webhook has to. */
export async function readConverted(
  resource: ServedResource,
  stored: StoredObject,
): Promise<JsonObject> {
  if (resource.conversion !== undefined) await convertStored(resource, stored)
  return readObject(resource, stored)
}

/**
 * A stored object in the version in which it was stored. Its metadata are the same in all versions.
 */
export function readStored(resource: ServedResource, stored: StoredObject): JsonObject {
  const { kind, isCustom } = resource
  const apiVersion = storedApiVersion(resource, stored)
  return parsed(headOf({ kind, isCustom, apiVersion }) + stored.text)
}

/** The whole object as JSON text, which is the answer to a get. */
export function objectText(resource: ServedResource, stored: StoredObject): string {
  if (isUpToDate(resource, stored)) return headOf(resource) + stored.text
  return convertedText(resource, stored) ?? encodeJson(readObject(resource, stored))
}

/** The object as an item of a list: built-in kinds omit kind and apiVersion, which the list has. */
export function itemText(resource: ServedResource, stored: StoredObject): string {
  if (resource.isCustom) return objectText(resource, stored)
  if (isUpToDate(resource, stored)) return `{${stored.text}`
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = readObject(resource, stored)
  return encodeJson(rest)
}

/** Whether objects can be sent as they are stored. */
export function isCurrent(resource: ServedResource): (stored: StoredObject) => boolean {
  return (stored) => isUpToDate(resource, stored)
}

function isUpToDate(resource: ServedResource, stored: StoredObject): boolean {
  return resource.isStorageVersion && stored.schemaTag === resource.schemaTag
}

function parsed(text: string): JsonObject {
  return parseJson(text).value as JsonObject
}

function headOf({
  kind,
  apiVersion,
  isCustom,
}: Pick<ServedResource, 'kind' | 'apiVersion' | 'isCustom'>): string {
  // Go writes the fields of built-in kinds in the order of their structs, and sorts those of custom
  // ones.
  return isCustom
    ? `{"apiVersion":"${apiVersion}","kind":"${kind}",`
    : `{"kind":"${kind}","apiVersion":"${apiVersion}",`
}
