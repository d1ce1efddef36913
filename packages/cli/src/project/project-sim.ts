import { isRecord } from './optional-settings.ts'

/** What the simulator must know about the operators. */
export interface SimSettings {
  /** Resources whose objects stay when their owner is deleted: `/persistentvolumeclaims`. */
  readonly retained?: readonly string[]
  /** Resources whose objects may be deleted and created again: `apps/deployments`. */
  readonly recreated?: readonly string[]
  /** Resources that the operators write again and again. */
  readonly heartbeats?: readonly string[]
  /** Fields of the spec that change nothing in the cluster: `spec.description`. */
  readonly inert?: readonly string[]
}

const names = ['retained', 'recreated', 'heartbeats', 'inert']

/** Whether a value has the settings of the simulator. */
export function isSim(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.entries(value).every(
      ([name, list]) =>
        names.includes(name) &&
        Array.isArray(list) &&
        list.every((item) => typeof item === 'string' && item !== ''),
    )
  )
}

/** What `sim` must be. */
export const simText = `an object with ${names.join(', ')}: resources such as apps/deployments, and fields such as spec.description`
