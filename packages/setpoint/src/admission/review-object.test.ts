import { expect, test } from 'vitest'
import { virtualHost } from '../host/index.ts'
import { ConfigMap, Deployment, Secret } from '../kinds/index.ts'
import type { Kind } from '../kinds/kind.ts'
import { hostLogger } from '../log/index.ts'
import type { JsonObject } from '../schema/index.ts'
import type { AdmissionContext } from './admission-context.ts'
import type { MutateOptions } from './admission-options.ts'
import type { AdmissionRequest, AdmissionResponse } from './admission-review.ts'
import { declaredAdmission } from './declare-admission.ts'
import { problem } from './field-problem.ts'
import { reviewObject, ReviewFailed } from './review-object.ts'

interface Reviewed {
  readonly kind?: Kind
  readonly type?: 'validate' | 'mutate'
  readonly options?: MutateOptions
  readonly object?: JsonObject
  readonly request?: Partial<AdmissionRequest>
}

const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { x: '1' } }

/** The response to a review by a function, with its patch as data, and the log. */
async function review(
  run: (object: never, context: AdmissionContext) => unknown,
  { kind = ConfigMap, type = 'validate', options, object = configMap, request }: Reviewed = {},
): Promise<AdmissionResponse & { readonly log: string }> {
  const host = virtualHost({ seed: 1 })
  const declaration = declaredAdmission({ kind, admission: [] }, { type, run, options })
  try {
    const { patch, ...response } = await reviewObject(
      declaration,
      {
        uid: 'u',
        kind: { group: kind.group, version: kind.version, kind: kind.kind },
        resource: { group: kind.group, version: kind.version, resource: kind.plural },
        operation: 'CREATE',
        name: 'a',
        namespace: 'default',
        userInfo: { username: 'jane', groups: ['team'] },
        object,
        ...request,
      },
      {
        host,
        log: () => hostLogger(host),
        caller: { headers: { 'user-agent': 'kube-apiserver-admission' }, certificate: undefined },
        timeoutMs: 9_500,
        signal: new AbortController().signal,
      },
    )
    const decoded = patch === undefined ? {} : { patch: Buffer.from(patch, 'base64').toString() }
    return { ...response, ...decoded, log: host.logged.join('\n') }
  } finally {
    host.stop()
  }
}

test('an object without problems is allowed', async () => {
  expect(await review(() => [])).toMatchObject({ uid: 'u', allowed: true })
  expect(await review(() => undefined)).toMatchObject({ allowed: true })
  expect(await review(async () => [])).toMatchObject({ allowed: true })
})

test.for([
  [problem('data.x', 'must be 2'), 'data.x: Invalid value: "1": must be 2', 'FieldValueInvalid'],
  [problem('data.y', 'set it'), 'data.y: Required value: set it', 'FieldValueRequired'],
  [problem('data.x', 'no', { type: 'Forbidden' }), 'data.x: Forbidden: no', 'FieldValueForbidden'],
  [
    problem('metadata.labels[app.kubernetes.io/name]', 'set it'),
    'metadata.labels[app.kubernetes.io/name]: Required value: set it',
    'FieldValueRequired',
  ],
] as const)('%o is reported as by an API server', async ([found, text, reason]) => {
  const { allowed, status } = await review(() => [found])
  expect(allowed).toBe(false)
  expect(status).toMatchObject({
    code: 422,
    reason: 'Invalid',
    message: `ConfigMap "a" is invalid: ${text}`,
    details: { kind: 'ConfigMap', name: 'a', causes: [{ field: found.path, reason }] },
  })
})

test('several problems are one list, and a text alone is a refusal', async () => {
  const both = await review(() => [problem('data.x', 'one'), problem('data.y', 'two'), 'three'])
  expect(both.status?.message).toBe(
    'ConfigMap "a" is invalid: [data.x: Invalid value: "1": one, data.y: Required value: two, three]',
  )
  const text = await review(() => ['not on Fridays'])
  expect(text.status).toMatchObject({ code: 403, reason: 'Forbidden', message: 'not on Fridays' })
})

test('the value of a field of a Secret is not shown', async () => {
  const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { x: 'czNj' } }
  const { status } = await review(() => [problem('data.x', 'too short')], { kind: Secret, object })
  expect(status?.message).toBe('Secret "a" is invalid: data.x: Invalid value: too short')
})

test('a mutation is returned, or made in the draft', async () => {
  const replaced = [{ op: 'replace', path: '/data/x', value: '2' }]
  const byDraft = await review((draft: { data: { x: string } }) => void (draft.data.x = '2'), {
    type: 'mutate',
  })
  expect(byDraft).toMatchObject({ allowed: true, patchType: 'JSONPatch' })
  expect(JSON.parse(byDraft.patch ?? '')).toEqual(replaced)
  const byResult = await review((draft: object) => ({ ...draft, data: { x: '2' } }), {
    type: 'mutate',
  })
  expect(JSON.parse(byResult.patch ?? '')).toEqual(replaced)
  expect(await review(() => undefined, { type: 'mutate' })).not.toHaveProperty('patch')
})

