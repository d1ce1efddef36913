import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { FieldError, JsonObject } from 'setpoint/schema'
import { describe, expect, test } from 'vitest'
import { decodeTyped } from '../codec/index.ts'
import { applyBuiltinDefaults, prepareForCreate, prepareForUpdate } from '../defaults/index.ts'
import { rulesOfKind } from './builtin-rules.ts'
import { validateCreate, validateUpdate } from './index.ts'

type Json = Record<string, unknown>

interface Cause {
  readonly field?: string
  readonly message: string
  readonly reason: string
}

interface Expectation {
  readonly causes: readonly Cause[]
  /** The server iterates over a map: any order is accepted. */
  readonly orderVaries?: true
}

function read<T>(name: string): T {
  const file = new URL(`./testdata/${name}`, import.meta.url)
  return JSON.parse(String(gunzipSync(readFileSync(file)))) as T
}

function identity(object: Json) {
  const { apiVersion, kind } = object as { apiVersion: string; kind: string }
  const [group = '', version = ''] = apiVersion.includes('/')
    ? apiVersion.split('/')
    : ['', apiVersion]
  const namespaced = rulesOfKind(group, kind)?.namespaced ?? false
  return { group, version, apiVersion, kind, namespaced }
}

function decoded(value: Json): JsonObject {
  const { apiVersion, kind } = identity(value)
  const { object } = decodeTyped({ apiVersion, kind, value: value as JsonObject })
  applyBuiltinDefaults(apiVersion, kind, object)
  return object
}

function part(object: Json, field: string): Json {
  return (object[field] ??= {}) as Json
}

/** Changes an object as admission and the allocation of addresses do before validation. */
function admit(object: JsonObject, old?: JsonObject): void {
  const spec = (object['spec'] ?? {}) as Json
  const before = (old?.['spec'] ?? {}) as Json
  const { kind } = object
  if (kind === 'Pod') spec['serviceAccountName'] ??= 'default'
  if (kind === 'Namespace') {
    const metadata = part(object, 'metadata')
    part(metadata, 'labels')['kubernetes.io/metadata.name'] = metadata['name']
  }
  if (kind !== 'Service') return
  if (!spec['clusterIP'] && old !== undefined && spec['type'] !== 'ExternalName') {
    for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) {
      if (before[field] !== undefined) spec[field] = before[field]
    }
  }
  const ips = spec['clusterIPs'] as string[] | undefined
  const isOnlyOne = old !== undefined && (ips ?? []).length < 2
  const isChanged = before['clusterIP'] !== spec['clusterIP']
  if (spec['clusterIP'] && (ips === undefined || (isOnlyOne && isChanged))) {
    spec['clusterIPs'] = [spec['clusterIP']]
  }
  if (spec['type'] === 'LoadBalancer' && spec['externalTrafficPolicy'] === 'Local') {
    spec['healthCheckNodePort'] ||= before['healthCheckNodePort'] ?? 30000
  }
}

function createErrors(sent: Json): FieldError[] {
  const object = decoded(sent)
  const metadata = part(object, 'metadata')
  metadata['uid'] = 'UID'
  // The recordings blank generated values.
  const { generateName } = metadata
  if (typeof generateName === 'string' && !metadata['name'])
    metadata['name'] = `${generateName}XXXXX`
  admit(object)
  prepareForCreate({ ...identity(object), object })
  return validateCreate({ ...identity(object), object })
}

function updateErrors(sent: Json, stored: JsonObject, subresource = ''): FieldError[] {
  const object = decoded(sent)
  const [metadata, before] = [part(object, 'metadata'), part(stored, 'metadata')]
  metadata['resourceVersion'] ??= before['resourceVersion']
  metadata['uid'] ??= before['uid']
  metadata['creationTimestamp'] = before['creationTimestamp']
  object['status'] ??= stored['status'] ?? {}
  if (subresource === '') admit(object, stored)
  const change = { ...identity(object), object, old: stored, subresource }
  prepareForUpdate(change)
  return validateUpdate(change)
}

/** Decoding drops empty lists and maps, which a real server prints as they were sent. */
function emptyAsNull(message: string): string {
  return message.replace(/: ?(\[\]|\{\})(?=$|[:,}\n])/gm, (text) => `${text.slice(0, -2)}null`)
}

function lines(causes: readonly Cause[], { orderVaries }: Expectation): string[] {
  const list = causes.map(
    ({ field, reason, message }) => `${field ?? ''} | ${reason} | ${emptyAsNull(message)}`,
  )
  return orderVaries ? list.sort() : list
}

