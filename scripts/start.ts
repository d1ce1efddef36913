/**
 * `npm start`: the first example at work. It starts a cluster in this process, installs the resource of
 * operators/01-application, runs its operator, creates the sample, and prints what came of it.
 */
import { readFile } from 'node:fs/promises'
import { createCluster } from '@setpoint/cluster'
import { type InferManifest, start } from 'setpoint'
import { connectionFromKubeconfig } from 'setpoint/client'
import { nodeHost } from 'setpoint/host'
import { conditionOf, Deployment, Pod, Service } from 'setpoint/kinds'
import { parse, stringify } from 'yaml'
import { Application } from '../operators/01-application/application.ts'
import application from '../operators/01-application/operator.ts'

const host = nodeHost()
await using cluster = await createCluster({ host })
const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
await using running = await start([application], {
  host,
  connection,
  install: true,
  logLevel: 'warn',
})
const { client } = running
const sample = await readFile(
  new URL('../operators/01-application/sample.yaml', import.meta.url),
  'utf8',
)
const { metadata } = await client.create(
  Application,
  parse(sample) as InferManifest<typeof Application>,
)
const { name, namespace, resourceVersion } = metadata
const fieldSelector = { 'metadata.name': name }
for await (const event of client.watch(Application, {
  namespace,
  fieldSelector,
  resourceVersion,
})) {
  if (event.type !== 'MODIFIED') continue
  if (conditionOf(event.object, 'Ready')?.status === 'True') break
}
for (const kind of [Application, Deployment, Service]) {
  const object = await client.get(kind, name)
  const { managedFields: _, ...kept } = object.metadata
  const text = stringify({ ...object, metadata: kept }, { aliasDuplicateObjects: false })
  process.stdout.write(`---\n# ${kind.kind}, as the cluster has it\n${text}`)
}
process.stdout.write('---\n# Its pods\n')
for (const { metadata: pod, spec, status } of await client.listAll(Pod, { namespace })) {
  process.stdout.write(`# ${pod.name} on ${spec.nodeName ?? 'no node'}: ${status?.phase ?? ''}\n`)
}
