/**
 * `npm start`: the first example. It starts a cluster in this process, runs
 * operators/01-application on it, creates the sample, shows how it becomes ready, and prints what
 * to type next. On a terminal it runs until Ctrl-C, so that the user can try the commands; in a
 * script it ends.
 */
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCluster } from '@setpoint/cluster'
import { type InferManifest, start } from 'setpoint'
import { connectionFromKubeconfig } from 'setpoint/client'
import { nodeHost } from 'setpoint/host'
import { conditionOf, Deployment, Pod, Service } from 'setpoint/kinds'
import { parse } from 'yaml'
import { Application } from '../operators/01-application/application.ts'
import application from '../operators/01-application/operator.ts'

const host = nodeHost()
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const folder = fileURLToPath(new URL('../.setpoint', import.meta.url))
const kubeconfig = join(folder, 'kubeconfig')

await using cluster = await createCluster({ host })
print(`a cluster           ${cluster.url}`)
const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
await using running = await start([application], {
  host,
  connection,
  install: true,
  logLevel: 'warn',
})
print('an operator         operators/01-application/operator.ts')
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
print(`its sample          Application ${namespace}/${name}`)
const fieldSelector = { 'metadata.name': name }
for await (const event of client.watch(Application, {
  namespace,
  fieldSelector,
  resourceVersion,
})) {
  if (event.type !== 'MODIFIED') continue
  const ready = conditionOf(event.object, 'Ready')
  if (ready !== undefined)
    print(`  Ready=${ready.status.padEnd(12)}${ready.reason}: ${ready.message}`)
  if (ready?.status === 'True') break
}
const { spec } = await client.get(Deployment, name)
const replicas = spec.replicas ?? 0
print(`its Deployment      ${name}, ${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`)
const service = await client.get(Service, name)
print(
  `its Service         ${name}, ${service.spec.clusterIP ?? ''}:${service.spec.ports?.[0]?.port ?? 0}`,
)
for (const { metadata: pod, spec: where, status } of await client.listAll(Pod, { namespace })) {
  print(`its pod             ${pod.name} on ${where.nodeName ?? 'no node'}: ${status?.phase ?? ''}`)
}

const words = {
  own: `Your own:
  npm run try -- ../my-operator   # a project, in any folder
  npx setpoint dev operators/01-application/operator.ts --samples   # this example, restarted on every save
  docs/tutorial/first-operator.md   # the tutorial, up to a deployed operator`,
  kubectl: `In another terminal, kubectl works with this cluster (npx setpoint kubectl, where it is not installed):
  export KUBECONFIG=${kubeconfig}
  kubectl get app,deployments,services,pods
  kubectl scale deployment ${name} --replicas=5   # the operator restores it
  kubectl delete app ${name}`,
}
if (process.stdout.isTTY) {
  await mkdir(folder, { recursive: true })
  await host.writeFile(kubeconfig, cluster.kubeconfig(), { mode: 0o600 })
  print(`\n${words.kubectl}\n\n${words.own}\n\nPress Ctrl-C to stop.`)
  await new Promise<void>((resolve) => {
    host.onSignal('SIGINT', resolve)
    host.onSignal('SIGTERM', resolve)
  })
  await rm(kubeconfig, { force: true })
} else {
  print(`\nNext steps.\n\n${words.own}`)
}
