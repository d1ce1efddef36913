import type { JsonObject } from 'setpoint/schema'
import { isTerminating, metadataOf, type ResourceQuantities } from '../object/index.ts'
import type { AdmissionAttributes } from './admission.ts'
import type { ClusterReader } from './cluster-reader.ts'
import { amountProblems, type LimitRangeItem } from './limit-range-problems.ts'
import { isAbout, refusal, type Plugin } from './plugin.ts'
import { podResources } from './pods/pod-level-resources.ts'

/** The fields of a container that limit ranges apply to. */
interface LimitedContainer {
  name?: string
  restartPolicy?: string
  resources?: { requests?: ResourceQuantities; limits?: ResourceQuantities }
}

/** The fields of a pod that limit ranges apply to. */
interface LimitedPod extends Pick<LimitedContainer, 'resources'> {
  containers?: LimitedContainer[] | null
  initContainers?: LimitedContainer[] | null
}

interface LimitRange {
  readonly spec?: { readonly limits?: readonly LimitRangeItem[] | null }
}

const annotation = 'kubernetes.io/limit-ranger'

/** Enforces the limit ranges of a namespace for pods and claims, and sets defaults of pods. */
export function limitRanger(cluster: ClusterReader): Plugin {
  function* rangesFor(attributes: AdmissionAttributes): Generator<readonly LimitRangeItem[]> {
    const { operation, old, namespace } = attributes
    if (operation === 'DELETE' || !isLimited(attributes)) return
    if (old !== undefined && isTerminating(old)) return
    for (const found of cluster.list('/limitranges', `${namespace}/`)) {
      yield (found as unknown as LimitRange).spec?.limits ?? []
    }
  }
  return {
    name: 'LimitRanger',
    mutate(attributes) {
      if (attributes.resource.plural !== 'pods') return
      for (const items of rangesFor(attributes)) fillPod(attributes.object, items)
    },
    validate(attributes) {
      const { object, resource } = attributes
      for (const items of rangesFor(attributes)) {
        const problems =
          resource.plural === 'pods' ? podProblems(object, items) : claimProblems(object, items)
        if (problems.length > 0) throw refusal(attributes, aggregate(problems))
      }
    },
  }
}

/** The resources of a pod change after its creation only by a resize. */
function isLimited(attributes: AdmissionAttributes): boolean {
  const { resource, subresource, operation } = attributes
  if (isAbout(attributes, '', 'persistentvolumeclaims')) return true
  if (resource.group !== '' || resource.plural !== 'pods') return false
  return operation === 'UPDATE' ? subresource === 'resize' : subresource === ''
}

/** Several violations in one message, without duplicates. */
function aggregate(problems: readonly string[]): string {
  const texts = [...new Set(problems)]
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`
}

function podOf(object: JsonObject): LimitedPod {
  return (object['spec'] ?? {}) as unknown as LimitedPod
}

function fillPod(object: JsonObject, items: readonly LimitRangeItem[]): void {
  const ofContainers = items.filter(({ type }) => type === 'Container')
  const limits = Object.assign(
    {},
    ...ofContainers.map((item) => item.default),
  ) as ResourceQuantities
  const requests = Object.assign(
    {},
    ...ofContainers.map((item) => item.defaultRequest),
  ) as ResourceQuantities
  const { containers, initContainers } = podOf(object)
  const notes = [
    ...(containers ?? []).flatMap((one) => fillContainer(one, { limits, requests }, 'container')),
    ...(initContainers ?? []).flatMap((one) =>
      fillContainer(one, { limits, requests }, 'init container'),
    ),
  ]
  if (notes.length === 0) return
  const metadata = metadataOf(object)
  const text = `LimitRanger plugin set: ${notes.join('; ')}`
  metadata.annotations = { ...metadata.annotations, [annotation]: text }
}

/** Returns what was set, as text for the annotation. */
function fillContainer(
  container: LimitedContainer,
  defaults: { readonly limits: ResourceQuantities; readonly requests: ResourceQuantities },
  what: string,
): string[] {
  const resources = (container.resources ??= {})
  return (['requests', 'limits'] as const).flatMap((key) => {
    const missing = Object.keys(defaults[key])
      .filter((name) => !Object.hasOwn(resources[key] ?? {}, name))
      .sort()
    if (missing.length === 0) return []
    resources[key] = { ...defaults[key], ...resources[key] }
    return [`${missing.join(', ')} ${key.slice(0, -1)} for ${what} ${container.name ?? ''}`]
  })
}

function podProblems(object: JsonObject, items: readonly LimitRangeItem[]): string[] {
  const pod = podOf(object)
  return items.flatMap((item) => {
    if (item.type === 'Container') {
      return [...(pod.containers ?? []), ...(pod.initContainers ?? [])].flatMap(
        ({ resources = {} }) => amountProblems(item, resources),
      )
    }
    if (item.type !== 'Pod') return []
    const requests = podResources(pod, 'requests')
    return amountProblems(item, { requests, limits: podResources(pod, 'limits') })
  })
}

/** Claims have only requests, which are compared with min and max. */
function claimProblems(object: JsonObject, items: readonly LimitRangeItem[]): string[] {
  const { resources = {} } = (object['spec'] ?? {}) as unknown as {
    resources?: { requests?: ResourceQuantities }
  }
  const requests = resources.requests ?? {}
  return items
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap((item) => amountProblems(item, { requests }))
}
