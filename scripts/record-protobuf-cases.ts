/**
 * Records the same answers of a real API server in JSON and in protobuf, for the tests of
 * packages/cluster/src/codec. The server should be fresh and have controllers: the objects that are
 * created here are not deleted.
 *
 *   node --import tsx scripts/record-protobuf-cases.ts KUBECONFIG
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

interface Resource {
  readonly path: string
  readonly kind: string
  readonly apiVersion: string
  readonly isNamespaced: boolean
  readonly isListed: boolean
}

interface Discovery {
  readonly items: readonly {
    readonly metadata: { readonly name?: string }
    readonly versions: readonly {
      readonly version: string
      readonly resources?: readonly {
        readonly resource: string
        readonly responseKind: { readonly kind: string }
        readonly scope: string
        readonly verbs: readonly string[]
      }[]
    }[]
  }[]
}

interface Sent {
  readonly accept?: string
  readonly type?: string
  readonly body?: unknown
}

const json = 'application/json'
const protobuf = 'application/vnd.kubernetes.protobuf'
const aggregated = ';g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
const metadataAs = (kind: string, version: string): string =>
  `;as=${kind};g=meta.k8s.io;v=${version}`
const inNamespace = '/api/v1/namespaces/data'
const widgets = '/apis/example.com/v1/namespaces/data/widgets'

const [kubeconfig = ''] = process.argv.slice(2)
const config = readFileSync(kubeconfig, 'utf8')
const named = (name: string): string =>
  new RegExp(`${name}: "?([^",}\\s]+)`).exec(config)?.[1] ?? ''
const credentials = {
  ca: readFileSync(named('certificate-authority')),
  cert: readFileSync(named('client-certificate')),
  key: readFileSync(named('client-key')),
}

function send(method: string, path: string, sent: Sent = {}): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const headers = {
      accept: sent.accept ?? json,
      ...(sent.body === undefined ? {} : { 'content-type': sent.type ?? json }),
    }
    const options = { method, ...credentials, headers }
    const call = request(named('server') + path, options, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => {
        resolve(Buffer.concat(parts))
      })
    })
    call.on('error', reject)
    call.end(sent.body === undefined ? undefined : JSON.stringify(sent.body))
  })
}

async function resources(): Promise<Resource[]> {
  const found: Resource[] = []
  for (const root of ['/api', '/apis']) {
    const bytes = await send('GET', root, { accept: json + aggregated })
    const { items } = JSON.parse(bytes.toString()) as Discovery
    for (const { metadata, versions } of items) {
      for (const { version, resources: listed = [] } of versions) {
        const apiVersion = metadata.name === undefined ? version : `${metadata.name}/${version}`
        for (const { resource, responseKind, scope, verbs } of listed) {
          const isNamespaced = scope === 'Namespaced'
          const place = isNamespaced ? 'namespaces/data/' : ''
          found.push({
            path: `${root}/${apiVersion}/${place}${resource}`,
            kind: responseKind.kind,
            apiVersion,
            isNamespaced,
            isListed: verbs.includes('list'),
          })
        }
      }
    }
  }
  return found
}

/** Creates the objects of the tests of defaults: every kind, many with most fields. */
async function fill(): Promise<void> {
  await send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'data' } } })
  const file = new URL(
    '../packages/cluster/src/defaults/testdata/recorded-creates.json',
    import.meta.url,
  )
  const cases = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly sent: { readonly apiVersion: string; readonly kind: string }
  }[]
  const known = await resources()
  for (const { sent: body } of cases) {
    const { kind, apiVersion } = body
    const found = known.find((each) => each.kind === kind && each.apiVersion === apiVersion)
    if (found !== undefined) await send('POST', found.path, { body })
  }
  await sleep(3000)
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } }
  const annotated = { ...widget.metadata, annotations: { text: '<&> é 😀 \u2028' } }
  await send('POST', widgets, { body: { ...widget, metadata: annotated, spec: { 'a<b': 1 } } })
  for (const [path, status] of Object.entries(statuses)) {
    const type = 'application/merge-patch+json'
    await send('PATCH', `${path}/status`, { type, body: { status } })
  }
}

