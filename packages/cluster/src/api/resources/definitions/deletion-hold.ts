import type { JsonObject } from 'setpoint/schema'
import { isTerminating, metadataOf } from '../../../object/index.ts'
import { setCondition } from './definition-conditions.ts'
import type { DeletionHold } from '../served-resource.ts'

/** The finalizer that keeps a definition until its objects are deleted. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io'

/** A namespace is kept by the finalizers in its spec. */
export const namespaceHold: DeletionHold = {
  isHeld(namespace) {
    const spec = namespace['spec'] as { finalizers?: unknown[] } | undefined
    return (spec?.finalizers ?? []).length > 0
  },
  mark(namespace, now) {
    metadataOf(namespace).deletionTimestamp = now
    const status = namespace['status'] as JsonObject | undefined
    namespace['status'] = { ...status, phase: 'Terminating' }
  },
}

/**
 * A definition is kept by a finalizer that is added when its deletion begins, until its objects are
 * deleted.
 */
export const definitionHold: DeletionHold = {
  isHeld(definition) {
    return !isTerminating(definition)
  },
  mark(definition, now) {
    const metadata = metadataOf(definition)
    metadata.deletionTimestamp = now
    const finalizers = metadata.finalizers ?? []
    if (!finalizers.includes(cleanupFinalizer)) {
      metadata.finalizers = [...finalizers, cleanupFinalizer]
    }
    definition['status'] = { ...(definition['status'] as JsonObject | undefined) }
    setCondition(definition, now, {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionPending',
      message:
        'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    })
  },
}
