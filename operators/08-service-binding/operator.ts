import { operator } from 'setpoint'
import { bind, unbind } from './bind.ts'
import { ClusterWorkloadResourceMapping, problemsOf } from './mapping.ts'
import { ServiceBinding } from './service-binding.ts'

/**
 * Projects the Secrets of services into workloads. Services and workloads may have any kind: the
 * ClusterRoles with this label say which kinds the operator may read and write.
 */
const bindings = operator(ServiceBinding)
  .dynamicKinds({ roles: { 'servicebinding.io/controller': 'true' } })
  .index('byGroup', ({ metadata: { namespace, name }, spec }) => [
    [groupOf(spec.workload.apiVersion), `${namespace}/${name}`],
  ])
  .watch(ClusterWorkloadResourceMapping, ({ metadata: { name } }, view) =>
    view.index('byGroup').get(name.split('.').slice(1).join('.')),
  )
  .reconcile(bind)
  .onDelete(unbind)

/** Refuses mappings that cannot be used. */
const mappings = operator(ClusterWorkloadResourceMapping).validate(problemsOf)

function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : ''
}

export default [bindings, mappings]
