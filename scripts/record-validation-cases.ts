/**
 * Records the answers of a real API server to valid objects with one changed field, for the tests of
 * packages/cluster/src/validation:
 *
 *   node --import tsx --conditions=@setpoint/source scripts/record-validation-cases.ts KUBECONFIG [KUBECTL]
 *
 * The changes come from the schemas: every existing field is removed, emptied or made invalid,
 * every missing field is added with a meaningless value. All requests are dry runs, except for the
 * objects that are updated; they are in a namespace that is deleted at the end.
 */
import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { builtinData } from '../packages/cluster/src/data/index.ts'

type Json = Record<string, unknown>
type Path = readonly (string | number)[]

interface Change {
  readonly path: Path
  /** Absent: the field is removed. */
  readonly value?: unknown
}

interface Cause {
  readonly field?: string
  readonly reason: string
  readonly message: string
}

type RecordedCase = Change & { causes: readonly Cause[]; orderVaries?: true }

interface Manifest {
  readonly name: string
  readonly url: string
  readonly schema: string
  readonly object: Json
  /** Also tried on a stored object. */
  readonly updates?: boolean
}

const namespace = 'record-validation'
const testdata = new URL('../packages/cluster/src/validation/testdata/', import.meta.url)
const { schemas } = builtinData.schemas()
const identity = new Set(['apiVersion', 'kind', 'name', 'namespace', 'uid', 'resourceVersion'])
const unrecordedFields = new Set([
  'creationTimestamp',
  'deletionTimestamp',
  'generateName',
  'selfLink',
])
const [kubeconfig, kubectl = 'kubectl'] = process.argv.slice(2)
if (kubeconfig === undefined)
  throw new Error('usage: record-validation-cases.ts KUBECONFIG [KUBECTL]')
const proxy = spawn(kubectl, ['--kubeconfig', kubeconfig, 'proxy', '--port=0'])
try {
  await record(await proxyAddress())
} finally {
  proxy.kill()
}

async function proxyAddress(): Promise<string> {
  for await (const chunk of proxy.stdout) {
    const port = /:(\d+)\s*$/.exec(String(chunk))?.[1]
    if (port !== undefined) return `http://127.0.0.1:${port}`
  }
  throw new Error('kubectl proxy ended without an address')
}

async function send(
  url: string,
  method: string,
  body?: unknown,
): Promise<{ code: number; body: Json }> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { code: response.status, body: (text.startsWith('{') ? JSON.parse(text) : {}) as Json }
}

async function record(server: string): Promise<void> {
  const manifests = JSON.parse(
    await readFile(new URL('mutated-objects.json', testdata), 'utf8'),
  ) as Manifest[]
  await send(`${server}/api/v1/namespaces`, 'POST', { metadata: { name: namespace } })
  const recorded: Json[] = []
  for (const manifest of manifests) {
    const { name, object, updates = true } = manifest
    const url = server + manifest.url
    const create = await tryAll(
      changesOf(object, manifest.schema),
      (changed) => send(`${url}?dryRun=All&fieldValidation=Ignore`, 'POST', changed),
      object,
    )
    const entry: Json = { name, object, create: create.map(maskUid) }
    if (updates) Object.assign(entry, await recordUpdates(url, manifest))
    recorded.push(entry)
    process.stderr.write(`${name}: ${create.length} creates\n`)
  }
  await send(`${server}/api/v1/namespaces/${namespace}`, 'DELETE')
  await writeFile(new URL('mutated-cases.json.gz', testdata), gzipSync(JSON.stringify(recorded)))
}

async function recordUpdates(url: string, { object, schema }: Manifest): Promise<Json> {
  const { name } = object['metadata'] as { name: string }
  const created = await send(url, 'POST', object)
  if (created.code !== 201) throw new Error(JSON.stringify(created.body))
  // Controllers may write once more.
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const { body: stored } = await send(`${url}/${name}`, 'GET')
  Reflect.deleteProperty(stored['metadata'] as Json, 'managedFields')
  const { status, ...rest } = stored
  const all = changesOf(rest, schema).filter(({ path }) => path[0] !== 'status')
  // Updates of pods repeat the results of creates: half of them are enough.
  const changes = all.filter((_, index) => all.length < 500 || index % 2 === 0)
  const update = await tryAll(
    changes,
    (changed) =>
      send(`${url}/${name}?dryRun=All&fieldValidation=Ignore`, 'PUT', { ...changed, status }),
    rest,
  )
  await send(`${url}/${name}`, 'DELETE', { gracePeriodSeconds: 0 })
  return { stored, update }
}

