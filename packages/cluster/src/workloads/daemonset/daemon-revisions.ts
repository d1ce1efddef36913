import type { ReconcileContext } from 'setpoint'
import { isApiError } from 'setpoint/client'
import { ControllerRevision, DaemonSet, Pod } from 'setpoint/kinds'
import { claim } from '../pods/claim.ts'
import type { PodObject } from '../pods/pod-state.ts'
import {
  inOrder,
  keepsSame,
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

/** The revisions of a set. */
export interface DaemonRevisions {
  /** What pods of the newest template are marked with. */
  readonly hash: string
  /** Those of other templates, the oldest first. */
  readonly old: readonly RevisionObject[]
  /** How often a hash stood for two templates; `undefined` as long as it did not. */
  readonly collisionCount: number | undefined
}

/** Finds the revisions of a set. A template that is new becomes one; an old one that is wanted again, the newest. */
export async function daemonRevisions(
  set: DaemonSetObject,
  pods: readonly PodObject[],
  ctx: RevisionContext,
): Promise<DaemonRevisions> {
  const { selector } = set.spec
  const claimed = { owner: set, ownerKind: DaemonSet, kind: ControllerRevision, selector }
  const all: RevisionObject[] = []
  for (const revision of inOrder(await claim(ctx, claimed))) all.push(await marked(revision, ctx))
  const wanted = { data: revisionData(set) }
  const same = all.filter((revision) => keepsSame(revision, wanted))
  const old = all.filter((revision) => !same.includes(revision))
  const next = (old.at(-1)?.revision ?? 0) + 1
  const current = same.at(-1)
  if (current === undefined) return { old, ...(await create(set, next, ctx)) }
  const hash = hashOf(current)
  await unite(same, pods, ctx)
  if (current.revision < next) {
    await ctx.patch(ControllerRevision, current, { merge: { revision: next } })
  }
  return { hash, old, collisionCount: set.status?.collisionCount }
}

/** The old revisions that are too many to be kept and that no pod uses, the oldest first. */
export function outlived(
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

/** A revision that was adopted without a mark is marked by its name. */
async function marked(revision: RevisionObject, ctx: RevisionContext): Promise<RevisionObject> {
  if (revision.metadata.labels?.[hashLabel] !== undefined) return revision
  const labels = { [hashLabel]: revision.metadata.name }
  return ctx.patch(ControllerRevision, revision, { merge: { metadata: { labels } } })
}

/** Of several revisions of the same template the last one stays, and all pods of the set are said to be of it. */
async function unite(
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

/** A name that another template has got makes the next one be tried. */
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
      if (keepsSame(there, { data })) return { hash, collisionCount }
    }
  }
}
