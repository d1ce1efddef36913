import type { ServerResponse } from 'setpoint/host'
import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'

/** The request of a ConversionReview. */
interface ConversionRequest {
  readonly uid: string
  readonly desiredAPIVersion: string
  readonly objects: readonly JsonObject[]
}

/** A ConversionReview as the API server sends it. */
export interface ConversionReview {
  readonly apiVersion: string
  readonly kind: string
  readonly request: ConversionRequest
}

/** Changes the response of the correct conversion. */
type Change = (response: JsonObject, request: ConversionRequest) => JsonObject

/** Version v1 has a host and a port, v2 has an address and a note, which v1 keeps in an annotation. */
function converted(object: JsonObject, apiVersion: string): JsonObject {
  const spec = isJsonObject(object['spec']) ? object['spec'] : {}
  const metadata = { ...(object['metadata'] as JsonObject) }
  const annotations = { ...(metadata['annotations'] as JsonObject | undefined) }
  const version = apiVersion.split('/')[1]
  const rest = { ...object, apiVersion }
  if (version === 'v2') {
    const note = annotations['note']
    delete annotations['note']
    const { host, port, ...others } = spec
    return {
      ...rest,
      metadata: { ...metadata, annotations },
      spec: {
        ...others,
        ...(host === undefined ? {} : { address: `${text(host)}:${text(port ?? 'none')}` }),
        ...(note === undefined ? {} : { note }),
      },
    }
  }
  const { address, note, ...others } = spec
  const [host = '', port = ''] = typeof address === 'string' ? address.split(':') : []
  return {
    ...rest,
    metadata: {
      ...metadata,
      annotations: note === undefined ? annotations : { ...annotations, note },
    },
    spec: {
      ...others,
      ...(address === undefined ? {} : { host }),
      ...(/^\d+$/.test(port) ? { port: Number(port) } : {}),
    },
  }
}

function text(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Changes each converted object. */
const each =
  (change: (object: JsonObject) => JsonObject): Change =>
  (response) => ({
    ...response,
    convertedObjects: (response['convertedObjects'] as JsonObject[]).map(change),
  })

/** Changes the metadata of each converted object. */
const eachMetadata = (fields: JsonObject): Change =>
  each((object) => ({ ...object, metadata: { ...(object['metadata'] as JsonObject), ...fields } }))

const same: Change = (response) => response

/** What the conversion webhook at each path does. */
const changes: Readonly<Record<string, Change>> = {
  '/convert': (response, { objects }) =>
    objects.some((object) => (object['metadata'] as JsonObject)['name'] === 'broken')
      ? { ...response, result: { status: 'Failure', message: 'broken cannot be converted' } }
      : response,
  '/convert-failure': (response) => ({
    ...response,
    result: { status: 'Failure', message: 'not today', reason: 'BadRequest', code: 400 },
  }),
  '/convert-failure-silent': (response) => ({ ...response, result: { status: 'Failure' } }),
  '/convert-without-result': ({ result: _result, ...response }) => response,
  '/convert-uid': (response) => ({ ...response, uid: 'other' }),
  '/convert-nothing': (response) => ({ ...response, convertedObjects: [] }),
  '/convert-null': (response) => ({ ...response, convertedObjects: null }),
  '/convert-twice': (response) => ({
    ...response,
    convertedObjects: [0, 1].flatMap(() => response['convertedObjects'] as JsonObject[]),
  }),
  '/convert-version': (response, { objects }) => ({ ...response, convertedObjects: [...objects] }),
  '/convert-kind': each((object) => ({ ...object, kind: 'Gadget' })),
  '/convert-text': (response) => ({ ...response, convertedObjects: ['text'] }),
  '/convert-without-kind': each(({ kind: _kind, ...object }) => object),
  '/convert-name': eachMetadata({ name: 'other' }),
  '/convert-namespace': eachMetadata({ namespace: 'other' }),
  '/convert-object-uid': eachMetadata({ uid: 'other' }),
  '/convert-without-metadata': each(({ metadata: _metadata, ...object }) => object),
  '/convert-labels': eachMetadata({ labels: { 'not a name': 'x' } }),
  '/convert-labels-number': eachMetadata({ labels: { a: 1 } }),
  '/convert-labels-text': eachMetadata({ labels: 'a' }),
  '/convert-annotations': eachMetadata({ annotations: { 'not a name': 'x' } }),
  '/convert-metadata': eachMetadata({
    labels: { added: 'yes' },
    finalizers: ['example.com/added'],
    generation: 77,
    ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }],
  }),
  '/convert-unknown': each((object) => ({ ...object, unknown: 1, spec: { unknown: 2 } })),
  '/convert-invalid': each((object) => ({ ...object, spec: { address: 7, port: 'x' } })),
  '/convert-no-spec': each(({ spec: _spec, ...object }) => object),
  '/convert-review-kind': same,
  '/convert-review-version': same,
  '/convert-no-response': same,
}

/** Answers a ConversionReview; `undefined` for a path that does not convert. */
export function convert(path: string, review: ConversionReview): ServerResponse | undefined {
  const change = changes[path]
  if (change === undefined) return undefined
  const { request } = review
  const convertedObjects = request.objects.map((object) =>
    converted(object, request.desiredAPIVersion),
  )
  const correct = { uid: request.uid, result: { status: 'Success' }, convertedObjects }
  const response = change(correct, request)
  const { apiVersion, kind } = review
  const answer = {
    apiVersion: path === '/convert-review-version' ? 'apiextensions.k8s.io/v1beta1' : apiVersion,
    kind: path === '/convert-review-kind' ? 'Other' : kind,
    ...(path === '/convert-no-response' ? {} : { response }),
  }
  const headers = { 'content-type': 'application/json' }
  return { status: 200, headers, body: JSON.stringify(answer) }
}

/** The paths of webhooks whose response is wrong. */
export const wrongConversions: readonly string[] = Object.keys(changes).filter(
  (path) => path !== '/convert',
)
