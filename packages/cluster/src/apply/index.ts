/**
 * apply/: server-side apply and managedFields.
 *
 * api/ calls `applyConfiguration` for an apply and `recordUpdate` for every other write, both
 * before admission, and `keepManagerTimes` when the object is complete. Mutating policies use
 * `mergeConfiguration`, which records no owners. The managedFields,
 * conflicts and errors are those of a real server (1.36), byte for byte; tests compare them with
 * recorded sequences. Types are compiled once per schema. All functions are pure: no clock, no
 * store, and arguments are never changed.
 */
export {
  applyConfiguration,
  customScaleRefusal,
  unconvertibleRefusal,
  unmanagedScaleRefusal,
  unversionedRefusal,
} from './apply-configuration.ts'
export { builtinApplySchema, structuralApplySchema } from './types/apply-schema.ts'
export type { ApplySchema } from './types/apply-type.ts'
export { builtinResetFields, customResetFields } from './fields/builtin-reset-fields.ts'
export { keepManagerTimes } from './keep-times.ts'
export { ConfigurationError, mergeConfiguration } from './merge-configuration.ts'
export { recordUpdate } from './record-update.ts'
export { resetNothing, type ResetFields } from './fields/reset-fields.ts'
export { managersFromScale, managersOfScale, type ReplicasPaths } from './scale-managers.ts'
