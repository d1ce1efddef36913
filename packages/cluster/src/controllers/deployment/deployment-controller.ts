import { operator, type ReconcileContext, type AnyOperator } from 'setpoint'
import { isApiError } from 'setpoint/client'
import { Deployment, Pod, ReplicaSet, selects } from 'setpoint/kinds'
import { isTerminating } from '../../object/index.ts'
import { controllerOptions } from '../controller-options.ts'
import { claim, controllerOf } from '../pods/claim.ts'
import { isFinished } from '../pods/pod-state.ts'
import { templateHash } from '../template-hash.ts'
import {
  Conditions,
  deadlineMs,
  deploymentStatus,
  isComplete,
  overdueAtMs,
  reportProgress,
} from './deployment-status.ts'
import {
  currentAndOld,
  currentAnnotations,
  hashLabel,
  revisionAnnotation,
  revisionOf,
  sizeAnnotations,
  type DeploymentObject,
  type ReplicaSetObject,
} from './revisions.ts'
import {
  currentSize,
  rolloutLimits,
  isScaled,
  oldSizes,
  proportionalSizes,
  sizeOf,
  specReplicas,
  type Rollout,
  type Scaling,
} from './rollout.ts'

type DeploymentContext = ReconcileContext<
  typeof Deployment | typeof Pod | typeof ReplicaSet,
  typeof Deployment | typeof ReplicaSet,
  typeof Deployment
>

/** Rolls a Deployment out: creates a ReplicaSet for each revision and sets their sizes. */
export const deploymentController: AnyOperator = operator(Deployment, {
  ...controllerOptions,
  name: 'deployment-controller',
  reconcileDeleting: true,
})
  .owns(ReplicaSet)
  .writes(Deployment)
  .watch(ReplicaSet, (set, view) => {
    if (controllerOf(set) !== undefined) return []
    const { namespace = '', labels } = set.metadata
    return view
      .list(Deployment, namespace)
      .filter(({ spec }) => selects(spec.selector, labels))
      .map(({ metadata }) => `${namespace}/${metadata.name}`)
  })
  .watch(
    Pod,
    (pod, view) => {
      const { namespace = '', ownerReferences = [] } = pod.metadata
      const owner = ownerReferences.find(({ kind }) => kind === 'ReplicaSet')
      const set =
        owner === undefined ? undefined : view.get(ReplicaSet, `${namespace}/${owner.name}`)
      const names = (set?.metadata.ownerReferences ?? []).filter(
        ({ kind }) => kind === 'Deployment',
      )
      return names.map(({ name }) => `${namespace}/${name}`)
    },
    // Only the Recreate strategy waits for old pods.
    { filter: ({ type, object }) => type === 'removed' || isFinished(object) },
  )
  .reconcile(async (deployment, ctx) => {
    const { spec } = deployment
    const sets = await claim(ctx, {
      owner: deployment,
      ownerKind: Deployment,
      kind: ReplicaSet,
      selector: spec.selector,
    })
    const sync = new DeploymentSync(deployment, ctx)
    if (isTerminating(deployment)) return sync.onlyStatus(sets)
    return sync.run(sets)
  })

/** One reconcile of one Deployment. */
class DeploymentSync {
  readonly #deployment: DeploymentObject
  readonly #ctx: DeploymentContext
  readonly #conditions: Conditions
  #current: ReplicaSetObject | undefined
  #old: readonly ReplicaSetObject[] = []

  constructor(deployment: DeploymentObject, ctx: DeploymentContext) {
    this.#deployment = deployment
    this.#ctx = ctx
    this.#conditions = new Conditions(deployment.status?.conditions ?? [], ctx.now())
  }

  get #rollout(): Rollout {
    return { deployment: this.#deployment, current: this.#current, old: this.#old }
  }

  async onlyStatus(sets: readonly ReplicaSetObject[]): Promise<undefined> {
    this.#sort(sets)
    await this.#ctx.updateStatus(deploymentStatus(this.#rollout, this.#conditions))
  }