async function tryAll(
  changes: readonly Change[],
  ask: (changed: Json) => Promise<{ code: number; body: Json }>,
  object: Json,
): Promise<RecordedCase[]> {
  const results: RecordedCase[] = []
  for (const change of changes) {
    const changed = apply(object, change)
    const { code, body } = await ask(changed)
    if (![200, 201, 422].includes(code)) continue
    const causes = causesOf(body, code)
    let varies = false
    for (let round = 0; round < 4 && causes.length > 1 && !varies; round++) {
      const again = await ask(changed)
      varies = JSON.stringify(causesOf(again.body, again.code)) !== JSON.stringify(causes)
    }
    results.push({ ...change, causes, ...(varies ? { orderVaries: true as const } : {}) })
  }
  return results
}

function causesOf(body: Json, code: number): readonly Cause[] {
  if (code !== 422) return []
  return (body['details'] as { causes?: Cause[] } | undefined)?.causes ?? []
}

/** New objects get another uid each time. */
function maskUid(item: RecordedCase): RecordedCase {
  const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
  return JSON.parse(JSON.stringify(item).replace(uuid, 'UID')) as RecordedCase
}

function apply(object: Json, { path, ...rest }: Change): Json {
  const copy = structuredClone(object)
  let place: unknown = copy
  for (const step of path.slice(0, -1)) place = (place as Json)[step]
  const last = path.at(-1) ?? ''
  if ('value' in rest) (place as Json)[last] = rest.value
  else if (Array.isArray(place)) place.splice(Number(last), 1)
  else Reflect.deleteProperty(place as Json, last)
  return copy
}

function* walk(value: unknown, schema: Json | undefined, path: Path): Generator<Change> {
  const isMetadata = path.length === 1 && path[0] === 'metadata'
  if (Array.isArray(value)) {
    yield { path, value: [] }
    if (value.length > 0) yield { path, value: [...(value as unknown[]), value[0]] }
    const items = resolve(schema?.['items'])
    for (const [index, item] of value.entries()) yield* visit(item, items, [...path, index])
  } else if (typeof value === 'object' && value !== null) {
    const properties = (schema?.['properties'] ?? {}) as Record<string, Json>
    for (const [field, item] of Object.entries(value)) {
      if ((isMetadata || path.length === 0) && (identity.has(field) || unrecordedFields.has(field)))
        continue
      const inner = properties[field] ?? schema?.['additionalProperties']
      if (path.length > 0 || field !== 'metadata') yield { path: [...path, field] }
      yield* visit(item, resolve(inner), [...path, field])
    }
    for (const [field, inner] of Object.entries(properties)) {
      if (Object.hasOwn(value, field) || field === 'status' || field === 'managedFields') continue
      if (isMetadata && (identity.has(field) || unrecordedFields.has(field))) continue
      yield { path: [...path, field], value: sample(inner) }
    }
    if (schema?.['additionalProperties'] !== undefined) {
      yield { path: [...path, 'not a key!'], value: sample(schema['additionalProperties'] as Json) }
    }
  }
}

function* visit(value: unknown, schema: Json | undefined, path: Path): Generator<Change> {
  if (typeof value === 'string') {
    for (const bad of ['', 'Not Valid!']) yield { path, value: bad }
    // Long strings make the file large; those near the top are enough.
    if (path.length <= 4) yield { path, value: 'a'.repeat(260) }
  } else if (typeof value === 'number') {
    for (const bad of [-1, 0, 70000]) yield { path, value: bad }
  } else if (typeof value === 'boolean') yield { path, value: !value }
  else yield* walk(value, schema, path)
}

function resolve(schema: unknown): Json | undefined {
  const { ref } = (schema ?? {}) as { ref?: string }
  return ref === undefined ? (schema as Json | undefined) : schemas[ref]
}

/** A meaningless value of the right type. */
function sample(schema: Json): unknown {
  const { ref } = schema as { ref?: string }
  if (ref?.endsWith('.Quantity')) return '1500m'
  if (ref?.endsWith('.MicroTime')) return '2026-01-01T00:00:00.000000Z'
  if (ref?.endsWith('.Time')) return '2026-01-01T00:00:00Z'
  if (ref?.endsWith('.IntOrString')) return 0
  const resolved = (ref === undefined ? schema : schemas[ref]) ?? {}
  const properties = resolved['properties'] as Record<string, Json> | undefined
  if (properties !== undefined) {
    return Object.fromEntries(
      Object.entries(properties).map(([key, inner]) => [key, sample(inner)]),
    )
  }
  if (resolved['additionalProperties'] !== undefined) {
    return { k: sample(resolved['additionalProperties'] as Json) }
  }
  switch (resolved['type']) {
    case 'array':
      return [sample(resolved['items'] as Json)]
    case 'integer':
    case 'number':
      return -3
    case 'boolean':
      return true
    case 'string':
      return resolved['format'] === 'byte' ? 'eA==' : 'X_x'
    default:
      return {}
  }
}

function changesOf(object: Json, schema: string): Change[] {
  return [...walk(object, schemas[schema], [])]
}
