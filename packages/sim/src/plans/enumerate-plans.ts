import { isJsonObject, type JsonValue } from 'setpoint/schema'
import { isRefused, otherChanges, type RecordedWrite } from '../world/recording.ts'
import type { StepRun } from '../world/step-run.ts'
import { type Fault, makesStale, type Plan } from './plan.ts'
import { repeatedSteps } from './repeated-steps.ts'

/** How long a view is stale: longer than the program's own timeouts for writes. */
const holdMs = 60_000
const travelMs = 20_000
/** Longer than others need to react. */
const downMs = 120_000
const slowMs = 30_000
/** Longer than the duration of a Lease. */
const pauseMs = 60_000

/** What is known of a workload without faults when plans for one of its steps are made. */
interface PlanSource {
  readonly runs: readonly StepRun[]
  readonly subject: string
  /** Whether the program elects a leader among its replicas. */
  readonly isReplicated: boolean
  /** Whether more old views are tried, which takes much longer. */
  readonly isThorough: boolean
}

/** A plan with its place in the order of trials: lower is earlier. */
interface RankedPlan {
  readonly plan: Plan
  readonly rank: number
}

/** All single faults of a workload, where they can matter; the most destructive ones first. */
export function plansOf(source: PlanSource): Plan[] {
  const sites = new Set<string>()
  const repeated = repeatedSteps(source.runs)
  const ranked = source.runs.flatMap((run, step) => [
    ...run.writes.flatMap((write, index) =>
      writeFaults(run, { write, at: index + 1, step, sites, source }).filter(
        ({ plan }) => !repeated.has(step) || makesStale(plan),
      ),
    ),
    ...views(run, step, source),
    ...(repeated.has(step) ? [] : [...callFaults(run, step), ...environment(run, step)]),
  ])
  return ranked.toSorted((left, right) => left.rank - right.rank).map(({ plan }) => plan)
}

/** A write of a step. */
interface WritePlace {
  readonly write: RecordedWrite
  readonly at: number
  readonly step: number
  /** The places of the program's code, as far as requests show them. */
  readonly sites: Set<string>
  readonly source: PlanSource
}

/** Faults around a write that changed something. */
function writeFaults(run: StepRun, { write, at, step, sites, source }: WritePlace): RankedPlan[] {
  if (isRefused(write) || write.change === undefined) return []
  // What is written again and again, by declaration, is the same each time.
  if (write.timeMs > run.calm.sinceMs) return []
  const rank = riskOf(write, source.subject)
  const one = (fault: Fault, later = 0): RankedPlan => ({
    plan: { step, faults: [fault] },
    rank: rank + later,
  })
  const site = `${write.verb} ${write.bucket} ${write.subresource} ${write.line ?? ''}`
  const isNew = (name: string): boolean => !sites.has(name) && sites.add(name).has(name)
  const isNewSite = isNew(site)
  const isNewInStep = isNew(`${site} ${run.steps[0]?.do ?? ''}`)
  const reactions = reactionsOf(run, write).join(' ')
  const others = run.writes.filter((other) => other !== write && other.change !== undefined)
  const isFirstOfResource = !others.some(
    ({ bucket, number }) => bucket === write.bucket && number < write.number,
  )
  // A write that comes late matters only if another one to the same object has come before it.
  const isOverwritten = others.some(
    ({ change, number }) =>
      number > write.number && change?.current.key === write.change?.current.key,
  )
  return [
    one({ type: 'crash-after', write: at }),
    one({ type: 'lose-answer', write: at }),
    // Meanwhile others react to what is there already.
    ...(reactions !== '' && isNew(`${site} ${reactions}`)
      ? [one({ type: 'crash-long', write: at, downMs }, 1)]
      : []),
    // A crash before a later write is the same as one after the write before it.
    ...(at === 1 ? [one({ type: 'crash-before', write: 1 })] : []),
    ...(isOverwritten ? [one({ type: 'crash-late', write: at }, 3)] : []),
    // The view of a resource stays old for all later writes, too.
    ...(isFirstOfResource && !isFirstChange(run, write)
      ? [one({ type: 'lag', write: at, forMs: holdMs }, 1)]
      : []),
    ...(write.name === '' || !isNewSite ? [] : [one({ type: 'conflict', write: at }, 3)]),
    ...(isNewInStep && step + 1 < source.runs.length
      ? [one({ type: 'next-step', write: at }, 2)]
      : []),
    ...(isNewSite ? [one({ type: 'error', write: at, code: 500 }, 3)] : []),
    ...(source.isReplicated && isNewSite
      ? [one({ type: 'pause', write: at, forMs: pauseMs }, 3)]
      : []),
  ]
}