const time = '2026-01-02T03:04:05Z'
const statuses: Readonly<Record<string, object>> = {
  [`${inNamespace}/pods/pod-minimal`]: {
    phase: 'Running',
    startTime: time,
    podIP: '10.0.0.1',
    podIPs: [{ ip: '10.0.0.1' }],
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: time, lastProbeTime: null }],
    containerStatuses: [
      {
        name: 'web',
        ready: true,
        restartCount: 3,
        image: 'nginx',
        imageID: 'sha256:0',
        started: true,
        state: { running: { startedAt: time } },
        lastState: { terminated: { exitCode: 137, reason: 'OOMKilled', finishedAt: time } },
      },
    ],
  },
  '/apis/apps/v1/namespaces/data/deployments/web': {
    replicas: 2,
    readyReplicas: 1,
    observedGeneration: 1,
    conditions: [{ type: 'Available', status: 'False', reason: 'R', message: 'é' }],
  },
}

type Recorded =
  | { readonly path: string; readonly json: string; readonly protobuf: string }
  | { readonly watch: string; readonly json: string; readonly protobuf: string }

/** Both encodings of one answer; repeated when something changed between the two requests. */
async function both(path: string, shape = ''): Promise<{ json: string; protobuf: string }> {
  for (;;) {
    const first = await send('GET', path, { accept: json + shape })
    const bytes = await send('GET', path, { accept: protobuf + shape })
    const second = await send('GET', path, { accept: json + shape })
    if (first.equals(second)) {
      return { json: first.toString(), protobuf: bytes.toString('latin1') }
    }
  }
}

async function answers(): Promise<Recorded[]> {
  const recorded: Recorded[] = []
  const add = async (path: string, shape = ''): Promise<void> => {
    recorded.push({ path: path + shape, ...(await both(path, shape)) })
  }
  for (const { path, isListed, apiVersion, isNamespaced } of await resources()) {
    if (!isListed || apiVersion.startsWith('example.com/')) continue
    await add(`${path}?limit=${isNamespaced ? 40 : 6}`)
  }
  for (const path of ['/api', '/apis', '/apis/apps/v1', `${inNamespace}/pods/none`]) await add(path)
  for (const path of ['/apis/apps/v1/nothing', `${inNamespace}/pods?limit=x`]) await add(path)
  for (const path of [
    '/apis/apps/v1/namespaces/data/deployments/web/scale',
    `${inNamespace}/pods/pod-minimal`,
    '/api',
  ]) {
    await add(path, path === '/api' ? aggregated : '')
  }
  for (const version of ['v1', 'v1beta1']) {
    for (const path of [`${inNamespace}/pods`, widgets]) {
      await add(path, metadataAs('PartialObjectMetadataList', version))
    }
    await add(`${widgets}/w`, metadataAs('PartialObjectMetadata', version))
  }
  return recorded
}

async function watches(): Promise<Recorded[]> {
  const state =
    'watch=1&timeoutSeconds=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan'
  const recorded: Recorded[] = []
  const add = async (watch: string, shape = ''): Promise<void> => {
    recorded.push({ watch: watch + shape, ...(await both(watch, shape)) })
  }
  const maps = `${inNamespace}/configmaps`
  const before = JSON.parse((await send('GET', maps)).toString()) as {
    metadata: { resourceVersion: string }
  }
  await send('POST', maps, { body: { metadata: { name: 'seen' }, data: { a: 'b' } } })
  const type = 'application/merge-patch+json'
  await send('PATCH', `${maps}/seen`, { type, body: { data: { a: 'c' } } })
  await send('DELETE', `${maps}/seen`)
  await add(`${maps}?watch=1&timeoutSeconds=1&resourceVersion=${before.metadata.resourceVersion}`)
  await add(`${inNamespace}/secrets?${state}`)
  await add(`${inNamespace}/secrets?${state}`, metadataAs('PartialObjectMetadata', 'v1'))
  await add(`${widgets}?${state}`, metadataAs('PartialObjectMetadata', 'v1beta1'))
  return recorded
}

await fill()
const recorded = [...(await answers()), ...(await watches())]
const file = new URL(
  '../packages/cluster/src/codec/testdata/protobuf-answers.jsonl.gz',
  import.meta.url,
)
const lines = recorded.map((entry) => `${JSON.stringify(entry)}\n`)
writeFileSync(file, gzipSync(lines.join(''), { level: 9 }))
console.log(`${recorded.length} answers`)
