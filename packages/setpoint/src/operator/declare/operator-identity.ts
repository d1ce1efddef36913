import { kindName } from '../../kinds/kind-name.ts'
import type { Kind } from '../../kinds/kind.ts'

/**
 * The marks by which an operator finds its own state on objects. They follow from its name, so two
 * operators with one name would share them.
 */
interface OperatorIdentity {
  /** The finalizer on owners. */
  readonly finalizer: string
  /** The annotation with the memory of change handlers. */
  readonly handlers: string
  /** The annotation with the times of timers. */
  readonly timers: string
}

/** The name of an operator of the program's own resource, unless it has another one. */
export function defaultName(kind: Kind): string {
  return kindName(kind)
}

const namePartMax = 63

/** The identity of an operator with this name. */
export function identityOf(kind: Kind, name: string): OperatorIdentity {
  const isDefault = name === defaultName(kind)
  // The group of a built-in kind is not a domain that this operator may use.
  const isOwnDomain = kind.group.includes('.') && !kind.group.endsWith('.k8s.io')
  const own = isDefault ? `setpoint-${kind.plural}`.slice(0, namePartMax) : name
  const suffix = isDefault ? '' : `.${trimmed(name.replace(/[^-\w.]/g, '-').slice(-50))}`
  return {
    finalizer: `${isOwnDomain ? kind.group : 'setpoint.dev'}/${trimmed(own)}`,
    handlers: `setpoint.dev/handlers${suffix}`,
    timers: `setpoint.dev/timers${suffix}`,
  }
}

/** Without the characters that a qualified name cannot begin or end with. */
function trimmed(name: string): string {
  return name.replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
}
