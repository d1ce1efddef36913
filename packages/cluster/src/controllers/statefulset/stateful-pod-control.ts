import type { ReconcileContext } from 'setpoint'
import { isApiError } from 'setpoint/client'
import {
  PersistentVolumeClaim,
  Pod,
  type ControllerRevision,
  type StatefulSet,
} from 'setpoint/kinds'
import { isTerminating } from '../../object/index.ts'
import { controllerOptions } from '../controller-options.ts'
import type { NewPod } from '../pods/pod-from-template.ts'
import type { PodObject } from '../pods/pod-state.ts'
import {
  planClaimOwners,
  deletesClaimsWhenScaled,
  isStaleClaim,
  type ClaimObject,
} from './claim-owners.ts'
import {
  claimsOf,
  hasIdentity,
  hasStorage,
  identityLabels,
  ordinalOf,
  podNameOf,
  volumesOf,
  type NewClaim,
  type StatefulSetObject,
} from './stateful-pod.ts'

type Written = typeof ControllerRevision | typeof PersistentVolumeClaim | typeof Pod
type StatefulSetContext = ReconcileContext<
  Written | typeof StatefulSet,
  Written,
  typeof StatefulSet
>

/** Creates, corrects and deletes the pods of a set with their claims, and records Events. */
export class StatefulPodControl {
  readonly #set: StatefulSetObject
  readonly #ctx: StatefulSetContext
  /** Claims that this reconcile created or patched. */
  readonly #made = new Map<string, ClaimObject>()

  constructor(set: StatefulSetObject, ctx: StatefulSetContext) {
    this.#set = set
    this.#ctx = ctx
  }