/** Both sides in the same form, for a comparison that shows the differences. */
function compare(errors: readonly FieldError[], expected: Expectation) {
  const found = errors.map(({ field, type, message }) => ({ field, reason: type, message }))
  return { found: lines(found, expected), expected: lines(expected.causes, expected) }
}

describe('invalid objects get the answer of a real server', () => {
  interface Case {
    readonly case: string
    readonly orderVaries?: true
    readonly sent?: Json
    readonly changes?: Json
    readonly removed?: string[]
    readonly answer: 'ACCEPTED' | { details?: { causes?: Cause[] } }
  }
  interface KindCases {
    readonly base: Json
    readonly create?: Case[]
    readonly update?: Case[]
    readonly statusUpdate?: Case[]
  }

  const kinds = read<Record<string, KindCases>>('recorded-cases.json.gz')

  /** Cases whose answer does not come from validation, with the reason. */
  const elsewhere = new Map([
    ...[
      'Service, create: clusterIP outside the range',
      'Service, create: clusterIP taken',
      'Service, create: nodePort out of range',
      'Service, create: RequireDualStack on a single stack cluster',
    ].map((title) => [title, 'needs the state of the cluster'] as const),
    ...[
      'ValidatingAdmissionPolicy, create: expression does not compile',
      'ValidatingAdmissionPolicy, create: expression unknown variable',
      'ValidatingAdmissionPolicy, create: expression not bool',
      'ValidatingAdmissionPolicy, create: messageExpression not string',
      'ValidatingAdmissionPolicy, create: variable does not compile',
      'ValidatingAdmissionPolicy, create: matchCondition not bool',
      'ValidatingWebhookConfiguration, create: matchCondition does not compile',
      'ValidatingWebhookConfiguration, create: matchCondition not bool',
    ].map((title) => [title, 'is CEL'] as const),
    ['Pod, update: toleration removed', 'admission adds it again'],
  ])

  function expand(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(expand)
    if (typeof value !== 'object' || value === null) return value
    const repeat = (value as Json)['$repeat'] as [string, number] | undefined
    if (repeat !== undefined) return repeat[0].repeat(repeat[1])
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expand(item)]))
  }

  function set(target: Json, path: string, value: unknown): void {
    const steps = path.split('.').map((step) => step.replaceAll('~', '.'))
    let place = target
    for (const step of steps.slice(0, -1)) place = part(place, step)
    const last = steps.at(-1) ?? ''
    if (value === undefined) Reflect.deleteProperty(place, last)
    else place[last] = value
  }

  const tokenName = 'kube-api-access-abcde'
  const tokenItems = [
    { path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } },
  ]
  const tokenVolume = {
    name: tokenName,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        { downwardAPI: { items: tokenItems } },
      ],
      defaultMode: 420,
    },
  }

  /** The base as it was stored: the recordings omit what admission and controllers added. */
  function stored(base: Json): JsonObject {
    const object = decoded(base)
    const spec = (object['spec'] ?? {}) as Json
    const { kind } = base
    Object.assign(part(object, 'metadata'), { uid: 'UID', resourceVersion: '1' })
    part(object, 'metadata')['creationTimestamp'] = '2026-01-01T00:00:00Z'
    admit(object)
    if (kind === 'Pod') {
      const mount = { name: tokenName, readOnly: true, mountPath: '/var/run/secrets' }
      Object.assign((spec['containers'] as Json[])[0] ?? {}, { volumeMounts: [mount] })
      Object.assign(spec, { volumes: [tokenVolume], serviceAccount: 'default', priority: 0 })
      Object.assign(spec, { preemptionPolicy: 'PreemptLowerPriority' })
      spec['tolerations'] = ['not-ready', 'unreachable'].map((name) => ({
        key: `node.kubernetes.io/${name}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      }))
    }
    if (kind === 'Service' && !spec['clusterIP'] && spec['type'] !== 'ExternalName') {
      Object.assign(spec, { clusterIP: 'CLUSTER-IP', clusterIPs: ['CLUSTER-IP'] })
      Object.assign(spec, { ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' })
    }
    if (kind === 'PersistentVolumeClaim') spec['storageClassName'] ??= 'standard'
    // A controller had set the pod CIDR of the node.
    if (kind === 'Node') object['spec'] = { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24'] }
    prepareForCreate({ ...identity(object), object })
    if (kind === 'CustomResourceDefinition') {
      const conditions = [{ type: 'Established', status: 'True' }]
      Object.assign(part(object, 'status'), { conditions, storedVersions: ['v1'] })
    }
    if (kind === 'PersistentVolumeClaim' && spec['volumeName']) {
      object['status'] = { phase: 'Bound', capacity: { storage: '1Gi' } }
    }
    return object
  }

  function errorsOf({ base }: KindCases, item: Case, mode: string): FieldError[] {
    const { apiVersion, kind } = base
    if (mode === 'create') return createErrors(expand({ apiVersion, kind, ...item.sent }) as Json)
    const old = stored(base)
    const changed = structuredClone(old) as Json
    for (const [path, value] of Object.entries(item.changes ?? {}))
      set(changed, path, expand(value))
    for (const path of item.removed ?? []) set(changed, path, undefined)
    return updateErrors(changed, old, mode === 'statusUpdate' ? 'status' : '')
  }

  const all = Object.entries(kinds).flatMap(([name, cases]) =>
    (['create', 'update', 'statusUpdate'] as const).flatMap((mode) =>
      (cases[mode] ?? []).map((item) => ({
        title: `${name}, ${mode}: ${item.case}`,
        cases,
        item,
        mode,
      })),
    ),
  )
  const kindsOfAll = [...new Set(Object.keys(kinds))]

  test.each(kindsOfAll)('%s', (name) => {
    for (const { title, cases, item, mode } of all) {
      if (!title.startsWith(`${name}, ${mode}:`) || elsewhere.has(title)) continue
      const causes = item.answer === 'ACCEPTED' ? [] : (item.answer.details?.causes ?? [])
      const expectation = item.orderVaries ? { causes, orderVaries: true as const } : { causes }
      const { found, expected } = compare(errorsOf(cases, item, mode), expectation)
      expect(found, title).toEqual(expected)
    }
  })

  test('has a case for every exception', () => {
    const titles = new Set(all.map(({ title }) => title))
    expect([...elsewhere.keys()].filter((title) => !titles.has(title))).toEqual([])
  })
})

describe('valid objects with one changed field get the answer of a real server', () => {
  type Case = Expectation & { path: (string | number)[]; value?: unknown }
  interface Recorded {
    readonly name: string
    readonly object: Json
    readonly stored?: Json
    readonly create: Case[]
    readonly update?: Case[]
  }

  /** Paths whose answer does not come from validation, with the reason. */
  const elsewhere: [RegExp, string][] = [
    [/^Pod, .*: spec(\.containers)? =/, 'defaults fail on a pod without containers'],
    [/^Pod, updated: spec\.tolerations\.[12]\./, 'admission adds the default tolerations again'],
    [/^Pod, updated: spec\.(priority|preemptionPolicy) = absent/, 'admission fills it in again'],
    [/^Pod, updated: spec\.terminationGracePeriodSeconds = -1/, 'preparation makes it 1'],
    [/^Pod, updated: spec\.containers\.0\.lifecycle\.preStop = absent/, 'preparation drops it'],
    [/ExternalName, .*: spec\.internalTrafficPolicy =/, 'preparation drops it'],
    [/^Horizontal.*: spec\.behavior\.scale.*\.policies = \[\]/, 'decoding drops the empty list'],
  ]

  function change(object: Json, { path, ...rest }: Case): Json {
    const copy = structuredClone(object)
    let place: unknown = copy
    for (const step of path.slice(0, -1)) place = (place as Json)[step]
    const last = path.at(-1) ?? ''
    if ('value' in rest) (place as Json)[last] = rest.value
    else if (Array.isArray(place)) place.splice(Number(last), 1)
    else Reflect.deleteProperty(place as Json, last)
    return copy
  }

  const modes = read<Recorded[]>('mutated-cases.json.gz').flatMap((item) => [
    { title: `${item.name}, created`, base: item.object, old: undefined, cases: item.create },
    {
      title: `${item.name}, updated`,
      base: item.stored,
      old: item.stored,
      cases: item.update ?? [],
    },
  ])

  test.each(modes.filter(({ cases }) => cases.length > 0))(
    '$title',
    ({ title, base, old, cases }) => {
      const stored = old === undefined ? undefined : decoded(old)
      const { status: _status, ...object } =
        old === undefined ? { status: undefined, ...base } : old
      for (const item of cases) {
        const value = 'value' in item ? JSON.stringify(item.value).slice(0, 60) : 'absent'
        const name = `${title}: ${item.path.join('.')} = ${value}`
        if (elsewhere.some(([pattern]) => pattern.test(name))) continue
        const changed = change(object, item)
        const errors =
          stored === undefined
            ? createErrors(changed)
            : updateErrors(changed, structuredClone(stored))
        const { found, expected } = compare(errors, item)
        expect(found, name).toEqual(expected)
      }
    },
  )
})
