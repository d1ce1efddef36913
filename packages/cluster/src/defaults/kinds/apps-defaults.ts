import type {
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
  StatefulSetSpec,
} from 'setpoint/kinds'
import { inPackage, typed, type TypeDefaults } from '../type-defaults.ts'

const revisionHistoryLimit = 10

function fillDeployment({ spec }: Deployment): void {
  spec.replicas ??= 1
  const strategy = (spec.strategy ??= {})
  strategy.type ??= 'RollingUpdate'
  if (strategy.type === 'RollingUpdate') {
    const rollingUpdate = (strategy.rollingUpdate ??= {})
    rollingUpdate.maxUnavailable ??= '25%'
    rollingUpdate.maxSurge ??= '25%'
  }
  spec.revisionHistoryLimit ??= revisionHistoryLimit
  spec.progressDeadlineSeconds ??= 600
}

function fillDaemonSet({ spec }: DaemonSet): void {
  const strategy = (spec.updateStrategy ??= {})
  strategy.type ??= 'RollingUpdate'
  const isRolling = strategy.type === 'RollingUpdate'
  if (isRolling) strategy.rollingUpdate ??= {}
  if (strategy.rollingUpdate !== undefined) {
    // The internal version always has both numbers, even where they have no effect.
    strategy.rollingUpdate.maxUnavailable ??= isRolling ? 1 : 0
    strategy.rollingUpdate.maxSurge ??= 0
  }
  spec.revisionHistoryLimit ??= revisionHistoryLimit
}

function fillStatefulSet({ spec }: StatefulSet): void {
  spec.podManagementPolicy ??= 'OrderedReady'
  fillStatefulSetStrategy(spec)
  const retention = (spec.persistentVolumeClaimRetentionPolicy ??= {})
  retention.whenDeleted ??= 'Retain'
  retention.whenScaled ??= 'Retain'
  spec.replicas ??= 1
  spec.revisionHistoryLimit ??= revisionHistoryLimit
  for (const claim of spec.volumeClaimTemplates ?? []) {
    Object.assign(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim' })
  }
}

function fillStatefulSetStrategy(spec: StatefulSetSpec): void {
  const strategy = (spec.updateStrategy ??= {})
  if (strategy.type === undefined) {
    strategy.type = 'RollingUpdate'
    strategy.rollingUpdate ??= {}
  }
  if (strategy.type !== 'RollingUpdate' || strategy.rollingUpdate === undefined) return
  strategy.rollingUpdate.partition ??= 0
}

/** The apps group. */
export const appsDefaults: TypeDefaults = inPackage('k8s.io.api.apps.v1', {
  Deployment: typed<Deployment>(fillDeployment),
  DaemonSet: typed<DaemonSet>(fillDaemonSet),
  StatefulSet: typed<StatefulSet>(fillStatefulSet),
  ReplicaSet: typed<ReplicaSet>(({ spec }) => {
    spec.replicas ??= 1
  }),
})
