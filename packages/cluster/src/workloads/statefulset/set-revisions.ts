import type { ReconcileContext } from 'setpoint'
import { isApiError } from 'setpoint/client'
import { ControllerRevision, StatefulSet } from 'setpoint/kinds'
import { claim } from '../pods/claim.ts'
import type { PodObject } from '../pods/pod-state.ts'
import { inOrder, keepsSame, type RevisionObject } from '../revisions/template-revision.ts'
import { equalRevision, newRevision, outlivedRevisions, withRevision } from './set-revision.ts'
import type { StatefulSetObject } from './stateful-pod.ts'

type RevisionContext = Pick<
  ReconcileContext<typeof ControllerRevision, typeof ControllerRevision>,
  'list' | 'owned' | 'create' | 'patch' | 'delete' | 'client'
>

/** What a set was and what it becomes. */
export interface SetRevisions {
  /** All, from the oldest to the newest. */
  readonly all: readonly RevisionObject[]
  readonly current: RevisionObject
  readonly update: RevisionObject
  readonly currentSet: StatefulSetObject
  readonly updateSet: StatefulSetObject
  readonly collisionCount: number
}

/** Finds the revisions of a set. A template that is new becomes one; an old one that is wanted again, the newest. */
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

/** Deletes revisions that nobody needs; the status of the set says which it needs. */
export async function forgetRevisions(
  set: StatefulSetObject,
  ctx: RevisionContext,
  { revisions, pods }: { readonly revisions: SetRevisions; readonly pods: readonly PodObject[] },
): Promise<void> {
  const { currentRevision = '', updateRevision = '' } = set.status ?? {}
  const names = [currentRevision, updateRevision]
  for (const revision of outlivedRevisions(set, revisions.all, { names, pods })) {
    await ctx.delete(ControllerRevision, revision, { evenIfChanged: true })
  }
}

/** A name that another template has got makes the next one be tried. */
async function create(
  set: StatefulSetObject,
  ctx: RevisionContext,
  revision: number,
): Promise<{ update: RevisionObject; collisionCount: number }> {
  for (let { collisionCount = 0 } = set.status ?? {}; ; collisionCount += 1) {
    const wanted = newRevision(set, revision, collisionCount)
    try {
      return { update: await ctx.create(ControllerRevision, wanted), collisionCount }
    } catch (error) {
      if (!isApiError(error, 'API_ALREADY_EXISTS')) throw error
      const { namespace } = set.metadata
      const place = { name: wanted.metadata.name, namespace }
      const there = await ctx.client.get(ControllerRevision, place)
      if (keepsSame(there, wanted)) return { update: there, collisionCount }
    }
  }
}
