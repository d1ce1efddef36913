/**
 * apply/: server-side apply and who owns which field of an object.
 *
 * api/ calls `applyConfiguration` for an apply and `recordUpdate` for every other write, both before
 * admission, and `keepManagerTimes` when the object is finished. It promises the managedFields of a
 * real server (1.36) byte for byte, and its conflicts and errors word for word; tests hold it to
 * sequences recorded from one. Types are compiled once per schema. Pure: no clock, no store, and what
 * is given is never changed.
 */
export { applyConfiguration, customScaleRefusal } from './apply-configuration.ts'
export { builtinApplySchema, structuralApplySchema } from './types/apply-schema.ts'
export type { ApplySchema } from './types/apply-type.ts'
export { builtinResetFields, customResetFields } from './fields/builtin-reset-fields.ts'
export { keepManagerTimes } from './keep-times.ts'
export { recordUpdate } from './record-update.ts'
export { resetNothing, type ResetFields } from './fields/reset-fields.ts'
export { managersFromScale, managersOfScale, type ReplicasPaths } from './scale-managers.ts'
