import { createCluster, type Cluster } from '@setpoint/cluster'
import { type AnyOperator, isSetpointError, start } from 'setpoint'
import { connectionFromKubeconfig, isApiError } from 'setpoint/client'
import type { Host } from 'setpoint/host'
import { type ApiObject, ApiResources } from '../kubectl/index.ts'
import type { ObservedExample } from './scorecard-tests.ts'

/** The user of the operators: its requests are recognised in the trace. */
const operatorUser = 'scorecard-operators'

const pollMs = 200

/**
 * Runs the operators on an embedded cluster, creates the examples, and reads what became of them.
 * It waits until every example has a status and no component has work left, at most `waitMs`.
 */
export async function observeExamples(
  host: Host,
  operators: readonly AnyOperator[],
  { examples, waitMs }: { readonly examples: readonly ApiObject[]; readonly waitMs: number },
): Promise<ObservedExample[]> {
  const users = [{ name: operatorUser, groups: ['system:masters'] }]
  await using cluster = await createCluster({ host, users })
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig(), {
    context: operatorUser,
  })
  // The command prints the results; the log of the operators is not part of them.
  const quiet = { ...host, log: () => undefined }
  await using running = await start(operators, { host: quiet, connection, install: true })
  const observed: ObservedExample[] = []
  // One after the other, so that writes belong to an example.
  for (const example of examples) {
    const fromMs = host.now()
    const resources = await ApiResources.read(cluster.client)
    const refusal = await create({ cluster, resources }, example)
    const live =
      refusal === undefined
        ? await settled({ host, cluster, resources, waitMs, running }, example)
        : undefined
    observed.push({
      example,
      refusal,
      live,
      ownedKinds: live === undefined ? [] : await ownedKinds({ cluster, resources }, live),
      writes: writesSince(cluster, fromMs),
    })
  }
  return observed
}

interface Access {
  readonly cluster: Cluster
  readonly resources: ApiResources
}

async function create(
  { cluster, resources }: Access,
  example: ApiObject,
): Promise<string | undefined> {
  const resource = resources.ofObject(example)
  if (resource === undefined) return `there is no kind ${example.kind} in ${example.apiVersion}`
  try {
    await cluster.client.create(resource, placed(example, resource.scope))
    return undefined
  } catch (error) {
    if (!isApiError(error)) throw error
    return error.message.split('\n')[0]
  }
}

function placed(example: ApiObject, scope: 'Namespaced' | 'Cluster'): ApiObject {
  const { metadata } = example
  if (scope === 'Cluster') return example
  return { ...example, metadata: { ...metadata, namespace: metadata.namespace ?? 'default' } }
}

/** The object as soon as it has a status and nothing has work left, or at the end of the time. */
async function settled(
  {
    host,
    cluster,
    resources,
    waitMs,
    running,
  }: Access & {
    readonly host: Host
    readonly waitMs: number
    readonly running: Awaited<ReturnType<typeof start>>
  },
  example: ApiObject,
): Promise<ApiObject | undefined> {
  const resource = resources.ofObject(example)
  if (resource === undefined) return undefined
  const { name, namespace = 'default' } = example.metadata
  const ref = resource.scope === 'Cluster' ? { name } : { name, namespace }
  const untilMs = host.monotonicMs() + waitMs
  for (;;) {
    const live = await cluster.client.find(resource, ref)
    if (live === undefined || host.monotonicMs() > untilMs) return live
    if (live['status'] !== undefined) break
    await host.sleep(pollMs)
  }
  const leftMs = Math.max(1, untilMs - host.monotonicMs())
  // A cluster that never settles has an operator that is always busy: it is observed as it is.
  await cluster.settle({ timeout: leftMs, operators: [running] }).catch((error: unknown) => {
    if (!isSetpointError(error, 'CLUSTER_UNSETTLED')) throw error
  })
  return cluster.client.find(resource, ref)
}

/** The kinds of the objects that the object owns, sorted. */
async function ownedKinds({ cluster, resources }: Access, owner: ApiObject): Promise<string[]> {
  const { uid } = owner.metadata
  const listable = resources.preferred.filter(({ verbs }) => verbs.includes('list'))
  const kinds = await Promise.all(
    listable.map(async (resource) => {
      const objects = await cluster.client.listAll(resource, {})
      const isOwned = ({ metadata }: ApiObject): boolean =>
        (metadata['ownerReferences'] as { uid: string }[] | undefined)?.some(
          (reference) => reference.uid === uid,
        ) === true
      return objects.some(isOwned) ? [resource.kind] : []
    }),
  )
  return [...new Set(kinds.flat())].sort()
}

const isWrite = /^(?:POST|PUT|PATCH|DELETE)$/
/** Requests that concern the operators themselves. */
const isOwnWork = /\/(?:leases|events)(?:\/|$)|authorization\.k8s\.io|authentication\.k8s\.io/

function writesSince({ trace }: Cluster, fromMs: number): number {
  return trace.filter(
    ({ timeMs, user, method, path, code }) =>
      timeMs >= fromMs &&
      user === operatorUser &&
      isWrite.test(method) &&
      code < 300 &&
      !isOwnWork.test(path),
  ).length
}
