import type { Kind } from 'setpoint'
import type { OwnerReference } from 'setpoint/kinds'

/** What all stored objects have. */
export interface StoredObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly uid: string
    readonly resourceVersion: string
    readonly generation?: number
    readonly deletionTimestamp?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly finalizers?: readonly string[]
    readonly ownerReferences?: readonly OwnerReference[]
  }
}

/** The namespace and the name of an object: what a reconcile is about. */
export interface ObjectKey {
  readonly namespace: string
  readonly name: string
}

/** `namespace/name`, as keys are written in a queue. */
export function keyText({ namespace = '', name }: Partial<ObjectKey>): string {
  return `${namespace}/${name ?? ''}`
}

/** The owner of an object that is responsible for it, if it has one. */
export function controllerOf({ metadata }: StoredObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true)
}

/** Whether the object belongs to this very owner, not to an earlier one of the same name. */
export function isOwnedBy(object: StoredObject, owner: StoredObject): boolean {
  return controllerOf(object)?.uid === owner.metadata.uid
}

/** The reference with which a child names its owner, as `SetControllerReference` makes it. */
export function ownerReference(kind: Kind, { metadata }: StoredObject): OwnerReference {
  return {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    name: metadata.name,
    uid: metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  }
}