/** Then an old view since this write is the same as one since the step began, which is tried too. */
function isFirstChange({ changes }: StepRun, { bucket, change }: RecordedWrite): boolean {
  return changes.find((one) => one.bucket === bucket) === change
}

/** Deletions first, then creations; what the program writes to its own objects comes last. */
function riskOf({ verb, bucket }: RecordedWrite, subject: string): number {
  if (verb.startsWith('delete')) return 0
  return verb === 'create' ? 2 : bucket === subject ? 4 : 3
}

/** Old views: of one resource, of all, after a restart, and gaps. */
function views(run: StepRun, step: number, source: PlanSource): RankedPlan[] {
  const { runs, subject, isThorough } = source
  const watched = staleResources(run)
  const left = runs.length - step
  const changed = new Set(run.changes.map(({ bucket }) => bucket))
  const holds = watched
    .filter((resource) => changed.has(resource))
    .map((resource): RankedPlan => ({
      plan: { step, faults: [{ type: 'hold', resource, forMs: holdMs }] },
      rank: 2,
    }))
  const gaps = [1, 2].flatMap((steps): RankedPlan[] => {
    if (steps > left || (steps > 1 && !areRelated(run, runs[step + 1]))) return []
    const relist: Fault = { type: 'relist', steps }
    const absent: Fault = { type: 'absent', steps }
    return [absent, ...(watched.length > 0 ? [relist] : [])].map((fault) => ({
      plan: { step, faults: [fault] },
      rank: 4,
    }))
  })
  return [...holds, ...gaps, ...travels(run, step, { watched, left, subject, isThorough })]
}

/**
 * Whether the state between two steps can matter to a program that does not see it: the steps are
 * about one field, or about the whole object.
 */
function areRelated({ steps: [one] }: StepRun, next: StepRun | undefined): boolean {
  const other = next?.steps[0]
  return one?.do !== 'set' || other?.do !== 'set' || one.field === other.field
}

/**
 * Restarts at an API server that is behind. The old state is the one before the step, or one in
 * which an object is terminating: it exists only during the step.
 */
function travels(
  run: StepRun,
  step: number,
  { watched, left, subject, isThorough }: TravelSource,
): RankedPlan[] {
  const moments = [{ change: 0, bucket: '' }, ...terminating(run, watched)]
  return moments.flatMap(({ change, bucket }) => {
    // A state that was left long ago is unlikely to come back.
    const stepsMax = Math.min(left, isThorough || change > 0 ? 3 : 2)
    // Caches of different resources may be at different revisions.
    const usual = change > 0 ? [...new Set([subject, bucket])] : []
    const single = isThorough ? watched : usual
    const views = [undefined, ...(watched.length > 1 ? single : [])]
    return Array.from({ length: stepsMax }, (_, index) => index + 1).flatMap((steps) =>
      views.map((resource): RankedPlan => {
        const view = resource === undefined ? {} : { resource }
        const fault: Fault = { type: 'travel', change, steps, forMs: travelMs, ...view }
        const rank = (change > 0 ? 1 : 2) + (resource === undefined ? 0 : 2) + steps / 10
        return { plan: { step, faults: [fault] }, rank }
      }),
    )
  })
}

