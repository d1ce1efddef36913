import { operator, when } from 'setpoint'
import { Job, Pod, PodDisruptionBudget, Secret, Service, StatefulSet } from 'setpoint/kinds'
import { credentials, planUsers, provisionJob, type UserPlan } from './access.ts'
import { hostOf, namesOf, ports, schemeOf, tenantLabel } from './names.ts'
import { disruptionBudget, isCurrent, services, statefulSet } from './servers.ts'
import { type Storage, Tenant } from './tenant.ts'

type Get = (kind: typeof StatefulSet, name: string) => StatefulSetOrNone
type StatefulSetOrNone = Parameters<typeof isCurrent>[1]

/** True when all servers run with the arguments of now, else what is missing. */
function serversReady(tenant: Storage, get: Get): true | string {
  for (const { name } of tenant.spec.pools) {
    const set = get(StatefulSet, namesOf(tenant).statefulSet(name))
    if (!isCurrent(tenant, set)) return `the pool ${name} is not updated yet`
    if (!StatefulSet.isRolledOut(set)) return `the pool ${name}: ${StatefulSet.progress(set)}`
  }
  return true
}

/** Runs MinIO servers in pools, and provisions buckets and users. */
export default operator(Tenant)
  .watch(Pod, ({ metadata: { namespace, labels } }) => [`${namespace}/${labels?.[tenantLabel]}`], {
    labelSelector: tenantLabel,
  })
  .writes(Pod)
  .child('root', Secret, { createOnly: true }, (tenant, random) =>
    tenant.spec.credentials === undefined
      ? credentials(namesOf(tenant).credentials, 'root', random)
      : null,
  )
  .children('user', Secret, { createOnly: true }, (tenant, random) =>
    Object.fromEntries(
      tenant.spec.users
        .filter(({ secretName }) => secretName === undefined)
        .map((user) => [user.name, credentials(namesOf(tenant).user(user), user.name, random)]),
    ),
  )
  .children('service', Service, services)
  .children('pool', StatefulSet, (tenant) =>
    Object.fromEntries(tenant.spec.pools.map((pool) => [pool.name, statefulSet(tenant, pool)])),
  )
  .child('budget', PodDisruptionBudget, disruptionBudget)
  // Servers with different arguments refuse each other, so all of them restart together.
  .runbook('roll', { on: { changed: ['spec.pools', 'spec.image', 'spec.tls'] } }, ({ step }) => [
    step('prepare', {
      until: (tenant, { get }) =>
        tenant.spec.pools.every(({ name }) => {
          const set = get(StatefulSet, namesOf(tenant).statefulSet(name))
          const observed = set?.status?.observedGeneration ?? 0
          return isCurrent(tenant, set) && observed >= (set?.metadata.generation ?? 0)
        }),
    }),
    step('restart', async (tenant, { get, list, delete: remove }) => {
      const { name, namespace } = tenant.metadata
      const revisions = tenant.spec.pools.map(
        (pool) => get(StatefulSet, namesOf(tenant).statefulSet(pool.name))?.status?.updateRevision,
      )
      const pods = list(Pod, { namespace, labels: { [tenantLabel]: name } })
      const old = pods.filter(
        ({ metadata: { labels } }) => !revisions.includes(labels?.['controller-revision-hash']),
      )
      await Promise.all(old.map(async (pod) => remove(Pod, pod, { evenIfChanged: true })))
      return { restarted: old.length }
    }),
    step('verify', { until: (tenant, { get }) => serversReady(tenant, get), timeout: '15m' }),
  ])
  .runbook(
    'provision',
    { on: ['create', { changed: ['spec.buckets', 'spec.policies', 'spec.users'] }] },
    ({ step }) => [
      step('servers', { until: (tenant, { get }) => serversReady(tenant, get) }),
      // Users are in the status before they are in MinIO, so that no user is forgotten there.
      step('announce', async (tenant, { updateStatus }) => {
        const plan = planUsers(tenant)
        await updateStatus((status) => ({ ...status, users: [...plan.keep, ...plan.remove] }))
        return plan
      }),
      step('apply', Job, (tenant, { results, get }) => {
        const address = get(Service, namesOf(tenant).s3)?.spec.clusterIP ?? ''
        return provisionJob(tenant, results['announce'] as UserPlan, address)
      }),
      step('record', async (_, { results, updateStatus }) => {
        const { keep } = results['announce'] as UserPlan
        await updateStatus((status) => ({ ...status, users: [...keep] }))
      }),
    ],
  )
  .status((tenant, { pool }) => {
    const servers = tenant.spec.pools.reduce((sum, { servers: count }) => sum + count, 0)
    const ready = Object.values(pool).reduce(
      (sum, set) => sum + (set?.status?.readyReplicas ?? 0),
      0,
    )
    const { state, message = 'not started' } = tenant.status?.runbooks?.provision ?? {}
    return {
      endpoint: `${schemeOf(tenant)}://${hostOf(tenant)}:${ports.s3}`,
      servers: `${ready}/${servers}`,
      users: tenant.status?.users,
      conditions: {
        Provisioned: when(state === 'Complete', 'Provisioned', {
          message,
          otherwise: state === 'Failed' ? 'ProvisioningFailed' : 'Provisioning',
        }),
      },
    }
  })