test.for([
  ['metadata.name', { metadata: { name: 'b' } }],
  ['metadata.uid', { metadata: { name: 'a', uid: 'x' } }],
  ['kind', { kind: 'Secret' }],
  ['apiVersion', { apiVersion: 'v2' }],
  ['status', { status: { replicas: 1 } }],
] as const)('a mutation that changes %s is refused', async ([field, change]) => {
  const { allowed, status } = await review((draft: object) => ({ ...draft, ...change }), {
    type: 'mutate',
    kind: Deployment,
  })
  expect(allowed).toBe(false)
  expect(status?.message).toContain(`it changed ${field}, which a mutation cannot change`)
})

test('a mutation of the status changes the status only', async () => {
  const kind = Deployment
  const options = { subresource: 'status' }
  const status = await review((draft: object) => ({ ...draft, status: {} }), {
    type: 'mutate',
    kind,
    options,
  })
  expect(status.allowed).toBe(true)
  const spec = await review((draft: object) => ({ ...draft, spec: {} }), {
    type: 'mutate',
    kind,
    options,
  })
  expect(spec.status?.message).toContain('it changed spec')
})

test.for([
  ['throws', () => JSON.parse('{') as unknown, 'JSON'],
  ['rejects', async () => Promise.reject(new Error('no database')), 'no database'],
  ['returns a text', () => 'no', 'it returned a string'],
  ['returns true', () => true, 'it returned a boolean'],
  ['returns null', () => null, 'it returned null'],
  ['returns rubbish in a list', () => [{ path: 1 }], 'it returned a list'],
  ['never settles', async () => new Promise(() => undefined), 'it did not return within 9.5 s'],
] as [string, () => unknown, string][])(
  'a function that %s is a refusal, and a log line',
  async ([, run, why]) => {
    const { allowed, status, log } = await review(run)
    expect(allowed).toBe(false)
    expect(status).toMatchObject({ code: 500, reason: 'InternalError' })
    expect(status?.message).toMatch(/^the function \S+ of \.validate for ConfigMap failed: /)
    expect(status?.message).toContain(why)
    expect(log).toContain('of .validate failed')
  },
)

test('the refusal and the log name the line of a programming error', async () => {
  const { status, log } = await review((object: { missing: { field: number } }) => {
    if (object.missing.field > 1) return []
    return []
  })
  expect(status?.message).toMatch(/\(admission\/review-object\.test\.ts:\d+:\d+\)$/)
  expect(log).toContain('review-object.test.ts')
})

test('with the failure policy Ignore, a failure is one of the call', async () => {
  const failing = review(() => Promise.reject(new Error('no database')), {
    options: { failurePolicy: 'Ignore' },
  })
  await expect(failing).rejects.toBeInstanceOf(ReviewFailed)
})

test('the signal of a function is aborted at the deadline', async () => {
  let reason: unknown
  await review(async (_, { signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    reason = signal.reason
    return []
  })
  expect(reason).toMatchObject({ code: 'ADMISSION_TIMEOUT' })
})

test('a function sees the request, and adds warnings and audit annotations', async () => {
  const old = { ...configMap, data: { x: '0' } }
  const response = await review(
    (object: typeof configMap, context) => {
      const { operation, user, dryRun, name, namespace } = context
      context.warn(`${operation} ${namespace}/${name} by ${user.username}, dry run: ${dryRun}`)
      context.auditAnnotation('from', (context.old as typeof configMap).data.x)
      return object.data.x === '1' ? [] : ['wrong']
    },
    { request: { operation: 'UPDATE', oldObject: old, dryRun: true } },
  )
  expect(response).toMatchObject({
    allowed: true,
    warnings: ['UPDATE default/a by jane, dry run: true'],
    auditAnnotations: { from: '0' },
  })
})

test('the function for a deletion gets the deleted object', async () => {
  const { status } = await review(({ data }: typeof configMap) => [`has ${data.x}`], {
    options: { operations: ['DELETE'] },
    request: { operation: 'DELETE', object: null, oldObject: configMap },
  })
  expect(status?.message).toBe('has 1')
})

test.for([
  [{ timeout: '31s' }, /has the timeout 31s/],
  [{ timeout: '1500ms' }, /has the timeout/],
  [{ operations: [] }, /has the operations \[\]/],
  [{ subresource: 'scale' }, /has the subresource scale, which ConfigMap does not have/],
  [{ id: 'Über' }, /with the id "Über"/],
] as [MutateOptions, RegExp][])('the options %o are refused', ([options, message]) => {
  const declaring = { kind: ConfigMap, admission: [] }
  expect(() => declaredAdmission(declaring, { type: 'validate', run: () => [], options })).toThrow(
    message,
  )
})

test('two functions of an operator have different ids', () => {
  const [run] = [() => []]
  const written = { type: 'validate', run, options: undefined } as const
  const first = declaredAdmission({ kind: ConfigMap, admission: [] }, written)
  expect(first.id).toBe('validate')
  expect(() => declaredAdmission({ kind: ConfigMap, admission: [first] }, written)).toThrow(
    /has two functions of .validate called validate/,
  )
})

test('a function reads the time of the host', async () => {
  const times: number[] = []
  await review((_, { now }) => void times.push(now()))
  const same = virtualHost({ seed: 1 })
  same.stop()
  expect(times).toEqual([same.now()])
})
