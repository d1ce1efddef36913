/**
 * validation/: what a real API server (1.36) refuses in objects of built-in kinds, with its words.
 *
 * api/ calls `validateCreate` and `validateUpdate` after decoding, defaulting and admission; custom
 * resources use the rules of metadata beside their schema. Each kind has a module named after it, the
 * parts of pods have theirs, and builtin-rules.ts lists them. It promises the fields, reasons, messages
 * and the order of a real server's causes, and it never changes what it is given. What needs the
 * cluster's state (free addresses and ports, quotas, other objects) and CEL is not checked here.
 */
export { builtinWarnings, finalizerWarnings } from './builtin-warnings.ts'
export { validateObjectMeta, validateObjectMetaUpdate } from './object-meta.ts'
export { nameRuleOf, validateCreate, validateUpdate } from './validate-builtin.ts'
