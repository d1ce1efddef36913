import type { Frozen } from 'setpoint'
import type { PersistentVolumeClaim, StatefulSet } from 'setpoint/kinds'
import { podFromTemplate, type NewPod } from '../pods/pod-from-template.ts'
import type { PodObject } from '../pods/pod-state.ts'

export type StatefulSetObject = Frozen<StatefulSet>

/** The label with the name of the revision that a pod was created from. */
export const revisionLabel = 'controller-revision-hash'
const podNameLabel = 'statefulset.kubernetes.io/pod-name'
const podIndexLabel = 'apps.kubernetes.io/pod-index'
const ordinalMax = 2 ** 31 - 1

/** The number at the end of a pod's name; `undefined` if the name does not belong to the set. */
export function ordinalOf(set: StatefulSetObject, podName: string): number | undefined {
  const [, parent, digits] = /^(.*)-([0-9]+)$/.exec(podName) ?? []
  const ordinal = Number(digits)
  return parent === set.metadata.name && ordinal <= ordinalMax ? ordinal : undefined
}

/** The desired ordinals: the first, and the one after the last. */
export function ordinalRange({ spec }: StatefulSetObject): { first: number; end: number } {
  const first = spec.ordinals?.start ?? 0
  return { first, end: first + (spec.replicas ?? 1) }
}

export function podNameOf({ metadata }: StatefulSetObject, ordinal: number): string {
  return `${metadata.name}-${ordinal}`
}

export function statefulPod(set: StatefulSetObject, ordinal: number, revision: string): NewPod {
  const name = podNameOf(set, ordinal)
  const { metadata, spec } = podFromTemplate(set.spec.template, set.metadata.name)
  const { serviceName } = set.spec
  const labels = { ...metadata.labels, ...identityLabels(set, ordinal), [revisionLabel]: revision }
  const volumes = volumesOf(set, ordinal, spec.volumes)
  return {
    metadata: { ...metadata, name, labels },
    spec: {
      ...spec,
      hostname: name,
      ...(serviceName !== undefined && serviceName !== '' && { subdomain: serviceName }),
      ...(volumes.length > 0 && { volumes }),
    },
  }
}

/** The labels with the pod's name and ordinal. */
export function identityLabels(set: StatefulSetObject, ordinal: number): Record<string, string> {
  return { [podNameLabel]: podNameOf(set, ordinal), [podIndexLabel]: String(ordinal) }
}

/** Whether a pod has the label with its own name. */
export function hasIdentity({ metadata }: PodObject): boolean {
  return metadata.labels?.[podNameLabel] === metadata.name
}

type Volumes = NonNullable<NewPod['spec']['volumes']>

/** The volumes of a pod: one for each claim, and the other volumes of the template. */
export function volumesOf(set: StatefulSetObject, ordinal: number, given: Volumes = []): Volumes {
  const claimed = claimsOf(set, ordinal).map(({ template, claim }) => ({
    name: template,
    persistentVolumeClaim: { claimName: claim.metadata.name },
  }))
  const names = new Set(claimed.map(({ name }) => name))
  return [...claimed, ...given.filter(({ name }) => !names.has(name))]
}

/** Whether a pod mounts its claims. */
export function hasStorage(set: StatefulSetObject, ordinal: number, { spec }: PodObject): boolean {
  return claimsOf(set, ordinal).every(({ template, claim }) =>
    spec.volumes?.some(
      ({ name, persistentVolumeClaim }) =>
        name === template && persistentVolumeClaim?.claimName === claim.metadata.name,
    ),
  )
}

export interface NewClaim {
  readonly metadata: {
    readonly name: string
    readonly namespace: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec: Frozen<PersistentVolumeClaim>['spec']
}

/** The claims of an ordinal, with the names of their templates. */
export function claimsOf(
  set: StatefulSetObject,
  ordinal: number,
): { readonly template: string; readonly claim: NewClaim }[] {
  return (set.spec.volumeClaimTemplates ?? []).map(({ metadata, spec }) => {
    const template = metadata.name ?? ''
    const labels = { ...metadata.labels, ...set.spec.selector.matchLabels }
    const { annotations } = metadata
    return {
      template,
      claim: {
        metadata: {
          name: `${template}-${podNameOf(set, ordinal)}`,
          namespace: set.metadata.namespace,
          ...(Object.keys(labels).length > 0 && { labels }),
          ...(annotations && { annotations }),
        },
        // A stored quantity is text.
        spec: (spec ?? {}) as NewClaim['spec'],
      },
    }
  })
}
