/**
 * Records sequences of writes on a real API server, with the object before and after each of them, for
 * the tests of packages/cluster/src/apply.
 *
 *   node --import tsx scripts/record-apply-cases.ts KUBECONFIG              writes testdata/*.json
 *   node --import tsx scripts/record-apply-cases.ts KUBECONFIG random SEED COUNT OUT
 *       makes COUNT random sequences on a custom resource and writes them to the file OUT, for
 *       APPLY_CASES=OUT npx vitest run packages/cluster/src/apply/recorded-cases.test.ts
 *
 * Every write of a sequence happens in its own second, so that the times in managedFields show which
 * write set them.
 */
import { writeFileSync } from 'node:fs'
import { customResourceDefinitions } from './apply-cases/definitions.ts'
import { randomSequences } from './apply-cases/random-sequences.ts'
import { connect, type Json } from './apply-cases/server.ts'
import type { Sequence, Step } from './apply-cases/sequence.ts'
import { sequences } from './apply-cases/sequences.ts'

const [kubeconfig = '', mode = 'record', seed = '1', count = '60', out = ''] = process.argv.slice(2)
const namespace = 'record-apply'

const send = connect(kubeconfig)

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function nextSecond() {
  await sleep(1020 - (Date.now() % 1000))
}

const contentTypes: Readonly<Record<string, string>> = {
  apply: 'application/apply-patch+yaml',
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
}

function isBodyFunction(body: unknown): body is (live: Json) => unknown {
  return typeof body === 'function'
}

/** Waits until controllers no longer change the object. */
async function waitUntilSettled(path: string) {
  let previous = ''
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const { body } = await send({ method: 'GET', path })
    const version = JSON.stringify((body['metadata'] as Json | undefined)?.['resourceVersion'])
    if (version === previous) return
    previous = version
    await sleep(400)
  }
}

async function runStep(sequence: Sequence, step: Step, name: string) {
  const apiVersion = step.apiVersion ?? sequence.apiVersion
  const prefix = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  const collection = `${prefix}/namespaces/${namespace}/${sequence.resource}`
  await waitUntilSettled(`${collection}/${name}`)
  await nextSecond()
  const before = await send({ method: 'GET', path: `${collection}/${name}` })
  const live = before.code === 200 ? before.body : undefined
  const query = new URLSearchParams({ fieldManager: step.by, fieldValidation: 'Ignore' })
  if (step.force === true) query.set('force', 'true')
  const subresource = step.subresource ?? ''
  const target = step.verb === 'post' ? collection : `${collection}/${name}`
  const path = `${target}${subresource === '' ? '' : `/${subresource}`}?${query.toString()}`
  let base = live
  if (subresource === 'scale')
    base = (await send({ method: 'GET', path: `${collection}/${name}/scale` })).body
  const body = isBodyFunction(step.body) ? step.body(structuredClone(base ?? {})) : step.body
  const full =
    step.verb === 'post' || step.verb === 'apply'
      ? named(body as Json, { apiVersion, kind: sequence.kind, name, subresource })
      : body
  const method = step.verb === 'post' ? 'POST' : step.verb === 'put' ? 'PUT' : 'PATCH'
  const answer = await send({ method, path, body: full, contentType: contentTypes[step.verb] })
  const after = subresource === 'scale' && answer.code < 300
  const stored = after
    ? (await send({ method: 'GET', path: `${collection}/${name}` })).body
    : answer.body
  return {
    verb: step.verb,
    by: step.by,
    ...(step.force === true ? { force: true } : {}),
    ...(subresource === '' ? {} : { subresource }),
    apiVersion,
    ...(live === undefined ? {} : { live }),
    body: full,
    code: answer.code,
    answer: stored,
  }
}

interface Identity {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly subresource: string
}

function named(body: Json, { apiVersion, kind, name, subresource }: Identity): Json {
  const metadata = { name, ...(body['metadata'] as Json | undefined) }
  const isScale = subresource === 'scale'
  const type = isScale ? { apiVersion: 'autoscaling/v1', kind: 'Scale' } : { apiVersion, kind }
  return { ...type, ...body, metadata }
}

async function runSequence(sequence: Sequence, index: number) {
  const name = `s${index}`
  const steps = []
  let previous = ''
  for (const step of sequence.steps) {
    const recorded = await runStep(sequence, step, name)
    const { live, ...rest } = recorded
    // The live object is omitted where it is the last answer.
    const isSame = JSON.stringify(live) === previous
    steps.push(isSame ? { ...rest, live: 'previous' } : { ...rest, live: live ?? null })
    if (recorded.code < 300) previous = JSON.stringify(recorded.answer)
  }
  const { resource, kind, apiVersion } = sequence
  return { name: sequence.name, resource, kind, apiVersion, steps }
}

async function inParallel<T, R>(items: readonly T[], run: (item: T, index: number) => Promise<R>) {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index]
      if (item !== undefined) results[index] = await run(item, index)
    }
  }
  await Promise.all(Array.from({ length: 16 }, worker))
  return results
}

/** Creates, and waits until objects of an earlier run are deleted. */
async function create(path: string, object: unknown) {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const { code } = await send({ method: 'POST', path, body: object })
    if (code === 201) return
    await sleep(500)
  }
  throw new Error(`cannot create at ${path}`)
}

async function prepare() {
  await create('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  })
  for (const crd of customResourceDefinitions) {
    await create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd)
  }
  await sleep(4000)
}

async function cleanUp() {
  for (const crd of customResourceDefinitions) {
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd.metadata.name}`
    await send({ method: 'DELETE', path })
  }
  await send({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}` })
}

function write(file: string, cases: readonly unknown[]) {
  writeFileSync(file, cases.map((item) => `${JSON.stringify(item)}\n`).join(''))
}

await prepare()
const chosen = mode === 'random' ? randomSequences(Number(seed), Number(count)) : sequences
const recorded = await inParallel(chosen, runSequence)
if (mode === 'random') write(out, recorded)
else {
  const folder = new URL('../packages/cluster/src/apply/testdata/', import.meta.url)
  for (const kind of new Set(recorded.map((item) => item.kind))) {
    const file = new URL(`${kind.toLowerCase()}.jsonl`, folder)
    write(
      file.pathname,
      recorded.filter((item) => item.kind === kind),
    )
  }
  const schemas = customResourceDefinitions.map(({ spec }) => ({
    kind: spec.names.kind,
    group: spec.group,
    versions: spec.versions,
  }))
  write(new URL('definitions.jsonl', folder).pathname, schemas)
}
await cleanUp()
console.log(`${recorded.length} sequences`)
