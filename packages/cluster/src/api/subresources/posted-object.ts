import type { JsonObject } from 'setpoint/schema'
import { statusAnswer } from '../http/respond.ts'
import type { ApiRequest } from '../api-request.ts'
import { decodeObject } from '../body.ts'
import { writeOptions, type WriteOptions } from '../options/write-options.ts'
import type { DecodeTarget } from '../typed-target.ts'
import { matchNamespace } from '../verbs/create.ts'

/** An object that was posted to a subresource, and the options of the request. */
interface PostedObject {
  readonly object: JsonObject
  readonly options: WriteOptions
}

/** Reads an object that is posted to a subresource, like the object of a create. */
export async function readPosted(request: ApiRequest, target: DecodeTarget): Promise<PostedObject> {
  const { info, headers } = request
  const readOptions = (): WriteOptions =>
    writeOptions('CreateOptions', { query: info.query, userAgent: headers['user-agent'] ?? '' })
  const object = await decodeObject(request, target, () => readOptions().fieldValidation)
  matchNamespace(object, { namespace: info.namespace, resource: { namespaced: true } })
  return { object, options: readOptions() }
}

/** The answer of a subresource that returns only success. */
export const done = statusAnswer({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  code: 201,
})
