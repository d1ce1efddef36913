import { isJsonObject, type JsonObject } from 'setpoint/schema'
import type { Verdict } from '../report/finding.ts'
import type { StepRun } from '../world/step-run.ts'
import { firstOf } from './expectation.ts'
import {
  generationOf,
  objectsOf,
  observedGeneration,
  saysProblem,
  saysReady,
} from '../state/subject-status.ts'

/** O6: what the status says is true when nothing changes any more. */
export function judgeStatus({ end, calm }: StepRun, subject: string): Verdict[] {
  const details = [...objectsOf(end.cluster, subject)].flatMap(([key, object]): string[] => {
    const [observed, generation] = [observedGeneration(object), generationOf(object)]
    const isOld = observed !== undefined && generation !== undefined && observed !== generation
    if (isOld && !isTerminating(object)) {
      return [`${key}: the status is about generation ${observed}, the object has ${generation}`]
    }
    if (saysReady(object) !== true) return []
    return unready(object, end.cluster.buckets).map(
      (child) => `${key} says that it is ready, but ${child}`,
    )
  })
  const refused = judgeRefusals({ end, calm }, subject)
  if (details.length === 0) return refused
  return [
    { oracle: 'O6', problem: 'the status is not true', details: firstOf(details) },
    ...refused,
  ]
}

/** O18: what the API server refuses again and again is in the status. */
function judgeRefusals({ end, calm }: Pick<StepRun, 'end' | 'calm'>, subject: string): Verdict[] {
  const refusals = calm.lastRefusals.filter((text) => !/: (409|404)$/.test(text))
  const objects = [...objectsOf(end.cluster, subject).values()]
  const isSilent = objects.length > 0 && !objects.some(saysProblem)
  if (refusals.length === 0 || !isSilent) return []
  return [
    {
      oracle: 'O18',
      problem: 'the API server refuses a write again and again, and no status says so',
      details: firstOf(refusals),
    },
  ]
}

function isTerminating({ metadata }: JsonObject): boolean {
  return isJsonObject(metadata) && metadata['deletionTimestamp'] !== undefined
}

/** The workloads that an object owns and that are not rolled out. */
function unready(
  { metadata }: JsonObject,
  buckets: StepRun['end']['cluster']['buckets'],
): string[] {
  const uid = isJsonObject(metadata) ? metadata['uid'] : undefined
  if (typeof uid !== 'string') return []
  return ['apps/deployments', 'apps/statefulsets'].flatMap((bucket) =>
    (buckets[bucket] ?? []).flatMap(({ key, text }) => {
      if (!text.includes(uid)) return []
      const problem = rolloutProblem(JSON.parse(`{${text}`) as JsonObject)
      return problem === undefined ? [] : [`${bucket} ${key} ${problem}`]
    }),
  )
}

/** Why a Deployment or StatefulSet is not rolled out. */
function rolloutProblem(object: JsonObject): string | undefined {
  const { spec, status } = object
  if (!isJsonObject(spec)) return undefined
  const wanted = typeof spec['replicas'] === 'number' ? spec['replicas'] : 1
  const known = isJsonObject(status) ? status : {}
  const ready = typeof known['readyReplicas'] === 'number' ? known['readyReplicas'] : 0
  return ready < wanted ? `has ${ready} of ${wanted} ready replicas` : undefined
}
