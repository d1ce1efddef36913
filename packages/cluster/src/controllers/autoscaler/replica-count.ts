import { isTerminating } from '../../object/index.ts'
import { isReady, readyChangedMs, type PodObject } from '../pods/pod-state.ts'
import { MetricError } from './metric-values.ts'

/** How far usage may be from its target without scaling, by direction. */
export interface Tolerances {
  readonly up: number
  readonly down: number
}

/** The usage of pods, in thousandths, by name. */
export type PodUsage = ReadonlyMap<string, number>

/** The usage of pods, and the values it is compared with. */
interface PodSample {
  readonly pods: readonly PodObject[]
  readonly usage: PodUsage
  readonly current: number
  readonly tolerances: Tolerances
  /** For CPU, pods that have just started are ignored, because starting uses more CPU. */
  readonly isCpu: boolean
  readonly nowMs: number
  /** The ratio of usage to its target. */
  readonly ratioOf: (usage: PodUsage) => number
  /** The assumed maximum usage of a pod without a measurement. */
  readonly atMost: (pod: string) => number
}

const startupMs = 300_000
const readinessDelayMs = 30_000
/** The length of a measurement. */
const windowMs = 15_000

/**
 * The replicas that bring usage to its target; the current replicas if it is within the tolerance.
 */
export function replicasForPods(sample: PodSample): { replicas: number; usage: PodUsage } {
  const { pods, current, ratioOf, tolerances, atMost } = sample
  if (pods.length === 0) throw new MetricError(noPods)
  const { counted, unready, missing, usage } = groups(sample)
  if (usage.size === 0) {
    throw new MetricError('did not receive metrics for targeted pods (pods might be unready)')
  }
  const ratio = ratioOf(usage)
  const growsUnready = unready.length > 0 && ratio > 1
  if (!growsUnready && missing.length === 0) {
    const replicas = isWithin(tolerances, ratio) ? current : Math.ceil(ratio * counted)
    return { replicas, usage }
  }
  // Pods without a measurement must not cause a change, so the assumed usage counts against it.
  const assumed = new Map(usage)
  if (ratio < 1) for (const name of missing) assumed.set(name, atMost(name))
  if (ratio > 1) for (const name of missing) assumed.set(name, 0)
  if (growsUnready) for (const name of unready) assumed.set(name, 0)
  const newRatio = ratioOf(assumed)
  const turns = (ratio < 1 && newRatio > 1) || (ratio > 1 && newRatio < 1)
  if (isWithin(tolerances, newRatio) || turns) return { replicas: current, usage }
  const replicas = Math.ceil(newRatio * assumed.size)
  const isAgainst = (newRatio < 1 && replicas > current) || (newRatio > 1 && replicas < current)
  return { replicas: isAgainst ? current : replicas, usage }
}

/** The replicas for a ratio of usage to target of a metric that is not measured per pod. */
export function replicasForRatio(
  ratio: number,
  { pods, current, tolerances }: Pick<PodSample, 'pods' | 'current' | 'tolerances'>,
): number {
  if (current === 0) return Math.ceil(ratio)
  if (isWithin(tolerances, ratio)) return current
  if (pods.length === 0) throw new MetricError(`unable to calculate ready pods: ${noPods}`)
  const ready = pods.filter((pod) => pod.status?.phase === 'Running' && isReady(pod)).length
  return Math.min(maxInt32, Math.ceil(ratio * ready))
}

/** The replicas for a total that is divided among the replicas. */
export function replicasForShare(
  { total, share }: { readonly total: number; readonly share: number },
  { current, tolerances }: Pick<PodSample, 'current' | 'tolerances'>,
): number {
  if (isWithin(tolerances, total / (share * current))) return current
  return Math.min(maxInt32, Math.ceil(total / share))
}

const maxInt32 = 2 ** 31 - 1
const noPods = 'no pods returned by selector while calculating replica count'

function isWithin({ up, down }: Tolerances, ratio: number): boolean {
  return 1 - down <= ratio && ratio <= 1 + up
}

interface Groups {
  readonly counted: number
  readonly unready: readonly string[]
  readonly missing: readonly string[]
  readonly usage: PodUsage
}

/**
 * Sorts pods into counted pods, unready pods and pods without a measurement. Terminating and failed
 * pods are ignored.
 */
function groups({ pods, usage, isCpu, nowMs }: PodSample): Groups {
  const [unready, missing]: [string[], string[]] = [[], []]
  const left = new Map(usage)
  let counted = 0
  for (const pod of pods) {
    const { name } = pod.metadata
    const phase = pod.status?.phase
    if (isTerminating(pod) || phase === 'Failed') left.delete(name)
    else if (phase === 'Pending') unready.push(name)
    else if (!usage.has(name)) missing.push(name)
    else if (isCpu && isStarting(pod, nowMs)) unready.push(name)
    else counted += 1
  }
  for (const name of unready) left.delete(name)
  return { counted, unready, missing, usage: left }
}

function isStarting(pod: PodObject, nowMs: number): boolean {
  const changedMs = readyChangedMs(pod)
  const { startTime } = pod.status ?? {}
  if (changedMs === undefined || typeof startTime !== 'string') return true
  const startMs = Date.parse(startTime)
  const isFalse = !isReady(pod)
  if (startMs + startupMs > nowMs) return isFalse || nowMs < changedMs + windowMs
  return isFalse && startMs + readinessDelayMs > changedMs
}
