import { type Host, readText, type ServerRequest, type ServerResponse } from 'setpoint/host'
import type { JsonObject, JsonValue } from 'setpoint/schema'
import { convert, type ConversionReview } from './conversion-hooks.ts'
import { authorityOne, serverOne } from '../../packages/setpoint/src/host/testdata/certificates.ts'

/** Webhooks that the server under test calls. */
export interface HookServer {
  readonly url: string
  /** The authority of its certificate, in base64. */
  readonly caBundle: string
  /** The reviews since the last call, with the paths to which they were sent, sorted by path. */
  take(): JsonValue[]
  close(): Promise<void>
}

interface Review {
  readonly apiVersion: string
  readonly kind: string
  readonly request: { readonly uid: string } & JsonObject
}

const bodyBytesMax = 4 * 1024 * 1024

/** The answer to a review: the `response` of an AdmissionReview, or something that is not one. */
type Behaviour = (review: Review) => JsonObject | ServerResponse | Promise<ServerResponse>

const patched = (operations: JsonValue): JsonObject => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
})

const labelled = (name: string, value: string): JsonObject =>
  patched([
    { op: 'add', path: '/metadata/labels', value: {} },
    { op: 'add', path: `/metadata/labels/${name}`, value },
  ])

const text = (status: number, body: string, type = 'text/plain'): ServerResponse => ({
  status,
  headers: { 'content-type': type },
  body,
})

/** What the webhook at each path does. */
const behaviours: Readonly<Record<string, Behaviour>> = {
  '/allow': () => ({ allowed: true }),
  '/allow-two': () => ({ allowed: true }),
  '/marker': () => ({ allowed: false, status: { code: 418, message: 'observed' } }),
  '/deny': () => ({ allowed: false }),
  '/deny-message': () => ({ allowed: false, status: { message: 'not today' } }),
  '/deny-reason': () => ({ allowed: false, status: { reason: 'Expired', code: 410 } }),
  '/deny-success': () => ({
    allowed: false,
    status: { status: 'Success', code: 200, message: 'odd', reason: 'Odd' },
  }),
  '/deny-details': () => ({
    allowed: false,
    status: {
      code: 422,
      reason: 'Invalid',
      message: 'bad',
      details: {
        name: 'n',
        kind: 'k',
        causes: [{ reason: 'FieldValueInvalid', message: 'wrong', field: 'spec.a' }],
      },
    },
  }),
  '/warn': () => ({ allowed: true, warnings: ['first, with "quotes"', 'second'] }),
  '/warn-deny': () => ({ allowed: false, warnings: ['before the end'] }),
  '/annotate': () => ({ allowed: true, auditAnnotations: { seen: 'yes', writer: 'a hook' } }),
  '/label-a': () => patched([{ op: 'add', path: '/metadata/labels', value: { a: '1' } }]),
  '/label-b': (review) => {
    const { metadata } = review.request['object'] as { metadata: { labels?: JsonObject } }
    return metadata.labels?.['a'] === undefined
      ? labelled('b', 'alone')
      : patched([{ op: 'add', path: '/metadata/labels/b', value: 'after-a' }])
  },
  '/label-once': (review) => {
    const { metadata } = review.request['object'] as { metadata: { labels?: JsonObject } }
    return metadata.labels?.['once'] === undefined ? labelled('once', 'yes') : { allowed: true }
  },
  '/patch-data': () => patched([{ op: 'add', path: '/data/hooked', value: 'yes' }]),
  '/patch-name': () => patched([{ op: 'replace', path: '/metadata/name', value: 'other' }]),
  '/patch-wrong-type': () => patched([{ op: 'add', path: '/data', value: 'text' }]),
  '/patch-unknown': () => patched([{ op: 'add', path: '/unknownField', value: 1 }]),
  '/patch-spec-unknown': () => patched([{ op: 'add', path: '/spec/unknownField', value: 1 }]),
  '/patch-missing': () => patched([{ op: 'remove', path: '/data/missing' }]),
  '/patch-replace-missing': () => patched([{ op: 'replace', path: '/a/b', value: 1 }]),
  '/patch-test': () => patched([{ op: 'test', path: '/data/k', value: 'other' }]),
  '/patch-empty': () => patched([]),
  '/patch-object': () => patched({ a: 1 }),
  '/patch-same': () => patched([{ op: 'replace', path: '/metadata/name', value: 'same' }]),
  '/patch-invalid': () => patched([{ op: 'add', path: '/data/no spaces', value: 'x' }]),
  '/patch-replicas': () => patched([{ op: 'replace', path: '/spec/replicas', value: 7 }]),
  '/patch-untyped': () => {
    const { patchType: _, ...rest } = patched([])
    return rest
  },
  '/patch-type-only': () => ({ allowed: true, patchType: 'JSONPatch' }),
  '/patch-other-type': () => ({ ...patched([{ op: 'add' }]), patchType: 'Other' }),
  '/wrong-uid': () => ({ allowed: true, uid: 'other' }),
  '/absent': () => reviewed({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' }),
  '/no-kind': ({ request: { uid } }) => reviewed({ response: { uid, allowed: true } }),
  '/other-kind': ({ request: { uid } }) =>
    reviewed({ apiVersion: 'example.com/v1', kind: 'Other', response: { uid, allowed: true } }),
  '/beta-kind': ({ request: { uid } }) =>
    reviewed({
      apiVersion: 'admission.k8s.io/v1beta1',
      kind: 'AdmissionReview',
      response: { uid, allowed: true },
    }),
  '/status-500': () => text(500, 'broken\n'),
  '/status-404': () => text(404, 'nothing here'),
  '/status-403': () => text(403, 'go away'),
  '/status-503-json': () => text(503, '{"a":1}', 'application/json'),
  '/status-object': () =>
    text(
      409,
      JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'stated' }),
      'application/json',
    ),
  '/not-json': () => text(200, 'hello', 'application/json'),
  '/array': () => text(200, '[1]', 'application/json'),
  '/empty': () => text(200, '', 'application/json'),
  '/plain': ({ request: { uid } }) =>
    text(
      200,
      JSON.stringify({
        apiVersion: 'admission.k8s.io/v1',
        kind: 'AdmissionReview',
        response: { uid, allowed: true },
      }),
    ),
}

