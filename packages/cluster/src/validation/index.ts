/**
 * validation/: the validation rules of a real API server (1.36) for built-in kinds, with its
 * messages.
 *
 * api/ calls `validateCreate` and `validateUpdate` after decoding, defaulting and admission; custom
 * resources use the rules of metadata in addition to their schema. Each kind has a module with its
 * name, the parts of pods have theirs, and builtin-rules.ts lists them. The fields, reasons,
 * messages and order of the errors are those of a real server, and the objects are never changed.
 * Rules that need the state of the cluster (free addresses and ports, quotas, other objects) and
 * CEL are not checked here.
 */
export { builtinWarnings, finalizerWarnings } from './builtin-warnings.ts'
export {
  validateAnnotations,
  validateLabels,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from './object-meta.ts'
export { nameRules, type NameRule } from './fields/name-rule.ts'
export { nameRuleOf, validateCreate, validateUpdate } from './validate-builtin.ts'
