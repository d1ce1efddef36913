/**
 * Records the results of patches on a real API server (as dry runs), for the tests of packages/cluster/src/patch.
 *
 *   node --import tsx scripts/record-patch-cases.ts KUBECONFIG
 */
import { writeFileSync } from 'node:fs'
import { patchCases, patchedObjects } from './apply-cases/patch-cases.ts'
import { connect, type Json } from './apply-cases/server.ts'

const [kubeconfig = ''] = process.argv.slice(2)
const namespace = 'record-patch'
const send = connect(kubeconfig)

function withoutManagers(object: Json): Json {
  const { managedFields: _managers, ...metadata } = (object['metadata'] ?? {}) as Json
  return { ...object, metadata }
}

await send({
  method: 'POST',
  path: '/api/v1/namespaces',
  body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
})
await new Promise((resolve) => setTimeout(resolve, 1000))
const live: Record<string, Json> = {}
for (const [kind, { path, definition, object }] of Object.entries(patchedObjects)) {
  const { code, body } = await send({
    method: 'POST',
    path: path.replace('NAMESPACE', namespace),
    body: object,
  })
  if (code !== 201) throw new Error(JSON.stringify(body))
  live[kind] = { definition, object: withoutManagers(body) }
}
const cases = []
for (const { name, kind, type, patch } of patchCases) {
  const target = patchedObjects[kind]
  if (target === undefined) throw new Error(kind)
  const path = `${target.path.replace('NAMESPACE', namespace)}/base?dryRun=All`
  const { code, body } = await send({
    method: 'PATCH',
    path,
    body: patch,
    contentType: `application/${type}+json`,
  })
  cases.push({ name, kind, type, patch, code, answer: withoutManagers(body) })
}
const deployment = `/apis/apps/v1/namespaces/${namespace}/deployments/base`
const unlocked = { metadata: { finalizers: null } }
await send({
  method: 'PATCH',
  path: deployment,
  body: unlocked,
  contentType: 'application/merge-patch+json',
})
await send({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}` })
const file = new URL('../packages/cluster/src/patch/testdata/cases.jsonl', import.meta.url)
const lines = [live, ...cases].map((item) => `${JSON.stringify(item)}\n`)
writeFileSync(file, lines.join(''))
console.log(`${cases.length} cases`)
