/**
 * Sends the requests in `packages/setpoint/src/schema/testdata` to a real API server and writes its
 * answers back, so that the tests of the schema engine use that release:
 *
 *   node --import tsx scripts/record-schema-cases.ts path/to/kubeconfig [path/to/kubectl]
 *
 * To add a request, add an entry without an answer and run this. All requests are dry runs, except
 * for the CRDs that the values need, which are deleted at the end.
 */
import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

type Json = Record<string, unknown>

interface Cause {
  readonly field?: string
  readonly reason: string
  readonly message: string
}

interface Answer {
  code?: number
  causes?: readonly Cause[]
  /** The server lists these causes in random order, because it iterates over a Go map. */
  orderVaries?: true
  stored?: unknown
  warnings?: readonly string[]
}

/** A line of the file: a schema starts a group, the values after it belong to it. */
type Line = Answer & { name?: string; schema?: Json; value?: unknown }

const group = 'schema.setpoint.dev'
const testdata = new URL('../packages/setpoint/src/schema/testdata/', import.meta.url)

const [kubeconfig, kubectl = 'kubectl'] = process.argv.slice(2)
if (kubeconfig === undefined) throw new Error('usage: record-schema-cases.ts KUBECONFIG [KUBECTL]')
const proxy = spawn(kubectl, ['--kubeconfig', kubeconfig, 'proxy', '--port=0'])
try {
  const server = await proxyAddress()
  await recordCrds(server)
  await recordValues(server)
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

async function send(url: string, method: string, body?: unknown): Promise<Answer & { body: Json }> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const warning = response.headers.get('warning') ?? ''
  const warnings = [...warning.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(
    ([, text = '']) => JSON.parse(`"${text}"`) as string,
  )
  const text = await response.text()
  // A server answers with plain text for a resource that it does not serve yet.
  const answer = (text.startsWith('{') ? JSON.parse(text) : {}) as Json
  const details = answer['details'] as { causes?: readonly Cause[] } | undefined
  return { code: response.status, causes: details?.causes ?? [], warnings, body: answer }
}

/**
 * Repeats requests with several causes, to find out whether their order varies. Repetition might
 * not show it, so the result of an earlier recording is kept.
 */
async function ask(url: string, body: unknown, earlier: Answer): Promise<Answer & { body: Json }> {
  const answer = await send(url, 'POST', body)
  const causes = answer.causes ?? []
  if (causes.length < 2) return answer
  for (let round = 0; round < 24; round += 1) {
    const again = (await send(url, 'POST', body)).causes
    const isSame = JSON.stringify(again) === JSON.stringify(causes)
    if (isSame && earlier.orderVaries === undefined) continue
    const sorted = causes.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    return { ...answer, causes: sorted, orderVaries: true }
  }
  return answer
}

/** The parts of an answer that the tests compare. */
function kept({ code, causes, orderVaries, warnings = [] }: Answer): Answer {
  return {
    ...(code === 201 ? {} : { causes: causes ?? [] }),
    ...(orderVaries === undefined ? {} : { orderVaries }),
    ...(warnings.length === 0 ? {} : { warnings }),
  }
}

async function recordCrds(server: string): Promise<void> {
  const url = `${server}/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All`
  const lines = await readLines<Answer & { case: string; sent: Json }>('crd-create.jsonl')
  const answered: unknown[] = []
  for (const { case: name, sent, ...earlier } of lines) {
    const answer = await ask(url, sent, earlier)
    answered.push({ case: name, sent, code: answer.code, ...kept(answer) })
  }
  await writeLines('crd-create.jsonl', answered)
}

async function recordValues(server: string): Promise<void> {
  const lines = await readLines<Line>('value-create.jsonl')
  const answered: Line[] = []
  let resource: Resource | undefined
  for (const { name, schema, value, ...earlier } of lines) {
    if (name !== undefined && schema !== undefined) {
      await resource?.remove()
      resource = await makeResource(server, name, schema)
      answered.push({ name, schema })
    } else if (resource !== undefined) {
      const answer = await ask(resource.url, { ...resource.object, spec: value }, earlier)
      const { code, body } = answer
      if (code !== 201 && code !== 422) throw new Error(JSON.stringify(body))
      answered.push({ value, ...(code === 201 ? { stored: body['spec'] } : {}), ...kept(answer) })
    }
  }
  await resource?.remove()
  await writeLines('value-create.jsonl', answered)
}

interface Resource {
  readonly url: string
  readonly object: Json
  remove(): Promise<unknown>
}

async function makeResource(server: string, name: string, spec: Json): Promise<Resource> {
  const crds = `${server}/apis/apiextensions.k8s.io/v1/customresourcedefinitions`
  const plural = `${name}s`
  const kind = name.charAt(0).toUpperCase() + name.slice(1)
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } }
  const created = await send(crds, 'POST', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  })
  if (created.code !== 201) throw new Error(`${name}: ${JSON.stringify(created.body)}`)
  const url = `${server}/apis/${group}/v1/${plural}?dryRun=All`
  const object = { apiVersion: `${group}/v1`, kind, metadata: { name: 'x' } }
  while ((await send(url, 'POST', { ...object, spec: {} })).code === 404) await sleep(200)
  return { url, object, remove: () => send(`${crds}/${plural}.${group}`, 'DELETE') }
}

async function readLines<T>(name: string): Promise<T[]> {
  const text = await readFile(new URL(name, testdata), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
}

/** One case per line, so that a new release has a readable diff. */
async function writeLines(name: string, lines: readonly unknown[]): Promise<void> {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  await writeFile(new URL(name, testdata), text)
}
