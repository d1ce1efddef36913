import type { JsonObject } from 'setpoint/schema'
import { parseQuantity } from '../../codec/index.ts'
import { unexpectedError } from '../../status/index.ts'
import type { AdmissionAttributes } from '../admission.ts'
import type { ClusterReader } from '../cluster-reader.ts'
import { isAbout, lookupProblem, refusal, type Plugin } from '../plugin.ts'
import type { ResourceQuantities } from '../../object/index.ts'
import { mergeTolerations, type Toleration } from './merge-tolerations.ts'

interface PodSpec {
  runtimeClassName?: string
  overhead?: ResourceQuantities
  nodeSelector?: Record<string, string>
  tolerations?: Toleration[]
}

interface RuntimeClassObject {
  readonly overhead?: { readonly podFixed?: ResourceQuantities }
  readonly scheduling?: {
    readonly nodeSelector?: Readonly<Record<string, string>>
    readonly tolerations?: readonly Toleration[]
  }
}

const mismatch = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"

/** Sets the overhead and the scheduling constraints of a pod's runtime class. */
export function runtimeClass(cluster: ClusterReader): Plugin {
  return {
    name: 'RuntimeClass',
    mutate(attributes) {
      if (!isNewPod(attributes)) return
      const spec = specOf(attributes.object)
      const found = classOf(attributes, cluster)
      if (found?.overhead !== undefined) {
        const podFixed = found.overhead.podFixed ?? {}
        const isSet = Object.keys(spec.overhead ?? {}).length > 0
        if (isSet && !sameAmounts(podFixed, spec.overhead)) throw refusal(attributes, mismatch)
        spec.overhead = { ...podFixed }
      }
      if (found?.scheduling !== undefined) schedule(attributes, found.scheduling)
    },
    validate(attributes) {
      if (!isNewPod(attributes)) return
      const { overhead } = specOf(attributes.object)
      const found = classOf(attributes, cluster)
      if (found?.overhead !== undefined) {
        if (!sameAmounts(found.overhead.podFixed, overhead)) throw refusal(attributes, mismatch)
      } else if (overhead !== undefined) {
        throw refusal(
          attributes,
          'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
        )
      }
    },
  }
}

function isNewPod(attributes: AdmissionAttributes): boolean {
  return attributes.operation === 'CREATE' && isAbout(attributes, '', 'pods')
}

function specOf(object: JsonObject): PodSpec {
  return (object['spec'] ?? {}) as unknown as PodSpec
}

function classOf(
  attributes: AdmissionAttributes,
  cluster: ClusterReader,
): RuntimeClassObject | undefined {
  const { runtimeClassName } = specOf(attributes.object)
  if (runtimeClassName === undefined) return undefined
  const problem = lookupProblem(runtimeClassName)
  if (problem !== undefined) throw unexpectedError(problem)
  const found = cluster.get('node.k8s.io/runtimeclasses', runtimeClassName)
  if (found !== undefined) return found
  throw refusal(
    attributes,
    `pod rejected: RuntimeClass ${JSON.stringify(runtimeClassName)} not found`,
  )
}

function sameAmounts(left: ResourceQuantities = {}, right: ResourceQuantities = {}): boolean {
  const names = Object.keys(left)
  if (names.length !== Object.keys(right).length) return false
  return names.every((name) => {
    const [ours, theirs] = [left[name], Object.hasOwn(right, name) ? right[name] : undefined]
    if (ours === undefined || theirs === undefined) return false
    return parseQuantity(ours).cmp(parseQuantity(theirs)) === 0
  })
}

function schedule(
  attributes: AdmissionAttributes,
  { nodeSelector = {}, tolerations = [] }: NonNullable<RuntimeClassObject['scheduling']>,
): void {
  const spec = specOf(attributes.object)
  const own = spec.nodeSelector ?? {}
  for (const [key, value] of Object.entries(nodeSelector)) {
    const given = Object.hasOwn(own, key) ? own[key] : undefined
    if (given === undefined || given === value) continue
    throw refusal(
      attributes,
      `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${given}`,
    )
  }
  if (Object.keys(nodeSelector).length > 0) spec.nodeSelector = { ...own, ...nodeSelector }
  const merged = mergeTolerations([...(spec.tolerations ?? []), ...tolerations])
  if (merged.length > 0) spec.tolerations = merged
}
