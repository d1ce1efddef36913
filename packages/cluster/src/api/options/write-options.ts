import { fieldError, type FieldError } from 'setpoint/schema'
import { invalidObject } from '../../status/index.ts'
import { switchOf } from './query-values.ts'

/** `fieldValidation`: refuse, warn about or ignore unknown fields. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict'

/** The options of a create, an update or a patch. */
export interface WriteOptions {
  readonly isDryRun: boolean
  /** The field manager for managedFields: the parameter, or the client's name. */
  readonly fieldManager: string
  readonly fieldValidation: FieldValidation
  readonly force: boolean
}

type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions'

/** Where the options are read from. */
interface OptionsSource {
  readonly query: URLSearchParams
  readonly userAgent: string
  /** For patches: whether it is a server-side apply, which has its own rules. */
  readonly isApply?: boolean
}

const managerBytesMax = 128

/**
 * Reads and validates the options of a write; 422 about the options object when they are invalid.
 */
export function writeOptions(kind: OptionsKind, source: OptionsSource): WriteOptions {
  const { query, isApply = false } = source
  const manager = query.get('fieldManager') ?? ''
  const force = switchOf(query, 'force')
  const errors: FieldError[] = []
  if (kind === 'PatchOptions') errors.push(...patchErrors({ isApply, force, manager }))
  errors.push(...managerErrors(manager))
  errors.push(...dryRunErrors(query.getAll('dryRun')))
  const validation = query.get('fieldValidation') ?? ''
  if (!['', 'Ignore', 'Strict', 'Warn'].includes(validation)) {
    const supported = ['', 'Ignore', 'Strict', 'Warn']
    errors.push(fieldError.notSupported('fieldValidation', validation, supported))
  }
  if (errors.length > 0) throw invalidObject({ group: 'meta.k8s.io', kind }, '', errors)
  return {
    isDryRun: query.has('dryRun'),
    fieldManager: manager === '' ? managerOfAgent(source.userAgent) : manager,
    fieldValidation: validation === '' ? 'Warn' : (validation as FieldValidation),
    force: force ?? false,
  }
}

function patchErrors(options: {
  isApply: boolean
  force: boolean | undefined
  manager: string
}): FieldError[] {
  if (!options.isApply) {
    if (options.force === undefined) return []
    return [fieldError.forbidden('force', 'may not be specified for non-apply patch')]
  }
  if (options.manager !== '') return []
  return [fieldError.required('fieldManager', 'is required for apply patch')]
}

function managerErrors(manager: string): FieldError[] {
  const errors: FieldError[] = []
  if (new TextEncoder().encode(manager).length > managerBytesMax) {
    errors.push(fieldError.tooLong('fieldManager', managerBytesMax))
  }
  let position = 0
  for (const character of manager) {
    if (!/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
      const detail = `invalid character U+${code} (at position ${position})`
      errors.push(fieldError.invalid('fieldManager', manager, detail))
    }
    position += new TextEncoder().encode(character).length
  }
  return errors
}

/** The errors of `dryRun`; deletes check it too. */
export function dryRunErrors(values: readonly string[]): FieldError[] {
  if (values.every((value) => value === 'All')) return []
  return [fieldError.notSupported('dryRun', [...values], ['All'])]
}

/**
 * The client's name: its User-Agent up to the first slash, without unprintable characters.
 */
function managerOfAgent(userAgent: string): string {
  const name = userAgent.split('/')[0] ?? ''
  const printable = Array.from(name).filter((character) =>
    /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character),
  )
  const manager = printable.join('').slice(0, managerBytesMax)
  return manager === '' ? 'unknown' : manager
}
