import { forbidden } from '../../status/index.ts'
import type { AdmissionAttributes } from '../admission.ts'
import type { ClusterReader } from '../cluster-reader.ts'
import { isAbout, refusal, type Plugin } from '../plugin.ts'

interface PodSpec {
  priorityClassName?: string
  priority?: number
  preemptionPolicy?: string
}

interface PriorityClass {
  readonly metadata: { readonly name: string }
  readonly value: number
  readonly globalDefault?: boolean
  readonly preemptionPolicy?: string
}

const bucket = 'scheduling.k8s.io/priorityclasses'
const systemClasses = new Set(['system-node-critical', 'system-cluster-critical'])

/** Sets the priority of a pod from its class, and reserves the system classes. */
export function podPriority(cluster: ClusterReader): Plugin {
  return {
    name: 'Priority',
    mutate(attributes) {
      if (isAbout(attributes, 'scheduling.k8s.io', 'priorityclasses'))
        guardSystemClasses(attributes)
      if (attributes.operation === 'DELETE' || !isAbout(attributes, '', 'pods')) return
      const spec = attributes.object['spec'] as unknown as PodSpec
      if (attributes.old !== undefined) {
        keepPriority(spec, attributes.old['spec'] as unknown as PodSpec)
        return
      }
      const found = classOf(spec, cluster, attributes)
      const priority = found?.value ?? 0
      if (spec.priority !== undefined && spec.priority !== priority) {
        throw refusal(
          attributes,
          `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`,
        )
      }
      spec.priority = priority
      if (found !== undefined) spec.priorityClassName = found.metadata.name
      const policy = found?.preemptionPolicy ?? 'PreemptLowerPriority'
      if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
        throw refusal(
          attributes,
          `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
        )
      }
      spec.preemptionPolicy = policy
    },
  }
}

/** An update may omit the fields that this plugin has set. */
function keepPriority(spec: PodSpec, { priority, preemptionPolicy }: PodSpec): void {
  if (priority !== undefined) spec.priority ??= priority
  if (preemptionPolicy !== undefined) spec.preemptionPolicy ??= preemptionPolicy
}

function classOf(
  { priorityClassName = '' }: PodSpec,
  cluster: ClusterReader,
  attributes: AdmissionAttributes,
): PriorityClass | undefined {
  if (priorityClassName === '') {
    for (const candidate of cluster.list(bucket)) {
      const found = candidate as unknown as PriorityClass
      if (found.globalDefault === true) return found
    }
    return undefined
  }
  const found = cluster.get(bucket, priorityClassName)
  if (found === undefined) {
    throw refusal(attributes, `no PriorityClass with name ${priorityClassName} was found`)
  }
  return found as unknown as PriorityClass
}

function guardSystemClasses({ operation, name }: AdmissionAttributes): void {
  if (operation !== 'DELETE' || !systemClasses.has(name)) return
  throw forbidden(
    { group: 'scheduling.k8s.io', resource: 'priorityclasses' },
    name,
    'this is a system priority class and cannot be deleted',
  )
}