interface TravelSource {
  readonly watched: readonly string[]
  /** How many steps follow, with this one. */
  readonly left: number
  readonly subject: string
  readonly isThorough: boolean
}

/** A moment in a step: after its first changes. */
interface Moment {
  readonly change: number
  /** The resource that was changed. */
  readonly bucket: string
}

/**
 * The changes after which an object of a watched resource is newly terminating, from 1. Of each
 * resource the first and the last one count: in between there are only more of the same.
 */
function terminating({ changes: all }: StepRun, watched: readonly string[]): Moment[] {
  const moments = all.flatMap(({ bucket, type, current, previous }, index): Moment[] => {
    const isIt =
      type === 'changed' &&
      watched.includes(bucket) &&
      isTerminating(current.text) &&
      previous !== undefined &&
      !isTerminating(previous.text)
    return isIt ? [{ change: index + 1, bucket }] : []
  })
  return moments.filter((moment) => {
    const same = moments.filter(({ bucket }) => bucket === moment.bucket)
    return moment === same[0] || moment === same.at(-1)
  })
}

function isTerminating(text: string): boolean {
  if (!text.includes('"deletionTimestamp"')) return false
  const { metadata } = JSON.parse(`{${text}`) as Readonly<Record<string, JsonValue>>
  return isJsonObject(metadata) && metadata['deletionTimestamp'] !== undefined
}

/** The resources whose state the program reads in a way that may be behind. */
function staleResources({ reads }: StepRun): string[] {
  const found = [...reads.keys()].flatMap((read) => {
    const [, bucket = '', mode] = read.split(' ')
    return mode === 'stale' && !bucket.startsWith('coordination.k8s.io/') ? [bucket] : []
  })
  return [...new Set(found)].sort()
}

/** Faults of external systems, around calls that changed something. */
function callFaults({ calls }: StepRun, step: number): RankedPlan[] {
  const faults = calls.flatMap((call, index): Fault[] => {
    const at = index + 1
    const failed: Fault = { type: 'call-failed', call: at }
    if (!call.isEffective) return index === 0 ? [failed] : []
    const lost: Fault = { type: 'call-lost', call: at }
    // Programs that give up on other refusals have to repeat this one.
    const isFirst = calls.findIndex(({ isEffective }) => isEffective) === index
    const limited: Fault[] = isFirst ? [{ type: 'call-limited', call: at }] : []
    const repeated: Fault = { type: 'call-repeated', call: at }
    return [lost, failed, ...limited, repeated, { type: 'call-late', call: at }]
  })
  const stale: Fault[] = calls.length === 0 ? [] : [{ type: 'stale-calls', forMs: holdMs }]
  return [...faults, ...stale].map((fault) => ({ plan: { step, faults: [fault] }, rank: 1 }))
}

/** Other controllers, and the order of lists. */
function environment(run: StepRun, step: number): RankedPlan[] {
  const lists = [...run.reads.keys()].some((text) => {
    const [verb, bucket = ''] = text.split(' ')
    return verb === 'list' && (run.end.cluster.buckets[bucket]?.length ?? 0) > 1
  })
  const faults: Fault[] = [
    ...(reactionsOf(run).length > 0 ? [{ type: 'slow-controllers', byMs: slowMs } as const] : []),
    ...(lists ? [{ type: 'reversed-lists' } as const] : []),
  ]
  return faults.map((fault) => ({ plan: { step, faults: [fault] }, rank: 5 }))
}

/** What others change of what the program reads, after a write or at any time: each kind once. */
function reactionsOf(run: StepRun, after?: RecordedWrite): string[] {
  const since = after?.change?.revision ?? 0
  const found = [...otherChanges(run)].filter(({ revision }) => revision > since)
  return [...new Set(found.map(({ type, bucket }) => `${type} ${bucket}`))].sort()
}
