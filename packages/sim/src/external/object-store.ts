import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import {
  external,
  type ExternalAnswer,
  type ExternalRequest,
  type ExternalSystem,
} from './external.ts'
import { lateView, noteChange } from './late-view.ts'
import { mapIn, type ModelOptions, partsOf } from './model-state.ts'

/** The options of an object store. */
export interface ObjectStoreOptions extends ModelOptions {
  /** How long lists of objects show the state before a change; 0 by default. */
  readonly listDelayMs?: number
}

/**
 * A model of an object store such as S3, with JSON instead of XML: buckets, and objects in them. A
 * bucket with objects is not deleted, and lists of objects may be behind.
 *
 *     const store = objectStore({ origin: 'https://s3.example', listDelayMs: 10_000 })
 *     await simulate([operator], { samples, externals: [store] })
 *
 * | request                     | answer                                                        |
 * | --------------------------- | ------------------------------------------------------------- |
 * | `GET /`                     | `{ buckets }`                                                 |
 * | `PUT /BUCKET`               | 200; 409 `BucketAlreadyOwnedByYou`                            |
 * | `HEAD /BUCKET`              | 200; 404                                                      |
 * | `GET /BUCKET?prefix=PREFIX` | `{ keys }`; the query is optional                           |
 * | `DELETE /BUCKET`            | 204; 409 `BucketNotEmpty`                                     |
 * | `PUT`, `GET /BUCKET/KEY`    | 200, with the content; 404 `NoSuchBucket` or `NoSuchKey`      |
 * | `DELETE /BUCKET/KEY`        | 204, even when there is no such object                          |
 */
export function objectStore(options: ObjectStoreOptions): ExternalSystem {
  const { name = 'object-store', listDelayMs = 0, ...rest } = options
  return external({
    ...rest,
    name,
    initial: { buckets: {}, lists: {} },
    handle: (request, state, { nowMs }) => {
      const { segments, query } = partsOf(request.path)
      const buckets = mapIn(state, 'buckets')
      const [bucket, ...keys] = segments
      if (bucket === undefined) return { status: 200, body: { buckets: Object.keys(buckets) } }
      const time = { nowMs, behindMs: listDelayMs }
      const lists = mapIn(state, 'lists')
      if (keys.length === 0) {
        const listed = (objects: JsonObject): string[] =>
          Object.keys(lateView(lists[bucket], objects, time)).filter((key) =>
            key.startsWith(query.get('prefix') ?? ''),
          )
        const answer = answerBucket(buckets, { bucket, method: request.method, listed })
        if (buckets[bucket] === undefined) Reflect.deleteProperty(lists, bucket)
        return answer
      }
      const changed = (key: string, value: JsonValue): void =>
        noteChange(mapIn(lists, bucket), { key, value, ...time })
      return answerObject(buckets[bucket], { key: keys.join('/'), request, changed })
    },
    resources: (state) => contentOf(mapIn(state, 'buckets')),
  })
}

function refused(status: number, error: string): ExternalAnswer {
  return { status, body: { error } }
}

function answerBucket(
  buckets: JsonObject,
  {
    bucket,
    method,
    listed,
  }: {
    readonly bucket: string
    readonly method: string
    readonly listed: (objects: JsonObject) => string[]
  },
): ExternalAnswer {
  const objects = buckets[bucket]
  if (method === 'PUT') {
    if (objects !== undefined) return refused(409, 'BucketAlreadyOwnedByYou')
    buckets[bucket] = {}
    return { status: 200 }
  }
  if (!isJsonObject(objects)) return refused(404, 'NoSuchBucket')
  if (method === 'HEAD') return { status: 200 }
  if (method === 'GET') return { status: 200, body: { keys: listed(objects) } }
  if (method !== 'DELETE') return { status: 405 }
  if (Object.keys(objects).length > 0) return refused(409, 'BucketNotEmpty')
  Reflect.deleteProperty(buckets, bucket)
  return { status: 204 }
}

function answerObject(
  objects: JsonValue | undefined,
  {
    key,
    request: { method, body = null },
    changed,
  }: {
    readonly key: string
    readonly request: ExternalRequest
    readonly changed: (key: string, value: JsonValue) => void
  },
): ExternalAnswer {
  if (!isJsonObject(objects)) return refused(404, 'NoSuchBucket')
  const present = objects[key]
  if (method === 'PUT') {
    objects[key] = { content: body }
    if (present === undefined) changed(key, true)
    return { status: 200 }
  }
  if (method === 'DELETE') {
    Reflect.deleteProperty(objects, key)
    if (present !== undefined) changed(key, null)
    return { status: 204 }
  }
  if (!isJsonObject(present)) return refused(404, 'NoSuchKey')
  if (method === 'HEAD') return { status: 200 }
  return method === 'GET' ? { status: 200, body: present['content'] ?? null } : { status: 405 }
}

/** `bucket a`, and `object a/b` with its content. */
function contentOf(buckets: JsonObject): Record<string, JsonValue> {
  const entries = Object.entries(buckets).flatMap(([bucket, objects]) => [
    [`bucket ${bucket}`, {}] as const,
    ...Object.entries(isJsonObject(objects) ? objects : {}).map(
      ([key, object]) => [`object ${bucket}/${key}`, object] as const,
    ),
  ])
  return Object.fromEntries(entries)
}
