import { type Cluster, type ClusterSnapshot, createCluster } from '@setpoint/cluster'
import { type AnyOperator, type AnyResourceDefinition, start } from 'setpoint'
import { connectionFromKubeconfig } from 'setpoint/client'
import { type VirtualHost, virtualHost } from 'setpoint/host'
import { CustomResourceDefinition } from 'setpoint/kinds'

/** What is measured: an operator, its resource and an object of it. */
export interface Subject {
  readonly name: string
  readonly operator: AnyOperator
  readonly definition: AnyResourceDefinition
  readonly spec: Readonly<Record<string, unknown>>
  /** The spec after a step of a user. */
  readonly changed: Readonly<Record<string, unknown>>
}

/** The state from which plans start. */
interface Checkpoint {
  readonly cluster: ClusterSnapshot
  readonly timeMs: number
}

interface World extends AsyncDisposable {
  readonly host: VirtualHost
  readonly cluster: Cluster
}

const name = 'measured'
const user = 'operator'
const windowMs = 90_000

/** Opens a cluster in virtual time, from a checkpoint or a fresh one. */
export async function openWorld(seed: string, from?: Checkpoint): Promise<World> {
  const host = virtualHost({ seed, startTime: from?.timeMs, trace: () => undefined })
  const cluster = await createCluster({
    host,
    users: [{ name: user, groups: ['system:masters'], token: 'simulated' }],
    leaveOut: ['events', 'endpoints', 'heartbeats'],
    ...(from === undefined ? {} : { snapshot: from.cluster }),
  })
  const dispose = async (): Promise<void> => {
    await cluster.dispose()
    host.stop()
  }
  return { host, cluster, [Symbol.asyncDispose]: dispose }
}

/** The checkpoint before the object exists, and the one after it became ready. */
export async function checkpointsOf(subject: Subject): Promise<[Checkpoint, Checkpoint]> {
  const empty = await definedCheckpoint(subject)
  return [empty, await runPlan(subject, empty, 'ready')]
}

async function definedCheckpoint({ definition }: Subject): Promise<Checkpoint> {
  await using world = await openWorld('begin')
  await world.cluster.client.create(CustomResourceDefinition, definition.crd())
  return await nextWindow(world)
}

/** One simulated run: the program starts, a user does one step, and everything becomes quiet. */
export async function runPlan(
  { operator, definition, spec, changed }: Subject,
  from: Checkpoint,
  seed: string,
): Promise<Checkpoint> {
  await using world = await openWorld(seed, from)
  const { host, cluster } = world
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig(), { context: user })
  // A simulated process logs nothing, and ends without a chance to clean up.
  const process = { ...host, log: () => undefined }
  await start([operator], { host: process, connection, webhooks: false })
  await nextWindow(world)
  const place = { namespace: 'default', name }
  const live = await cluster.client.find(definition, place)
  if (live === undefined)
    await cluster.client.create(definition, { metadata: place, spec } as never)
  else await cluster.client.replace(definition, { ...live, spec: changed })
  for (let window = 0; window < 2; window += 1) await nextWindow(world)
  return await nextWindow(world)
}

async function nextWindow({ host, cluster }: World): Promise<Checkpoint> {
  await host.sleep(windowMs)
  await host.settle()
  return { cluster: cluster.snapshot(), timeMs: host.now() }
}