function reviewed(value: JsonObject): ServerResponse {
  return text(200, JSON.stringify(value), 'application/json')
}

/** Starts the webhooks on a host. */
export async function startHooks(host: Host): Promise<HookServer> {
  let received: { path: string; review: JsonValue }[] = []
  const handle = async (request: ServerRequest): Promise<ServerResponse> => {
    const [path = '', query = ''] = request.path.split('?')
    const review = JSON.parse(await readText(request.body, bodyBytesMax)) as Review
    // The number of conversions depends on the caches of a server.
    const conversion = convert(path, review as unknown as ConversionReview)
    if (conversion !== undefined) return conversion
    const { headers } = request
    if (path !== '/marker') {
      const shown = Object.fromEntries(
        ['content-type', 'accept', 'user-agent'].map((name) => [name, headers[name] ?? '']),
      )
      received.push({ path, review: { path, query, ...shown, ...review } })
    }
    if (path === '/slow') {
      await host.sleep(5_000, request.signal)
      return text(200, '')
    }
    const behaviour = behaviours[path]
    if (behaviour === undefined) return text(404, '404 page not found\n')
    const answer = await behaviour(review)
    if ('status' in answer && typeof answer.status === 'number') return answer as ServerResponse
    const response = { uid: review.request.uid, ...(answer as JsonObject) }
    return reviewed({ apiVersion: review.apiVersion, kind: review.kind, response })
  }
  const server = await host.listen({ tls: serverOne, handle })
  return {
    url: server.url,
    caBundle: Buffer.from(authorityOne).toString('base64'),
    take: () => {
      const taken = received.sort((left, right) => (left.path < right.path ? -1 : 1))
      received = []
      return taken.map(({ review }) => review)
    },
    close: () => server.close({ graceMs: 0 }),
  }
}
