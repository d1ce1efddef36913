import { ApiError, badRequest, notFound, unexpectedError } from '../../status/index.ts'
import { keyOf } from '../../object/index.ts'
import type { StoredObject } from '../../store/index.ts'
import type { ApiRequest } from '../api-request.ts'
import { convertStored } from '../conversion/stored-forms.ts'
import { groupResourceOf, type ServedResource } from '../resources/served-resource.ts'

/** The stored object that a request names, now or at a past revision; 404 when it does not exist. */
export function storedOrMissing(
  request: ApiRequest,
  resource: ServedResource,
  revision = Infinity,
): StoredObject {
  const { namespace, name } = request.info
  const { store } = request.server
  const key = keyOf(resource.namespaced ? namespace : '', name)
  const stored =
    revision >= store.revision
      ? store.get(resource.bucket, key)
      : [...store.list(resource.bucket, key, revision)].find((each) => each.key === key)
  if (stored === undefined) throw notFound(groupResourceOf(resource), name)
  return stored
}

/** The stored object that a request names, converted if a webhook has to, so that it can be read. */
export async function readableOrMissing(
  request: ApiRequest,
  resource: ServedResource,
  revision?: number,
): Promise<StoredObject> {
  const stored = storedOrMissing(request, resource, revision)
  if (resource.conversion !== undefined) await convertStored(resource, stored)
  return stored
}

/**
 * A resourceVersion as a number, 0 when it is empty. The storage and the watch cache refuse other
 * texts with different codes.
 */
export function revisionOf(text: string, reader: 'storage' | 'cache'): number {
  if (text === '') return 0
  if (/^\d+$/.test(text) && Number(text) <= Number.MAX_SAFE_INTEGER) return Number(text)
  const problem = /^\d+$/.test(text) ? 'value out of range' : 'invalid syntax'
  const why = `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: ${problem}`
  throw reader === 'storage' ? badRequest(`invalid resource version: ${why}`) : unexpectedError(why)
}

/** Whether a real server has a watch cache of the resource: of all but Events. */
export function hasWatchCache({ bucket }: ServedResource): boolean {
  return bucket !== '/events'
}

/** 504: the requested revision is newer than the current one. */
export function tooLargeRevision(asked: number, current: number, isCached = true): ApiError {
  return new ApiError({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${asked}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      ...(isCached ? { retryAfterSeconds: 1 } : {}),
    },
  })
}

/** 410 with a message. */
export function expired(message: string, continueToken?: string): ApiError {
  return new ApiError({ code: 410, reason: 'Expired', message, continueToken })
}
