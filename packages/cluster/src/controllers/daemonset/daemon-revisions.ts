import type { ReconcileContext } from 'setpoint'
import { isApiError } from 'setpoint/client'
import { ControllerRevision, DaemonSet, Pod } from 'setpoint/kinds'
import { claim } from '../pods/claim.ts'
import type { PodObject } from '../pods/pod-state.ts'
import {
  inOrder,
  hasSameData,
  revisionData,
  type RevisionObject,
} from '../revisions/template-revision.ts'
import { templateHash } from '../template-hash.ts'
import { hashLabel, type DaemonSetObject } from './daemon-pod.ts'

type Written = typeof ControllerRevision | typeof Pod
type RevisionContext = Pick<
  ReconcileContext<Written, Written>,
  'list' | 'owned' | 'create' | 'patch' | 'delete' | 'client'
>

export interface DaemonRevisions {
  /** The hash label of pods of the newest template. */
  readonly hash: string
  /** The revisions of other templates, oldest first. */
  readonly old: readonly RevisionObject[]
  /** How many hash collisions there were; `undefined` if there was none. */
  readonly collisionCount: number | undefined
}

/**
 * Finds the revisions of a set. A new template becomes a new revision. A template of an old
 * revision makes that revision the newest again.
 */
export async function daemonRevisions(
  set: DaemonSetObject,
  pods: readonly PodObject[],
  ctx: RevisionContext,
): Promise<DaemonRevisions> {
  const { selector } = set.spec
  const claimed = { owner: set, ownerKind: DaemonSet, kind: ControllerRevision, selector }
  const all: RevisionObject[] = []
  for (const revision of inOrder(await claim(ctx, claimed)))
    all.push(await withHashLabel(revision, ctx))
  const desired = { data: revisionData(set) }
  const same = all.filter((revision) => hasSameData(revision, desired))
  const old = all.filter((revision) => !same.includes(revision))
  const next = (old.at(-1)?.revision ?? 0) + 1
  const current = same.at(-1)
  if (current === undefined) return { old, ...(await create(set, next, ctx)) }
  const hash = hashOf(current)
  await deduplicate(same, pods, ctx)
  if (current.revision < next) {
    await ctx.patch(ControllerRevision, current, { merge: { revision: next } })
  }
  return { hash, old, collisionCount: set.status?.collisionCount }
}

/** The old revisions above the history limit that no pod uses, oldest first. */
export function revisionsToDelete(
  { spec }: DaemonSetObject,
  { old }: DaemonRevisions,
  pods: readonly PodObject[],
): readonly RevisionObject[] {
  const live = new Set(pods.map(({ metadata }) => metadata.labels?.[hashLabel]))
  const tooMany = Math.max(0, old.length - (spec.revisionHistoryLimit ?? 10))
  return old.filter((revision) => !live.has(hashOf(revision))).slice(0, tooMany)
}

function hashOf({ metadata }: RevisionObject): string {
  return metadata.labels?.[hashLabel] ?? ''
}

/** Adds the hash label to an adopted revision that lacks it, with its name as the value. */
async function withHashLabel(
  revision: RevisionObject,
  ctx: RevisionContext,
): Promise<RevisionObject> {
  if (revision.metadata.labels?.[hashLabel] !== undefined) return revision
  const labels = { [hashLabel]: revision.metadata.name }
  return ctx.patch(ControllerRevision, revision, { merge: { metadata: { labels } } })
}

/**
 * Keeps the last of several revisions of the same template, and relabels all pods of the set with
 * it.
 */
async function deduplicate(
  same: readonly RevisionObject[],
  pods: readonly PodObject[],
  ctx: RevisionContext,
): Promise<void> {
  const [kept, ...others] = same.toReversed()
  if (kept === undefined || others.length === 0) return
  const labels = { [hashLabel]: hashOf(kept) }
  for (const pod of pods) {
    if (pod.metadata.labels?.[hashLabel] === hashOf(kept)) continue
    await ctx.patch(Pod, pod, { merge: { metadata: { labels } } })
  }
  for (const other of others) await ctx.delete(ControllerRevision, other, { evenIfChanged: true })
}

/** A name that exists with other data counts as a hash collision, and the next name is tried. */
async function create(
  set: DaemonSetObject,
  revision: number,
  ctx: RevisionContext,
): Promise<Omit<DaemonRevisions, 'old'>> {
  const { name, namespace, annotations } = set.metadata
  const { template } = set.spec
  const data = revisionData(set)
  for (let { collisionCount } = set.status ?? {}; ; collisionCount = (collisionCount ?? 0) + 1) {
    const hash = templateHash(template, collisionCount)
    const metadata = {
      name: `${name}-${hash}`,
      labels: { ...template.metadata?.labels, [hashLabel]: hash },
      ...(annotations && { annotations }),
    }
    try {
      await ctx.create(ControllerRevision, { metadata, data, revision })
      return { hash, collisionCount }
    } catch (error) {
      if (!isApiError(error, 'API_ALREADY_EXISTS')) throw error
      const place = { name: metadata.name, namespace }
      const there = await ctx.client.get(ControllerRevision, place)
      if (hasSameData(there, { data })) return { hash, collisionCount }
    }
  }
}
