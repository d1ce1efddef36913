import type { ClusterSnapshot } from '@setpoint/cluster'
import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import type { Verdict } from './report/finding.ts'
import {
  isRefused,
  otherChanges,
  type RecordedWrite,
  type Recording,
  writeText,
} from './world/recording.ts'
import { SimWorld } from './world/sim-world.ts'
import { type RunContext, type StaleWrite, type StepRun, subjectOf } from './world/step-run.ts'

/** How long a process that sees the true state has to come to the same decision. */
const decisionMs = 60_000
/** From then on, a change by others ends the decision: it is about another state. */
const sameStateMs = 4000
const stepMs = 2000
/** How many writes of one run are checked. */
const checksMax = 4

/**
 * O4: a destructive write on an old view must be right for the true state, too. The program starts
 * again on the true state right before the write: if it does not do the same, the write was wrong.
 */
export async function judgeStaleWrites(context: RunContext, run: StepRun): Promise<Verdict[]> {
  const destructive = run.staleWrites.flatMap((stale) => {
    const damage = damageOf(stale.write, subjectOf(context))
    return damage === undefined ? [] : [{ ...stale, damage }]
  })
  const details: string[] = []
  for (const stale of destructive.slice(0, checksMax)) {
    if (await isRepeated(context, run, stale)) continue
    details.push(`${writeText(stale.write)}: ${stale.damage.text}`)
  }
  if (details.length === 0) return []
  return [
    {
      oracle: 'O4',
      problem: 'the program acts on an old state: with the true one it does not do this',
      details,
    },
  ]
}

/** What a destructive write destroys. */
interface Damage {
  readonly text: string
  /** Whether the object is in the state that the write made, or gone. */
  readonly isDone: (object: JsonObject | undefined) => boolean
}

/** The damage of a write; `undefined` if it destroys nothing. */
function damageOf(write: RecordedWrite, subject: string): Damage | undefined {
  const { change, bucket, verb } = write
  if (change === undefined || isRefused(write) || bucket === subject) return undefined
  const { previous, current } = change
  const before = previous && (JSON.parse(`{${previous.text}`) as JsonObject)
  const after = JSON.parse(`{${current.text}`) as JsonObject
  if (verb === 'delete' || verb === 'deletecollection') {
    const uid = metadataField(after, 'uid')
    return {
      text: 'the object is deleted',
      isDone: (object) =>
        object === undefined ||
        metadataField(object, 'uid') !== uid ||
        metadataField(object, 'deletionTimestamp') !== undefined,
    }
  }
  if (before === undefined || write.subresource === 'status') return undefined
  const [wanted, now] = [numberAt(before, 'replicas'), numberAt(after, 'replicas')]
  if (wanted !== undefined && now !== undefined && now < wanted) {
    return {
      text: `spec.replicas goes from ${wanted} to ${now}`,
      isDone: (object) => object === undefined || (numberAt(object, 'replicas') ?? 0) <= now,
    }
  }
  return undefined
}

/** Whether a new process does the same on the true state. */
async function isRepeated(
  context: RunContext,
  run: StepRun,
  { write, before, timeMs, damage }: StaleWrite & { readonly damage: Damage },
): Promise<boolean> {
  const key = write.change?.current.key ?? write.key
  const from = { cluster: before, timeMs, externals: run.end.externals }
  await using world = await SimWorld.open({
    ...context,
    seed: `${context.seed}/decision/${write.number}`,
    from,
  })
  world.start()
  let known = 0
  for (let waitedMs = stepMs; waitedMs <= decisionMs; waitedMs += stepMs) {
    await world.host.sleep(stepMs)
    await world.host.settle()
    if (isOvertaken(world.recording, known, { bucket: write.bucket, key })) return false
    if (damage.isDone(objectAt(world.cluster.snapshot(), write.bucket, key))) return true
    if (waitedMs === sameStateMs) known = world.recording.changes.length
  }
  return false
}

/** Whether others changed what the program reads before the program changed an object. */
function isOvertaken(
  recording: Recording,
  known: number,
  object: { readonly bucket: string; readonly key: string },
): boolean {
  if (known === 0) return false
  const others = otherChanges(recording)
  const changes = recording.changes.slice(known)
  const first = changes.findIndex((change) => others.has(change))
  const own = changes.findIndex(
    ({ bucket, current }) => bucket === object.bucket && current.key === object.key,
  )
  return first >= 0 && (own < 0 || first < own)
}

function objectAt(snapshot: ClusterSnapshot, bucket: string, key: string): JsonObject | undefined {
  const stored = snapshot.buckets[bucket]?.find((object) => object.key === key)
  return stored && (JSON.parse(`{${stored.text}`) as JsonObject)
}

function metadataField({ metadata }: JsonObject, name: string): JsonValue | undefined {
  return isJsonObject(metadata) ? metadata[name] : undefined
}

function numberAt({ spec }: JsonObject, name: string): number | undefined {
  const value = isJsonObject(spec) ? spec[name] : undefined
  return typeof value === 'number' ? value : undefined
}
