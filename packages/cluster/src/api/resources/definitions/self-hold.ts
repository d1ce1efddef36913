import type { JsonObject } from 'setpoint/schema'
import { isTerminating, metadataOf } from '../../../object/index.ts'
import { setCondition } from './definition-conditions.ts'
import type { SelfHold } from '../served-resource.ts'

/** The finalizer under which a definition waits for its objects to go. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io'

/** A namespace waits by a list of finalizers in its spec. */
export const namespaceHold: SelfHold = {
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

/** A definition waits for its objects, by a finalizer that it gets when it is to go. */
export const definitionHold: SelfHold = {
  isHeld(definition) {
    const { finalizers = [] } = metadataOf(definition)
    return !isTerminating(definition) || finalizers.includes(cleanupFinalizer)
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