  async run(sets: readonly ReplicaSetObject[]): Promise<{ recheckAfter: number } | undefined> {
    const { paused = false, strategy } = this.#deployment.spec
    this.#sort(sets)
    this.#notePause(paused)
    await this.#keepRevision()
    if (paused || isScaled(this.#rollout)) {
      await this.#scaleAll(proportionalSizes(this.#rollout), { always: this.#isRolling })
      if (paused) await this.#cleanUp()
      await this.#ctx.updateStatus(deploymentStatus(this.#rollout, this.#conditions))
      return undefined
    }
    if (strategy?.type === 'Recreate') await this.#recreate()
    else await this.#roll()
    return this.#report()
  }

  get #isRolling(): boolean {
    return (
      [...this.#old, this.#current].filter((set) => set !== undefined && sizeOf(set) > 0).length > 1
    )
  }

  #sort(sets: readonly ReplicaSetObject[]): void {
    const { current, old } = currentAndOld(this.#deployment, sets)
    this.#current = current
    this.#old = old
  }

  /** Pausing and resuming reset the progress deadline. */
  #notePause(isPaused: boolean): void {
    const known = this.#conditions.get('Progressing')?.reason
    if (deadlineMs(this.#deployment) === undefined || known === 'ProgressDeadlineExceeded') return
    if (isPaused === (known === 'DeploymentPaused')) return
    const [reason, word] = isPaused
      ? ['DeploymentPaused', 'paused']
      : ['DeploymentResumed', 'resumed']
    const message = `Deployment is ${word}`
    this.#conditions.set({ type: 'Progressing', status: 'Unknown', reason, message })
  }

  /**
   * The current set gets the highest revision, the Deployment's annotations and its
   * minReadySeconds.
   */
  async #keepRevision(): Promise<void> {
    const current = this.#current
    if (current === undefined) return
    const annotations = currentAnnotations(this.#deployment, this.#old, current)
    const { minReadySeconds = 0 } = this.#deployment.spec
    const before = current.metadata.annotations ?? {}
    const isNew = Object.entries(annotations).some(([name, value]) => before[name] !== value)
    if (isNew || (current.spec.minReadySeconds ?? 0) !== minReadySeconds) {
      const merge = { metadata: { annotations }, spec: { minReadySeconds } }
      this.#current = await this.#ctx.patch(ReplicaSet, current, { merge })
    }
    await this.#noteRevision(annotations[revisionAnnotation] ?? '')
    if (
      deadlineMs(this.#deployment) === undefined ||
      this.#conditions.get('Progressing') !== undefined
    )
      return
    const message = `Found new replica set "${current.metadata.name}"`
    const found = { type: 'Progressing', status: 'True', reason: 'FoundNewReplicaSet' } as const
    this.#conditions.set({ ...found, message })
  }

  async #noteRevision(revision: string): Promise<void> {
    if (this.#deployment.metadata.annotations?.[revisionAnnotation] === revision) return
    const merge = { metadata: { annotations: { [revisionAnnotation]: revision } } }
    await this.#ctx.patch(Deployment, this.#deployment, { merge, subresource: 'status' })
  }

  async #roll(): Promise<void> {
    if (this.#current === undefined) await this.#makeCurrent()
    else {
      const replicas = currentSize(this.#rollout)
      if (await this.#scaleAll([{ set: this.#current, replicas }])) return
    }
    await this.#scaleAll(oldSizes(this.#rollout))
  }

  async #recreate(): Promise<void> {
    const shrinking = this.#old.filter((set) => sizeOf(set) > 0)
    if (await this.#scaleAll(shrinking.map((set) => ({ set, replicas: 0 })))) return
    if (this.#hasOldPods()) return
    if (this.#current === undefined) await this.#makeCurrent()
    else await this.#scaleAll([{ set: this.#current, replicas: specReplicas(this.#deployment) }])
  }

  #hasOldPods(): boolean {
    const { namespace } = this.#deployment.metadata
    return this.#old.some(
      ({ spec, status, metadata }) =>
        (status?.replicas ?? 0) > 0 ||
        this.#ctx
          .list(Pod, { namespace, labels: spec.selector })
          .some((pod) => controllerOf(pod)?.uid === metadata.uid && !isFinished(pod)),
    )
  }

  async #makeCurrent(): Promise<void> {
    const { spec, metadata, status } = this.#deployment
    const hash = templateHash(spec.template, status?.collisionCount)
    const labels = { ...spec.template.metadata?.labels, [hashLabel]: hash }
    const name = `${metadata.name.slice(0, 252 - hash.length)}-${hash}`
    const replicas = currentSize(this.#rollout)
    const desired = specReplicas(this.#deployment)
    const annotations = {
      ...currentAnnotations(this.#deployment, this.#old),
      ...sizeAnnotations(desired, desired + rolloutLimits(this.#deployment).surge),
    }
    const made = await this.#createReplicaSet({
      metadata: { name, labels, annotations },
      spec: {
        replicas,
        ...(spec.minReadySeconds === undefined ? {} : { minReadySeconds: spec.minReadySeconds }),
        selector: {
          ...spec.selector,
          matchLabels: { ...spec.selector.matchLabels, [hashLabel]: hash },
        },
        template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
      },
    })
    this.#current = made
    if (replicas > 0) await this.#recordScaling({ set: made, replicas }, 0)
    await this.#noteRevision(String(revisionOf(made)))
    if (deadlineMs(this.#deployment) === undefined) return
    const message = `Created new replica set "${name}"`
    const created = { type: 'Progressing', status: 'True', reason: 'NewReplicaSetCreated' } as const
    this.#conditions.set({ ...created, message })
  }

  /**
   * Creates the ReplicaSet. A name that exists counts as a hash collision, and the next reconcile
   * tries another name.
   */
  async #createReplicaSet(
    set: Parameters<DeploymentContext['create']>[1] & { metadata: { name: string } },
  ): Promise<ReplicaSetObject> {
    const { status } = this.#deployment
    try {
      return await this.#ctx.create(ReplicaSet, set)
    } catch (error) {
      if (isApiError(error, 'API_ALREADY_EXISTS')) {
        const collisionCount = (status?.collisionCount ?? 0) + 1
        await this.#ctx.updateStatus({ ...status, collisionCount })
      }
      if (!isApiError(error) || error.code === 'API_ALREADY_EXISTS') throw error
      const reason = 'ReplicaSetCreateError'
      const message = `Failed to create new replica set "${set.metadata.name}": ${error.status.message}`
      if (deadlineMs(this.#deployment) !== undefined) {
        this.#conditions.set({ type: 'Progressing', status: 'False', reason, message })
        await this.#ctx.updateStatus({ ...status, conditions: this.#conditions.list })
      }
      await this.#ctx.recordEvent({ type: 'Warning', reason, message })
      throw error
    }
  }

  /**
   * Scales ReplicaSets; with `always`, updates their annotations too. Returns whether a size
   * changed.
   */
  async #scaleAll(scalings: readonly Scaling[], { always = false } = {}): Promise<boolean> {
    let isChanged = false
    for (const { set, replicas } of scalings) {
      const before = sizeOf(set)
      const desired = specReplicas(this.#deployment)
      const annotations = sizeAnnotations(desired, desired + rolloutLimits(this.#deployment).surge)
      const isNoted = Object.entries(annotations).every(
        ([name, value]) => set.metadata.annotations?.[name] === value,
      )
      if (before === replicas && (isNoted || !always)) continue
      const merge = { metadata: { annotations }, spec: { replicas } }
      this.#replace(set, await this.#ctx.patch(ReplicaSet, set, { merge }))
      if (before === replicas) continue
      await this.#recordScaling({ set, replicas }, before)
      isChanged = true
    }
    return isChanged
  }

  #replace(before: ReplicaSetObject, after: ReplicaSetObject): void {
    if (this.#current === before) this.#current = after
    this.#old = this.#old.map((set) => (set === before ? after : set))
  }

  async #recordScaling({ set, replicas }: Scaling, before: number): Promise<void> {
    const direction = replicas > before ? 'up' : 'down'
    const message = `Scaled ${direction} replica set ${set.metadata.name} from ${before} to ${replicas}`
    await this.#ctx.recordEvent({ reason: 'ScalingReplicaSet', message })
  }

  async #report(): Promise<{ recheckAfter: number } | undefined> {
    const counts = deploymentStatus(this.#rollout, this.#conditions)
    reportProgress(this.#rollout, counts, this.#conditions)
    if (isComplete(this.#deployment, counts)) await this.#cleanUp()
    await this.#ctx.updateStatus({ ...counts, conditions: this.#conditions.list })
    const lateAtMs = overdueAtMs(this.#deployment, this.#conditions)
    // Times have a resolution of one second: a reconcile within that second would be too early.
    return lateAtMs === undefined ? undefined : { recheckAfter: lateAtMs - this.#ctx.now() + 1000 }
  }

  /** Deletes the oldest ReplicaSets above the revision history limit. */
  async #cleanUp(): Promise<void> {
    const limit = this.#deployment.spec.revisionHistoryLimit
    if (limit === undefined || limit === 2 ** 31 - 1) return
    const kept = this.#old.filter((set) => !isTerminating(set))
    const surplus = [...kept].sort((left, right) => revisionOf(left) - revisionOf(right))
    for (const set of surplus.slice(0, Math.max(0, kept.length - limit))) {
      const { generation = 0 } = set.metadata
      const isEmpty = sizeOf(set) === 0 && (set.status?.replicas ?? 0) === 0
      if (isEmpty && generation <= (set.status?.observedGeneration ?? 0)) {
        await this.#ctx.delete(ReplicaSet, set)
      }
    }
  }
}
