import { encodeJson, parseJson, sortedKeys } from '../../codec/index.ts'
import type { JsonObject } from 'setpoint/schema'
import { ApiError } from '../../status/index.ts'
import type { StoredObject } from '../../store/index.ts'
import type { ServedResource } from '../resources/served-resource.ts'

/** How many objects of a list are converted at the same time. */
const conversionsAtOnce = 8

/**
 * Objects in versions that only a webhook can make, as JSON. Reads are synchronous, so requests
 * convert the objects that they will read. A stored object never changes: each is converted once
 * per version, like in the watch cache of a real server.
 */
const forms = new WeakMap<StoredObject, WeakMap<ServedResource, string>>()

/**
 * The version in which an object was stored, or in which a resource stores: the last part of the
 * schema tag. Built-in kinds have none.
 */
export function storedVersion({ schemaTag }: { readonly schemaTag: string }): string | undefined {
  return schemaTag.split('/')[2]
}

/** The apiVersion in which an object was stored. */
export function storedApiVersion(resource: ServedResource, stored: StoredObject): string {
  const version = storedVersion(stored)
  return version === undefined ? resource.apiVersion : `${resource.group}/${version}`
}

/** The JSON of a stored object that was converted to the version of the resource before. */
export function convertedText(resource: ServedResource, stored: StoredObject): string | undefined {
  return resource.conversion === undefined ? undefined : forms.get(stored)?.get(resource)
}

/** Whether a webhook has to convert the object before it can be read. */
export function isUnconverted(resource: ServedResource, stored: StoredObject): boolean {
  if (resource.conversion === undefined) return false
  if (storedApiVersion(resource, stored) === resource.apiVersion) return false
  return forms.get(stored)?.has(resource) !== true
}

/** Converts a stored object to the version of the resource, so that it can be read. */
export async function convertStored(resource: ServedResource, stored: StoredObject): Promise<void> {
  if (resource.conversion === undefined || !isUnconverted(resource, stored)) return
  const object = parseJson(`{${stored.text}`).value as JsonObject
  const apiVersion = storedApiVersion(resource, stored)
  const source = { apiVersion, kind: resource.kind, ...object }
  const converted = await resource.conversion.fromStored(source, resource.apiVersion)
  const known = forms.get(stored) ?? new WeakMap<ServedResource, string>()
  known.set(resource, encodeJson(sortedKeys(converted)))
  forms.set(stored, known)
}

/** Converts many stored objects, a few at a time. The first failure ends it. */
export async function convertAllStored(
  resource: ServedResource,
  objects: readonly StoredObject[],
): Promise<void> {
  if (resource.conversion === undefined) return
  const waiting = objects.filter((stored) => isUnconverted(resource, stored)).values()
  const work = async (): Promise<void> => {
    for (const stored of waiting) await convertStored(resource, stored)
  }
  await Promise.all(Array.from({ length: conversionsAtOnce }, work))
}

/** Converts many stored objects; returns why one of them cannot be converted. */
export async function conversionProblem(
  resource: ServedResource,
  objects: readonly StoredObject[],
): Promise<string | undefined> {
  try {
    await convertAllStored(resource, objects)
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
}
