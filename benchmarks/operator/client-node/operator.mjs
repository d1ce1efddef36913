// The benchmark's operator with @kubernetes/client-node: informers, a small work queue with 16 workers.
import {
  AppsV1Api,
  CoreV1Api,
  CustomObjectsApi,
  PatchStrategy,
  setHeaderOptions,
} from '@kubernetes/client-node'
import { connect, informerOf } from './cluster.mjs'
import { WorkQueue } from './work-queue.mjs'

const workers = 16
const resource = { group: 'bench.example.com', version: 'v1', plural: 'applications' }
const apiVersion = `${resource.group}/${resource.version}`
const mergePatch = setHeaderOptions('Content-Type', PatchStrategy.MergePatch)

const cluster = connect()
const apps = cluster.makeApiClient(AppsV1Api)
const core = cluster.makeApiClient(CoreV1Api)
const custom = cluster.makeApiClient(CustomObjectsApi)

const applications = informerOf(cluster, {
  path: `/apis/${apiVersion}/${resource.plural}`,
  list: () => custom.listClusterCustomObject(resource),
})
const deployments = informerOf(cluster, {
  path: '/apis/apps/v1/deployments',
  list: () => apps.listDeploymentForAllNamespaces(),
})
const services = informerOf(cluster, {
  path: '/api/v1/services',
  list: () => core.listServiceForAllNamespaces(),
})

/** Whether the actual object has all desired fields; the server adds defaults. */
function has(actual, desired) {
  if (typeof desired !== 'object' || desired === null) return actual === desired
  if (typeof actual !== 'object' || actual === null) return false
  if (Array.isArray(desired) && desired.length !== actual.length) return false
  return Object.entries(desired).every(([name, value]) => has(actual[name], value))
}

function metadataOf({ metadata: { name, namespace, uid } }) {
  const owner = { apiVersion, kind: 'Application', name, uid }
  const ownerReferences = [{ ...owner, controller: true, blockOwnerDeletion: true }]
  return { name, namespace, labels: { app: name }, ownerReferences }
}

function deploymentOf(application) {
  const { image, replicas, port } = application.spec
  const labels = { app: application.metadata.name }
  const containers = [{ name: 'app', image, ports: [{ containerPort: port }] }]
  const template = { metadata: { labels }, spec: { containers } }
  return {
    metadata: metadataOf(application),
    spec: { replicas, selector: { matchLabels: labels }, template },
  }
}

function serviceOf(application) {
  const { port } = application.spec
  const selector = { app: application.metadata.name }
  return {
    metadata: metadataOf(application),
    spec: { selector, ports: [{ port, targetPort: port }] },
  }
}

async function keepDeployment(body) {
  const { name, namespace } = body.metadata
  const actual = deployments.get(name, namespace)
  if (actual === undefined) await apps.createNamespacedDeployment({ namespace, body })
  else if (!has(actual, body)) {
    await apps.patchNamespacedDeployment({ name, namespace, body }, mergePatch)
  }
}

async function keepService(body) {
  const { name, namespace } = body.metadata
  const actual = services.get(name, namespace)
  if (actual === undefined) await core.createNamespacedService({ namespace, body })
  else if (!has(actual, body)) {
    await core.patchNamespacedService({ name, namespace, body }, mergePatch)
  }
}

async function reconcile(key) {
  const [namespace, name] = key.split('/')
  const application = applications.get(name, namespace)
  if (application === undefined || application.metadata.deletionTimestamp !== undefined) return
  await Promise.all([
    keepDeployment(deploymentOf(application)),
    keepService(serviceOf(application)),
  ])
  const { generation } = application.metadata
  const status = { url: `http://${name}.${namespace}.svc`, observedGeneration: generation }
  if (has(applications.get(name, namespace)?.status, status)) return
  const body = { status }
  await custom.patchNamespacedCustomObjectStatus({ ...resource, namespace, name, body }, mergePatch)
}

const queue = new WorkQueue(workers, reconcile)

function addOwner({ metadata: { namespace, ownerReferences = [] } }) {
  const owner = ownerReferences.find(({ controller }) => controller)
  if (owner?.kind === 'Application' && owner.apiVersion === apiVersion) {
    queue.add(`${namespace}/${owner.name}`)
  }
}

process.once('SIGTERM', () => process.exit(0))
// Children before owners: when all of them are known, a restart writes nothing.
await Promise.all([deployments.start(), services.start()])
for (const event of ['update', 'delete']) {
  deployments.on(event, addOwner)
  services.on(event, addOwner)
}
for (const event of ['add', 'update']) {
  applications.on(event, ({ metadata: { namespace, name } }) => queue.add(`${namespace}/${name}`))
}
await applications.start()
