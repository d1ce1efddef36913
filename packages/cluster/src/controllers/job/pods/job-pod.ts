import { failureAnnotations, indexKey } from '../completion-index.ts'
import { hasLimitPerIndex, trackingFinalizer, type JobObject } from '../job-rules.ts'
import { podFromTemplate, type NewPod } from '../../pods/pod-from-template.ts'
import type { PodObject } from '../../pods/pod-state.ts'

const indexVariable = 'JOB_COMPLETION_INDEX'
/** The server cuts longer prefixes, and with them the index. */
const generateNameMax = 58

/** A pod of a Job. A pod with an index replaces the pod that failed there, if there is one. */
export function jobPod(
  job: JobObject,
  index: number | undefined,
  replaced: PodObject | undefined,
): NewPod {
  const pod = podFromTemplate(job.spec.template, job.metadata.name)
  const finalizers = [...new Set([...(pod.metadata.finalizers ?? []), trackingFinalizer])]
  if (index === undefined) return { ...pod, metadata: { ...pod.metadata, finalizers } }
  const { labels, annotations } = pod.metadata
  const metadata = {
    ...pod.metadata,
    finalizers,
    generateName: generateName(job.metadata.name, index),
    labels: { ...labels, [indexKey]: String(index) },
    annotations: {
      ...annotations,
      [indexKey]: String(index),
      ...(hasLimitPerIndex(job) && failureAnnotations(job, replaced)),
    },
  }
  return { metadata, spec: withIndex(pod.spec, `${job.metadata.name}-${index}`) }
}

function generateName(name: string, index: number): string {
  const end = `-${index}-`
  return name.slice(0, generateNameMax - end.length) + end
}

function withIndex(spec: NewPod['spec'], hostname: string): NewPod['spec'] {
  const { initContainers } = spec
  return {
    ...spec,
    hostname,
    ...(initContainers && { initContainers: initContainers.map(withVariable) }),
    containers: spec.containers.map(withVariable),
  }
}

/** Sets the environment variable with the index, unless the template sets it. */
function withVariable<C extends NewPod['spec']['containers'][number]>(container: C): C {
  const env = container.env ?? []
  if (env.some(({ name }) => name === indexVariable)) return container
  const fieldPath = `metadata.labels['${indexKey}']`
  return {
    ...container,
    env: [...env, { name: indexVariable, valueFrom: { fieldRef: { fieldPath } } }],
  }
}