  /** Creates the claims of a pod, then the pod. */
  async create(pod: NewPod, ordinal: number): Promise<PodObject> {
    const name = podNameOf(this.#set, ordinal)
    try {
      await this.#makeClaims(ordinal)
      const created = await this.#ctx.create(Pod, pod)
      await this.updateClaimOwners(this.#set, created)
      await this.#recordEvent('Create', name)
      return created
    } catch (error) {
      if (!isApiError(error, 'API_ALREADY_EXISTS')) await this.#recordEvent('Create', name, error)
      throw error
    }
  }

  async delete(pod: PodObject): Promise<void> {
    const { name } = pod.metadata
    try {
      await this.#ctx.delete(Pod, pod, { evenIfChanged: true })
    } catch (error) {
      // Another pod has the name now; the next reconcile sees it.
      if (!isApiError(error, 'API_CONFLICT')) await this.#recordEvent('Delete', name, error)
      throw error
    }
    await this.#recordEvent('Delete', name)
  }

  /** Creates missing claims of a pending pod. */
  async makeClaims(ordinal: number, pod: PodObject): Promise<void> {
    await this.#makeClaims(ordinal)
    await this.updateClaimOwners(this.#set, pod)
  }

  /** Restores the labels and volumes of a pod and the owner references of its claims. */
  async correct(set: StatefulSetObject, pod: PodObject): Promise<PodObject> {
    const { name } = pod.metadata
    const ordinal = ordinalOf(set, name) ?? 0
    const isStored = hasStorage(set, ordinal, pod)
    try {
      if (!isStored) await this.#makeClaims(ordinal)
      await this.updateClaimOwners(set, pod)
      const merge = {
        ...(!hasIdentity(pod) && { metadata: { labels: identityLabels(set, ordinal) } }),
        // The server refuses this. The request is sent so that the refusal becomes an Event.
        ...(!isStored && { spec: { volumes: volumesOf(set, ordinal, pod.spec.volumes) } }),
      }
      const isChanged = Object.keys(merge).length > 0
      const corrected = isChanged ? await this.#ctx.patch(Pod, pod, { merge }) : pod
      await this.#recordEvent('Update', name)
      return corrected
    } catch (error) {
      await this.#recordEvent('Update', name, error)
      throw error
    }
  }

  /** Whether the owner references of the pod's claims have to change. */
  areClaimOwnersOutdated(set: StatefulSetObject, pod: PodObject): boolean {
    return this.#claims(set, pod).some(
      (claim) => planClaimOwners(claim, set, pod).owners !== undefined,
    )
  }

  /** Updates the owner references of the pod's claims. */
  async updateClaimOwners(set: StatefulSetObject, pod: PodObject): Promise<void> {
    for (const claim of this.#claims(set, pod)) {
      const { owners, isContested } = planClaimOwners(claim, set, pod)
      const { name } = claim.metadata
      if (isContested) {
        const message = `PersistentVolumeClaim ${name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`
        await this.#ctx.recordEvent({ type: 'Warning', reason: 'ConflictingController', message })
      }
      if (owners === undefined) continue
      const merge = { metadata: { ownerReferences: owners } }
      this.#made.set(name, await this.#ctx.patch(PersistentVolumeClaim, claim, { merge }))
    }
  }

  /** Whether claims of an earlier pod of this name still exist. */
  hasStaleClaims(ordinal: number): boolean {
    if (!deletesClaimsWhenScaled(this.#set)) return false
    return claimsOf(this.#set, ordinal).some(({ claim }) => {
      const present = this.#find(claim.metadata.name)
      return present !== undefined && isStaleClaim(present, podNameOf(this.#set, ordinal))
    })
  }

  #claims(set: StatefulSetObject, { metadata }: PodObject): ClaimObject[] {
    const claims = claimsOf(set, ordinalOf(set, metadata.name) ?? 0)
    return claims.flatMap(({ claim }) => this.#find(claim.metadata.name) ?? [])
  }

  #find(name: string): ClaimObject | undefined {
    return this.#made.get(name) ?? this.#ctx.get(PersistentVolumeClaim, name)
  }

  async #makeClaims(ordinal: number): Promise<void> {
    const problems: string[] = []
    for (const { claim } of claimsOf(this.#set, ordinal)) {
      const { name } = claim.metadata
      const problem = await this.#makeClaim(claim, podNameOf(this.#set, ordinal))
      if (problem !== undefined) problems.push(`${problem.replace('%', name)}`)
    }
    if (problems.length === 0) return
    throw new Error(problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`)
  }

  /** Returns the error text, with `%` instead of the name. */
  async #makeClaim(claim: NewClaim, podName: string): Promise<string | undefined> {
    const { name } = claim.metadata
    const present = this.#find(name)
    if (present !== undefined) {
      return isTerminating(present) ? 'pvc % is being deleted' : undefined
    }
    const { fieldManager } = controllerOptions
    const what = `Claim ${name} Pod ${podName} in StatefulSet ${this.#set.metadata.name}`
    try {
      const { signal } = this.#ctx
      const options = { signal, ...(fieldManager !== undefined && { fieldManager }) }
      // Claims outlive their set by default, so the set does not own them.
      const made = await this.#ctx.client.create(PersistentVolumeClaim, claim, options)
      this.#made.set(name, made)
    } catch (error) {
      if (!isApiError(error)) throw error
      // The claim exists, and the cache does not have it yet.
      if (error.code === 'API_ALREADY_EXISTS') return undefined
      const failed = what.replace(' Pod ', ' for Pod ')
      const message = `Create ${failed} failed error: ${error.status.message}`
      await this.#ctx.recordEvent({ type: 'Warning', reason: 'FailedCreate', message })
      return `failed to create PVC %: ${error.status.message}`
    }
    const message = `Create ${what} success`
    await this.#ctx.recordEvent({ type: 'Normal', reason: 'SuccessfulCreate', message })
    return undefined
  }

  async #recordEvent(
    verb: 'Create' | 'Delete' | 'Update',
    pod: string,
    error?: unknown,
  ): Promise<void> {
    const what = `${verb} Pod ${pod} in StatefulSet ${this.#set.metadata.name}`
    if (error === undefined) {
      const message = `${what} successful`
      return this.#ctx.recordEvent({ type: 'Normal', reason: `Successful${verb}`, message })
    }
    const why = isApiError(error) ? error.status.message : (error as Error).message
    const message = `${what} failed error: ${why}`
    return this.#ctx.recordEvent({ type: 'Warning', reason: `Failed${verb}`, message })
  }
}
