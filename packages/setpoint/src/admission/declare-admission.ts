import { SetpointError } from '../errors/index.ts'
import { durationMs } from '../host/index.ts'
import type { Kind } from '../kinds/kind.ts'
import type { AdmissionDeclaration } from './admission-declaration.ts'
import type { MutateOptions } from './admission-options.ts'
import { checkedMatch } from './checked-match.ts'

/** The arguments of `.validate` or `.mutate`. */
interface WrittenAdmission {
  readonly type: AdmissionDeclaration['type']
  readonly run: unknown
  readonly options: MutateOptions | undefined
  readonly declaredAt?: string | undefined
}

interface Declaring {
  readonly kind: Kind
  readonly admission: readonly AdmissionDeclaration[]
}

const timeoutSecondsDefault = 10
const timeoutSecondsMax = 30

/** Checks a function and its options, where they are declared. */
export function declaredAdmission(
  declaring: Declaring,
  { type, run, options = {}, declaredAt }: WrittenAdmission,
): AdmissionDeclaration {
  const { kind } = declaring
  const { timeout } = options
  const id = idOf(declaring, type, options.id ?? (run as { name?: string }).name ?? '')
  const seconds =
    timeout === undefined ? timeoutSecondsDefault : durationMs(timeout, 'timeout') / 1000
  const refuse = (problem: string, hint: string): never => {
    throw invalid(`the function ${id} of .${type} for ${kind.kind} ${problem}`, hint)
  }
  if (typeof run !== 'function') refuse('is not a function', `write .${type}((object) => ...)`)
  const { operations, subresource } = checkedMatch(kind, options, refuse)
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > timeoutSecondsMax) {
    refuse(`has the timeout ${timeout}`, "give whole seconds from '1s' to '30s'")
  }
  if (type === 'mutate' && operations.includes('DELETE')) {
    refuse('has the operation DELETE, at which nothing can be changed', 'use .validate')
  }
  return {
    type,
    id,
    kind,
    subresource,
    operations,
    timeoutSeconds: seconds,
    options,
    declaredAt,
    run: run as AdmissionDeclaration['run'],
  }
}

/** The given id, the name of the function, or the method with a number. */
function idOf({ kind, admission }: Declaring, type: string, given: string): string {
  const taken = new Set(admission.filter((one) => one.type === type).map(({ id }) => id))
  const id = given === '' ? type : asLabel(given)
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(id)) {
    throw invalid(
      `the operator for ${kind.kind} has a function of .${type} with the id ${JSON.stringify(given)}`,
      'write an id of letters, digits and hyphens: it is part of the name of the webhook',
    )
  }
  if (!taken.has(id)) return id
  throw invalid(
    `the operator for ${kind.kind} has two functions of .${type} called ${id}`,
    `give each its own id: .${type}(run, { id: 'limits' })`,
  )
}

/** `requireOwner` is `require-owner`. */
function asLabel(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
}

function invalid(message: string, hint: string): SetpointError {
  return new SetpointError('OPERATOR_INVALID', message, { hint })
}
