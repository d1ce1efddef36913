import type { ReconcileContext } from 'setpoint'
import { isApiError } from 'setpoint/client'
import { ControllerRevision, StatefulSet } from 'setpoint/kinds'
import { claim } from '../pods/claim.ts'
import type { PodObject } from '../pods/pod-state.ts'
import { inOrder, hasSameData, type RevisionObject } from '../revisions/template-revision.ts'
import { equalRevision, newRevision, revisionsToDelete, withRevision } from './set-revision.ts'
import type { StatefulSetObject } from './stateful-pod.ts'

type RevisionContext = Pick<
  ReconcileContext<typeof ControllerRevision, typeof ControllerRevision>,
  'list' | 'owned' | 'create' | 'patch' | 'delete' | 'client'
>

/** The revisions of a set. */
export interface SetRevisions {
  /** All revisions, from the oldest to the newest. */
  readonly all: readonly RevisionObject[]
  readonly current: RevisionObject
  readonly update: RevisionObject
  readonly currentSet: StatefulSetObject
  readonly updateSet: StatefulSetObject
  readonly collisionCount: number
}

/**
 * Finds the revisions of a set. A new template becomes a new revision. A template of an old
 * revision makes that revision the newest again.
 */
export async function revisionsOf(
  set: StatefulSetObject,
  ctx: RevisionContext,
): Promise<SetRevisions> {
  const { selector } = set.spec
  const claimed = { owner: set, ownerKind: StatefulSet, kind: ControllerRevision, selector }
  const all = inOrder(await claim(ctx, claimed))
  const newest = all.at(-1)
  const equal = equalRevision(set, all)
  const next = (newest?.revision ?? 0) + 1
  let update = equal
  let { collisionCount = 0 } = set.status ?? {}
  if (update === undefined) {
    ;({ update, collisionCount } = await create(set, ctx, next))
  } else if (update !== newest) {
    update = await ctx.patch(ControllerRevision, update, { merge: { revision: next } })
  }
  const name = set.status?.currentRevision
  const current = all.find(({ metadata }) => metadata.name === name) ?? update
  const [currentSet, updateSet] = [withRevision(set, current), withRevision(set, update)]
  return { all, current, update, currentSet, updateSet, collisionCount }
}

/** Deletes revisions that the set's status and its pods do not use. */
export async function truncateHistory(
  set: StatefulSetObject,
  ctx: RevisionContext,
  { revisions, pods }: { readonly revisions: SetRevisions; readonly pods: readonly PodObject[] },
): Promise<void> {
  const { currentRevision = '', updateRevision = '' } = set.status ?? {}
  const names = [currentRevision, updateRevision]
  for (const revision of revisionsToDelete(set, revisions.all, { names, pods })) {
    await ctx.delete(ControllerRevision, revision, { evenIfChanged: true })
  }
}

/** A name that exists with other data counts as a hash collision, and the next name is tried. */
async function create(
  set: StatefulSetObject,
  ctx: RevisionContext,
  revision: number,
): Promise<{ update: RevisionObject; collisionCount: number }> {
  for (let { collisionCount = 0 } = set.status ?? {}; ; collisionCount += 1) {
    const desired = newRevision(set, revision, collisionCount)
    try {
      return { update: await ctx.create(ControllerRevision, desired), collisionCount }
    } catch (error) {
      if (!isApiError(error, 'API_ALREADY_EXISTS')) throw error
      const { namespace } = set.metadata
      const place = { name: desired.metadata.name, namespace }
      const there = await ctx.client.get(ControllerRevision, place)
      if (hasSameData(there, desired)) return { update: there, collisionCount }
    }
  }
}
